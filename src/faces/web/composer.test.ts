import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { actorOf } from "../../../test/support/actors.ts";
import { annAtHome } from "../../../test/support/ann-at-home.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { connect } from "../../domain/connections/connections.ts";
import { addMembers, createGroup } from "../../domain/groups/groups.ts";
import { setConfig } from "../../domain/identity/channels/channel-config.ts";
import { limits } from "../../domain/identity/channels/roles.ts";
import { meetActor } from "../../domain/peers/meet-actor.ts";
import { recordSoftware } from "../../domain/peers/software.ts";
import type { Visitor } from "../../../test/support/visitor.ts";

/** What a member chooses for a new post besides its words. */

let world: TestApp;
let ann: Person;
let bob: Person;
let cleo: Person;
let visitor: Visitor;

beforeAll(async () => {
  ({ world, ann, bob, cleo, visitor } = await annAtHome());
  await setConfig(world.hub, ann.channel.channel_id, "perm_limits", "post_comments", String(limits.authenticated));
});
afterAll(() => world.close());
beforeEach(() => visitor.get("/network"));

const everybody = "https://www.w3.org/ns/activitystreams#Public";
const [actor, followers] = ["ann", "ann"].map(
  (nick, at) => `http://hub.example/${["channel", "followers"][at]}/${nick}`,
);

async function posted(body: string, fields: Record<string, string> = {}) {
  const answer = await visitor.post("/network", { body, audience: "public", ...fields });
  expect([answer.status, answer.location]).toEqual([303, "/network?done=posted"]);
  return world.hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .select(["item.id", "message.uuid"])
    .where("message.body", "=", body)
    .where("item.uid", "=", ann.channel.channel_id)
    .executeTakeFirstOrThrow();
}

async function policyOf(uuid: string) {
  const headers = { accept: "application/activity+json" };
  return (await world.anonymous.get(`/item/${uuid}`, {}, { headers })).json["interactionPolicy"];
}

describe("who may answer", () => {
  const answers = async (id: number): Promise<number[]> => {
    const tried = [bob, cleo].map((one) =>
      one.post("/api/statuses/update", { status: "An answer", in_reply_to_status_id: id }),
    );
    return (await Promise.all(tried)).map(({ status }) => status);
  };

  test.each([
    ["as usual", "", [200, 200], [everybody]],
    ["only connections", "connections", [200, 403], [followers]],
    ["nobody", "nobody", [403, 403], []],
  ])("%s", async (name, commenters, expected, told) => {
    const { id, uuid } = await posted(`Answers: ${name}`, { commenters });
    expect(await answers(id)).toEqual(expected);
    const { canReply } = await policyOf(uuid);
    expect(canReply.automaticApproval.slice(1)).toEqual(told);
  });
});

describe("who may quote", () => {
  test.each([
    ["everybody", [everybody]],
    ["connections", [followers]],
    ["nobody", []],
  ])("%s, as the post says", async (quoters, told) => {
    const { uuid } = await posted(`Quotes: ${quoters}`, { quoters });
    const { canQuote } = await policyOf(uuid);
    expect(canQuote.automaticApproval).toEqual([actor, ...told]);
  });

  test("as the settings say, where the post says nothing", async () => {
    const fields = { moderate: "0", tags: "1" };
    await visitor.get("/settings/posts");
    expect((await visitor.post("/settings/posts", { ...fields, quoters: "whoever" })).status).toBe(422);
    await visitor.post("/settings/posts", { ...fields, quoters: "connections" });
    expect((await visitor.get("/settings/posts")).text).toMatch(/name="quoters" value="connections" checked/);
    await visitor.get("/network");
    const { uuid } = await posted("Quotes: as usual");
    expect((await policyOf(uuid)).canQuote.automaticApproval).toEqual([actor, followers]);
  });
});

test.each(["commenters", "quoters"])(
  "a choice of %s that does not exist is refused, and nothing typed is lost",
  async (name) => {
    const answer = await visitor.post("/network", { body: "Half a thought", audience: "public", [name]: "martians" });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain("Half a thought");
  },
);

test("hubs that do not keep a group together are named before anything is sent", async () => {
  const { hub } = world;
  const { id: gid } = await createGroup(hub, ann.channel.channel_id, "Rowing");
  expect((await visitor.get("/network")).text).not.toContain("do not keep a group together");
  for (const [host, software] of [
    ["mastodon.example", "mastodon"],
    ["forte.example", "forte"],
  ]) {
    const id = `https://${host}/users/dora`;
    const dora = await meetActor(
      hub,
      actorOf("dora", { id, address: `dora@${host}`, inbox: `${id}/inbox`, sharedInbox: "", keys: [] }),
    );
    await recordSoftware(hub, host!, { name: software!, version: "1" });
    await connect(hub, ann.channel, dora);
    await addMembers(hub, ann.channel.channel_id, gid, [dora.xchan_hash]);
  }
  const { text } = await visitor.get("/network");
  expect(text).toContain("Some servers do not keep a group together");
  expect(text).toMatch(/Rowing<\/span>\s*<small>not kept together at mastodon\.example<\/small>/);
  expect(text).toContain("dora@mastodon.example, does not see what others answer");
  expect(text).not.toContain("dora@forte.example, does not");
});
