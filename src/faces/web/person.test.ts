import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { actorOf } from "../../../test/support/actors.ts";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { password } from "../../../test/support/hub.ts";
import { jsonAnswer } from "../../../test/support/elsewhere.ts";
import { picture } from "../../../test/support/pictures.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import type { Visitor } from "../../../test/support/visitor.ts";
import { block, connect, findConnectionTo } from "../../domain/connections/connections.ts";
import { recordGone } from "../../domain/identity/xchans/actors.ts";
import type { ForeignActor } from "../../domain/identity/xchans/foreign-actor.ts";
import { setSetting } from "../../domain/identity/site/site-settings.ts";
import { postItem } from "../../domain/items/posting/post.ts";
import { meetActor } from "../../domain/peers/meet-actor.ts";
import { removeSiteBlock, setSiteBlock } from "../../domain/peers/site-blocks.ts";
import { loadItem } from "../../domain/items/save.ts";

/** The page of somebody of another hub (federation contract 17). */

let world: TestApp;
let alma: Person;
let member: Visitor;
let nobody: Visitor;
const asked: string[] = [];

beforeAll(async () => {
  const image = new Uint8Array(await picture(400, 400).png().toBuffer());
  world = await openTestApp({
    fetch: (url) => {
      asked.push(url);
      const list = /\/users\/\w+\/(followers|following|outbox)$/.exec(url)?.[1];
      const totalItems = { followers: 12, following: 7, outbox: 345 }[list ?? ""];
      if (list) return Promise.resolve(jsonAnswer({ id: url, type: "OrderedCollection", totalItems }));
      return Promise.resolve(url.endsWith(".png") ? new Response(image) : new Response("", { status: 404 }));
    },
  });
  alma = await world.person("alma");
  member = visitorOf(world.app);
  await member.logIn("alma", password);
  nobody = visitorOf(world.app);
});
beforeEach(() => void (asked.length = 0));
afterAll(() => world.close());

async function met(nick: string, more: Partial<ForeignActor> = {}) {
  const xchan = await meetActor(world.hub, actorOf(nick, more));
  return { xchan, path: `/person/${xchan.xchan_id}` };
}
/** What the visitor reads there, without its markup. */
const wordsAt = async (visitor: Visitor, path: string): Promise<string> => {
  const { status, text } = await visitor.get(path);
  if (status !== 200) return String(status);
  return text
    .replace(/^[^]*<main/, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");
};

/** A post of theirs, as it is once it has come in. */
async function postBy(author: number, body: string, isPrivate = false): Promise<string> {
  const { id } = await postItem(world.hub, alma.channel, { body });
  const { message_id, uuid } = await loadItem(world.hub, id);
  await world.hub.db.updateTable("message").set({ author_id: author }).where("id", "=", message_id).execute();
  await world.hub.db
    .updateTable("item")
    .set({ author_id: author, item_wall: 0, item_private: isPrivate ? 1 : 0 })
    .where("id", "=", id)
    .execute();
  return `/display/${uuid}`;
}

test("shows who they say they are, and what is here of them", async () => {
  const { xchan, path } = await met("carla", {
    about: "Bakes <bread>\nand cakes",
    picture: "https://far.example/face.png",
    cover: "https://far.example/wide.png",
    fields: [{ name: "Shop <1>", value: '<a href="https://carla.example/">carla.example</a>' }],
  });
  await world.work();
  await postBy(xchan.xchan_id, "Rye is in the oven");
  await postBy(xchan.xchan_id, "Only for friends", true);
  const { text } = await member.get(path);
  expect(text).toMatch(/<img class="cover" src="\/photo\/[0-9a-f]{32}-7"/);
  expect(text).toMatch(/<img\s+class="avatar-image large"\s+src="\/photo\/[0-9a-f]{32}-4"/);
  expect(text).toContain('<a href="https://carla.example/">carla.example</a>');
  expect(text).toContain('<a href="https://far.example/@carla" rel="nofollow noopener">');
  const words = await wordsAt(member, path);
  for (const part of [
    "Carla",
    "carla@far.example",
    "Bakes &lt;bread&gt; and cakes",
    "Shop &lt;1&gt;",
    "Rye is in the oven",
  ])
    expect(words).toContain(part);
  expect(words).toContain("Only for friends");
  expect(await wordsAt(nobody, path)).not.toContain("Only for friends");
});

test("says how much they claim to have, as it was asked for lately, and because of members alone", async () => {
  const { path } = await met("dora");
  const lists = () => asked.filter((url) => url.includes("/dora/"));
  await wordsAt(nobody, path);
  await world.work();
  expect(lists()).toEqual([]);
  expect(await wordsAt(member, path)).not.toContain("says far.example");
  await world.work();
  expect(lists().toSorted()).toEqual(
    ["followers", "following", "outbox"].map((list) => `https://far.example/users/dora/${list}`),
  );
  expect(await wordsAt(member, path)).toContain("345 posts · 12 followers · follows 7, says far.example");
  await world.work();
  expect(lists()).toHaveLength(3);
  world.hub.advance(25 * 3600);
  await member.logIn("alma", password);
  await wordsAt(member, path);
  await world.work();
  expect(lists()).toHaveLength(6);
});

test("a name in the stream leads there, for members", async () => {
  const { xchan, path } = await met("eve");
  await postBy(xchan.xchan_id, "Hello from afar");
  await connect(world.hub, alma.channel, xchan);
  for (const page of ["/network", "/connections"]) expect((await member.get(page)).text).toContain(`href="${path}"`);
});

describe("without a log-in", () => {
  test.each<[string, Partial<ForeignActor>, (host: string) => Promise<unknown>]>([
    ["who hides", { discoverable: false }, () => Promise.resolve()],
    ["who is limited", {}, (domain) => setSiteBlock(world.hub, { domain, level: "limit", noMedia: false })],
    ["whose hub is suspended", {}, (domain) => setSiteBlock(world.hub, { domain, level: "suspend", noMedia: false })],
  ])("%s is not shown", async (who, more, treat) => {
    const host = `${who.replaceAll(" ", "-")}.example`;
    const id = `https://${host}/users/a`;
    const there = { id, inbox: `${id}/inbox`, address: `a@${host}` };
    const { path, xchan } = await met("a", { ...there, ...more });
    const post = await postBy(xchan.xchan_id, `Seen ${who}`);
    const isPurged = who.includes("suspended");
    expect((await nobody.get(post)).status).toBe("discoverable" in more ? 404 : 200);
    await treat(host);
    await world.work();
    for (const door of [path, post]) expect([door, (await nobody.get(door)).status]).toEqual([door, 404]);
    expect((await member.get(path)).status).toBe(200);
    expect((await member.get(post)).status).toBe(isPurged ? 404 : 200);
    if (!("discoverable" in more)) await removeSiteBlock(world.hub, host);
  });

  test("a closed site shows nobody, and others than people of other hubs have no such page", async () => {
    const { path } = await met("fay");
    expect((await nobody.get(path)).status).toBe(200);
    await setSetting(world.hub, "blockPublic", true);
    expect((await nobody.get(path)).status).toBe(404);
    await setSetting(world.hub, "blockPublic", false);
    for (const id of [alma.channel.xchan_id, 987_654_321, "x"])
      expect([(await nobody.get(`/person/${id}`)).status, (await member.get(`/person/${id}`)).status]).toEqual([
        404, 404,
      ]);
  });
});

describe("somebody who is not there any more", () => {
  test("has moved: it says where to", async () => {
    const { xchan } = await met("gus-new", { alsoKnownAs: ["https://far.example/users/gus"] });
    const { path } = await met("gus", { movedTo: xchan.xchan_hash });
    expect((await member.get(path)).text).toContain(`<a href="/person/${xchan.xchan_id}">`);
    expect((await nobody.get(path)).text).toContain(`<a href="${xchan.xchan_hash}" rel="nofollow noopener">`);
  });

  test("is gone: it says so, and one can end what is left", async () => {
    const { xchan, path } = await met("hugo", { about: "Was here" });
    await connect(world.hub, alma.channel, xchan);
    await recordGone(world.hub, xchan.xchan_hash);
    const { text } = await member.get(path);
    expect(text).toContain("Hugo is not on far.example any more.");
    expect(text).toMatch(/href="\/connedit\/\d+\/remove"/);
    const [, way = ""] = /href="(\/connections\/block\?xchan=[^"]*)"/.exec(text) ?? [];
    expect((await member.get(way)).status).toBe(200);
    for (const absent of ["Was here", 'action="/follow"', "/mute"]) expect(text).not.toContain(absent);
    expect((await nobody.get(path)).status).toBe(404);
  });

  test("is known by name only: members see the name, and the document is asked for", async () => {
    const id = "https://far.example/users/ida";
    await world.hub.db
      .insertInto("xchan")
      .values({
        xchan_hash: id,
        xchan_guid: id,
        xchan_name: "Ida",
        xchan_network: "activitypub",
        xchan_hearsay: 1,
        xchan_url: id,
        xchan_addr: "ida@far.example",
        xchan_created: "2026-01-01 00:00:00",
      })
      .execute();
    const { xchan_id } = await world.hub.db
      .selectFrom("xchan")
      .select("xchan_id")
      .where("xchan_hash", "=", id)
      .executeTakeFirstOrThrow();
    expect(await wordsAt(member, `/person/${xchan_id}`)).toContain("Ida");
    expect((await nobody.get(`/person/${xchan_id}`)).status).toBe(404);
    await world.work();
    expect(asked).toContain(id);
  });
});

test("programs learn the same of them", async () => {
  const { xchan } = await met("lea", { cover: "https://far.example/wide.png", about: "Sails" });
  const shown = async () => (await alma.get("/api/users/show", { screen_name: "lea@far.example" })).json;
  expect(await shown()).toMatchObject({ profile_banner_url: "", followers_count: 0 });
  await world.work();
  await member.get(`/person/${xchan.xchan_id}`);
  await world.work();
  expect(await shown()).toMatchObject({
    id: xchan.xchan_id,
    description: "Sails",
    profile_banner_url: expect.stringMatching(/^http:\/\/hub\.example\/photo\/[0-9a-f]{32}-7$/),
    followers_count: 12,
    friends_count: 7,
    statuses_count: 345,
    statusnet_profile_url: "https://far.example/@lea",
  });
});

test("one writes to them, and reports them", async () => {
  const { path } = await met("jo");
  const { text } = await member.get(path);
  for (const way of ["mail/new?to", "report?xchan"]) {
    const [, href = ""] = new RegExp(`href="(/${way.replace("?", "\\?")}=[^"]*)"`).exec(text) ?? [];
    expect(await wordsAt(member, href)).toContain("Jo");
  }
  expect(text).toContain('href="/connections/hosts?host=far.example"');
});

test("anybody is muted and unmuted there; who is blocked is said to be", async () => {
  const { xchan, path } = await met("kim");
  const muted = async () =>
    (await findConnectionTo(world.hub, alma.channel.channel_id, xchan.xchan_hash))?.abook_ignored ?? 0;
  for (const isConnected of [false, true]) {
    if (isConnected) await connect(world.hub, alma.channel, xchan);
    for (const [button, ignored] of [
      ["Mute", 1],
      ["Unmute", 0],
    ] as const) {
      const { text } = await member.get(path);
      expect(text).toContain(`>${button}</button>`);
      expect(text.includes(">Connect</button>")).toBe(!isConnected);
      expect((await member.post(`${path}/mute`, { mute: ignored ? "1" : "" })).status).toBe(303);
      expect(await muted()).toBe(ignored);
    }
  }
  await block(world.hub, alma.channel, xchan);
  const { text } = await member.get(path);
  expect(text).toContain(">Blocked</a>");
  expect(text).not.toContain("/mute");
});

test("a program says to whom it belongs, and nobody else does", async () => {
  const owner = "https://far.example/users/owner";
  for (const [nick, type] of [
    ["bot", "Service"],
    ["nobot", "Person"],
  ] as const) {
    const xchan = await meetActor(world.hub, actorOf(nick, { type, attributedTo: owner }));
    const { text } = await member.get(`/person/${xchan.xchan_id}`);
    expect(text.includes(`<a href="${owner}" rel="nofollow noopener">`)).toBe(type === "Service");
  }
});
