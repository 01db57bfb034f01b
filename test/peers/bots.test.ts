import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { metActor } from "../../src/faces/federation/retrieve/actor.ts";
import { trustedAuthority } from "../support/strict.ts";
import { startBots } from "./bot-server.ts";
import type { BotServer } from "./bot-server.ts";
import { startRealHub } from "./real-hub.ts";
import type { Member, RealHub } from "./real-hub.ts";

/**
 * A server of another code base, which signs by RFC 9421 first, has keys in documents of their own, writes properties as full
 * addresses and accepts by an id alone (federation contract 15). It needs PostgreSQL itself. Both talk over TLS.
 */
describe("bots", () => {
  const authority = trustedAuthority();
  let hub: RealHub;
  let bots: BotServer;
  let alma: Member;

  beforeAll(async () => {
    hub = await startRealHub(authority);
    bots = await startBots(authority);
    alma = await hub.channel("alma");
  });
  afterAll(async () => {
    await bots.close();
    await hub.close();
    authority.close();
  });

  async function follow(bot: string, member = alma): Promise<number> {
    const id = (await metActor(hub.hub, bots.idOf(bot)))!.xchan_id;
    await member.post("/api/friendships/create.json", { user_id: String(id) });
    await expect
      .poll(async () => (await member.get(`/api/friendships/show.json?target_id=${id}`)).relationship.source.following)
      .toBe(true);
    return id;
  }

  test("one answers when it is mentioned", async () => {
    await follow("ok");
    const { id } = await alma.post("/api/statuses/update.json", {
      status: "Are you there, @ok?",
    });
    await expect
      .poll(async () =>
        ((await alma.get(`/api/statusnet/conversation/${id}.json`)) as { text: string }[]).map(({ text }) => text),
      )
      .toEqual(expect.arrayContaining([expect.stringMatching(/^OK/)]));
  });

  test("one follows back", async () => {
    const id = await follow("back");
    await expect
      .poll(async () => [
        ...(await alma.get("/api/friendships/incoming.json")),
        ...(await alma.get("/api/followers/ids.json")),
      ])
      .toContain(id);
  });

  test("a group hands on what mentions it to its other members", async () => {
    const bruno = await hub.channel("bruno");
    await follow("club");
    await follow("club", bruno);
    await alma.post("/api/statuses/update.json", { status: "News for @club" });
    await expect
      .poll(async () =>
        ((await bruno.get("/api/statuses/home_timeline.json")) as { text: string }[]).map(({ text }) => text),
      )
      .toEqual([expect.stringContaining("News for")]);
  });
});
