import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { actorOf } from "../../../test/support/actors.ts";
import { openTestApp } from "../../../test/support/app.ts";
import { arrivesIn } from "../../../test/support/incoming.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { statementsOf } from "../../../test/support/statements.ts";
import { connect, pageOfPeople, receiveAccept, receiveFollow } from "../connections/connections.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { observerOf } from "../identity/channels/observer.ts";
import { findXchan } from "../identity/xchans/xchans.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";
import { postItem } from "../items/posting/post.ts";
import { searchPeople } from "../people/search-people.ts";
import { readHost } from "./hosts.ts";
import { meetActor } from "./meet-actor.ts";
import {
  listSiteBlocks,
  removeSiteBlock,
  setOnlyAllowedHosts,
  setSiteBlock,
  suspended,
  treatmentOf,
} from "./site-blocks.ts";
import type { BlockLevel } from "./site-blocks.ts";

let world: TestApp;
let alma: Person;
const asked: string[] = [];

beforeAll(async () => {
  world = await openTestApp({ onQuery: ({ query }) => void asked.push(query.sql) });
  alma = await world.person("alma", { role: "feed" });
});
afterAll(() => world.close());

const set = (domain: string, level: BlockLevel, noMedia = false) => setSiteBlock(world.hub, { domain, level, noMedia });
const levelOf = async (host: string) => (await treatmentOf(world.hub, host)).level;

/** Somebody of a hub of their own. */
const personOf = (host: string): Promise<Xchan> => {
  const id = `https://${host}/users/carla`;
  const address = `carla@${host.replace(/:.*/, "")}`;
  const more = { id, address, inbox: `${id}/inbox`, sharedInbox: "", outbox: "", followers: "", following: "" };
  return meetActor(world.hub, actorOf("carla", { ...more, url: id, keys: [] }));
};
const found = async (text: string) =>
  (await searchPeople(world.hub, observerOf(alma.channel), text, { count: 20 })).length;

describe("what is said of a domain", () => {
  test.each([
    ["Example.COM", "example.com"],
    [" https://example.com/about ", "example.com"],
    ["*.example.com", "example.com"],
    ["example.com.", "example.com"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["example.com:443", "example.com"],
    ["example.com:8443", "example.com:8443"],
  ])("is for the host that %j means", (text, host) => expect(readHost(text)).toBe(host));

  test.each(["", "a b", "user@host", "http://", "[::1"])("is not for %j", (text) =>
    expect(() => readHost(text)).toThrow("host_wrong"),
  );

  test("counts for all that is below it, on all ports, until it ends; the narrowest counts", async () => {
    const { hub } = world;
    await set("bad.example", "suspend");
    await set("fair.bad.example", "none");
    await set("odd.example:8443", "limit", true);
    expect(
      await Promise.all(["bad.example", "a.b.bad.example", "bad.example:81", "notbad.example"].map(levelOf)),
    ).toEqual(["suspend", "suspend", "suspend", "none"]);
    expect(await Promise.all(["fair.bad.example", "x.fair.bad.example", "odd.example"].map(levelOf))).toEqual([
      "none",
      "none",
      "none",
    ]);
    expect(await treatmentOf(hub, "odd.example:8443")).toEqual({ level: "limit", noMedia: true });
    await setSiteBlock(hub, { domain: "bad.example", level: "limit", noMedia: false, reason: "spam" });
    expect(await levelOf("a.bad.example")).toBe("limit");
    expect((await listSiteBlocks(hub)).map(({ domain, reason }) => [domain, reason])).toEqual([
      ["bad.example", "spam"],
      ["fair.bad.example", ""],
      ["odd.example:8443", ""],
    ]);
    for (const { domain } of await listSiteBlocks(hub)) await removeSiteBlock(hub, domain);
    expect(await levelOf("bad.example")).toBe("none");
    await expect(removeSiteBlock(hub, "bad.example")).rejects.toMatchObject({ kind: "missing" });
  });

  test("is never about this hub itself", async () => {
    await expect(set("hub.example", "suspend")).rejects.toMatchObject({ code: "own_host" });
    await expect(set("example", "suspend")).rejects.toMatchObject({ code: "own_host" });
  });

  test("costs the busy path nothing", async () => {
    await set("bad.example", "suspend");
    expect(await suspended(world.hub, "bad.example")).toBe(true);
    const hosts = Array.from({ length: 200 }, (_, n) => `h${n}.bad.example`);
    asked.length = 0;
    expect(await statementsOf(world.hub, () => Promise.all(hosts.map((host) => suspended(world.hub, host))))).toBe(0);
    expect(asked.length).toBeLessThanOrEqual(2);
    await removeSiteBlock(world.hub, "bad.example");
  });

  test("is nothing but exceptions where only allowed hosts count", async () => {
    await set("friend.example", "none");
    await setOnlyAllowedHosts(world.hub, true);
    expect(await Promise.all(["friend.example", "a.friend.example", "other.example"].map(levelOf))).toEqual([
      "none",
      "none",
      "suspend",
    ]);
    await setOnlyAllowedHosts(world.hub, false);
    expect(await levelOf("other.example")).toBe("none");
    await removeSiteBlock(world.hub, "friend.example");
  });
});

describe("people of a blocked hub", () => {
  test("who are limited are found by those who know their address, and wait with their follows", async () => {
    const before = await personOf("one.limited.example");
    await set("limited.example", "limit");
    await world.work();
    const after = await personOf("two.limited.example");
    for (const { xchan_hash: hash } of [before, after])
      expect(await findXchan(world.hub, { hash })).toMatchObject({ xchan_censored: 1, xchan_deleted: 0 });
    expect([await found("Carl"), await found("carla@one.limited.example")]).toEqual([0, 1]);
    expect(await receiveFollow(world.hub, alma.channel, before, "https://one.limited.example/f/1")).toBe("waiting");
    await removeSiteBlock(world.hub, "limited.example");
    await world.work();
    expect(await found("Carl")).toBe(2);
    expect(await receiveFollow(world.hub, alma.channel, after, "https://two.limited.example/f/1")).toBe("accepted");
  });

  test("who are suspended are as good as gone until that ends, and nobody new is met", async () => {
    const dora = await personOf("suspended.example:8443");
    await set("suspended.example", "suspend");
    await world.work();
    expect(await findXchan(world.hub, { hash: dora.xchan_hash })).toMatchObject({ xchan_deleted: 1 });
    expect(await found("carla@suspended.example")).toBe(0);
    await expect(connect(world.hub, alma.channel, dora)).rejects.toMatchObject({ code: "identity_deleted" });
    await expect(personOf("new.suspended.example")).rejects.toMatchObject({ code: "host_suspended" });
    await removeSiteBlock(world.hub, "suspended.example");
    await world.work();
    expect(await found("carla@suspended.example")).toBe(1);
    await connect(world.hub, alma.channel, dora);
    const asked = await pageOfPeople(world.hub, alma.channel.channel_id, "outgoing", { count: 5 });
    expect(asked.keys).toEqual([dora.xchan_id]);
  });

  test("who are limited are read by those who follow them, and in public by nobody; of who is suspended nothing is left", async () => {
    const { hub } = world;
    const bob = await world.person("bob", { role: "feed" });
    const eva = await personOf("pickles.example");
    for (const { channel } of [alma, bob]) {
      await connect(hub, channel, eva);
      await receiveAccept(hub, channel, eva);
      await receiveFollow(hub, channel, eva, `https://pickles.example/f/${channel.channel_id}`);
    }
    const top = await postItem(hub, bob.channel, { body: "What goes with bread?" });
    const to = ["https://www.w3.org/ns/activitystreams#Public"];
    const writes = async (n: number, more: object, inbox: Channel) => {
      const id = `https://pickles.example/notes/${n}`;
      const object = { id, type: "Note", attributedTo: eva.xchan_hash, to, content: `pickles${n}`, ...more };
      await arrivesIn(hub)({ id: `${id}/made`, type: "Create", actor: eva.xchan_hash, to, object }, [inbox]);
    };
    await writes(1, {}, alma.channel);
    await writes(2, { inReplyTo: top.mid }, bob.channel);
    await world.work();
    const cleo = await world.person("cleo");
    const shown = async () => {
      const home = (await alma.get("/api/statuses/home_timeline")).text;
      const everywhere = (await cleo.get("/api/statuses/networkpublic_timeline")).text;
      const here = (await cleo.get("/api/statuses/public_timeline")).text;
      const thread = (await bob.get("/api/statuses/networkpublic_timeline")).text;
      return [home.includes("pickles1"), ...[everywhere, here, thread].map((text) => text.includes("pickles2"))];
    };
    expect(await shown()).toEqual([true, true, false, true]);
    await set("pickles.example", "limit");
    await world.work();
    expect(await shown()).toEqual([true, false, false, true]);
    await set("pickles.example", "suspend");
    await world.work();
    expect(await shown()).toEqual([false, false, false, false]);
    const bodies = await hub.db.selectFrom("message").select("body").where("author_id", "=", eva.xchan_id).execute();
    expect(bodies.filter(({ body }) => body !== "")).toEqual([]);
    await removeSiteBlock(hub, "pickles.example");
  });
});
