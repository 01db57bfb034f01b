import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addMembers, createGroup } from "../src/domain/groups/groups.ts";
import { updateConnection } from "../src/domain/connections/connections.ts";
import { followTag } from "../src/domain/items/followed-tags.ts";
import { postItem } from "../src/domain/items/posting/post.ts";
import type { Item } from "../src/domain/items/types.ts";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import type { Client } from "./support/client.ts";
import { password } from "./support/hub.ts";
import { mastodonClient, mastodonPerson } from "./support/mastodon.ts";
import { befriend, connectionId, nobody } from "./support/people.ts";
import { visitorOf } from "./support/visitor.ts";
import type { Visitor } from "./support/visitor.ts";

/**
 * What applications and pages look up by words, hashtags, people and links tells nothing of what the one who asks may not see. A new
 * door gets a row here.
 */

const word = "preserves";
const link = "https://shop.example/secret-jam";

let world: TestApp;
let ann: Person;
let bob: Person;
let cara: Person;
let dora: Person;
let hugo: Person;
let secret: Item;
const apps = new Map<string, Client>();
const visitors = new Map<string, Visitor>();

beforeAll(async () => {
  world = await openTestApp();
  [ann, bob, cara, dora, hugo] = [
    await world.person("ann"),
    await world.person("bob"),
    await world.person("cara"),
    await world.person("dora"),
    await world.person("hugo"),
  ];
  const { hub } = world;
  for (const { channel } of [bob, cara, dora]) await befriend(hub, ann.channel, channel);
  await befriend(hub, cara.channel, bob.channel);
  const dorasConnection = await connectionId(hub, ann.channel, dora.channel);
  await updateConnection(hub, ann.channel, dorasConnection, { blocked: true });
  const group = await createGroup(hub, ann.channel.channel_id, "Kitchen");
  await addMembers(hub, ann.channel.channel_id, group.id, [bob.channel.channel_hash]);
  await hub.db.updateTable("xchan").set({ xchan_hidden: 1 }).where("xchan_id", "=", hugo.channel.xchan_id).execute();
  for (const { channel } of [bob, cara, dora]) await followTag(hub, channel, word);
  secret = await postItem(hub, ann.channel, {
    body: `Only for the kitchen #${word} ${link}`,
    audience: { ...nobody, allow_gid: [group.hash] },
  });
  await world.work();
  for (const one of [ann, bob, cara, dora]) apps.set(one.nick, await mastodonPerson(world, one.channel));
  apps.set("nobody", mastodonClient(world));
  for (const { nick } of [cara, dora]) {
    const visitor = visitorOf(world.app);
    await visitor.logIn(nick, password);
    visitors.set(nick, visitor);
  }
  visitors.set("nobody", visitorOf(world.app));
});
afterAll(() => world.close());

const idOf = (one: Person): number => one.channel.xchan_id;

const lists: [path: string | (() => string), needsToken: boolean][] = [
  [`/api/v1/timelines/tag/${word}`, false],
  [`/api/v1/timelines/tag/other?any[]=${word}`, false],
  ["/api/v1/timelines/public", false],
  [`/api/v1/timelines/link?url=${encodeURIComponent(link)}`, false],
  ["/api/v1/timelines/home", true],
  [() => `/api/v1/accounts/${idOf(ann)}/statuses`, false],
  [() => `/api/v1/accounts/${idOf(ann)}/statuses?tagged=${word}`, false],
  ["/api/v2/search?q=kitchen", false],
  ["/api/v2/search?q=secret-jam", false],
  [`/api/v2/search?q=${encodeURIComponent(link)}`, false],
  ["/api/v2/search?q=preserv", false],
  ["/api/v1/search?q=%23preserv", true],
  ["/api/v1/trends/tags", false],
  ["/api/v1/trends/statuses", false],
  ["/api/v1/trends/links", false],
];

describe.each(["cara", "dora", "nobody"])("%s", (nick) => {
  test.each(lists)("sees nothing of it at %s", async (named, needsToken) => {
    if (needsToken && nick === "nobody") return;
    const path = typeof named === "string" ? named : named();
    const { status, json, text } = await apps.get(nick)!.get(path);
    expect(status).toBe(200);
    for (const told of ["Only for the kitchen", "secret-jam", secret.uuid]) expect(text).not.toContain(told);
    if (json.hashtags) expect(json.hashtags).toEqual([]);
  });

  test("is told of its hashtag what is told of one that nobody has used", async () => {
    const app = apps.get(nick)!;
    const told = async (name: string) =>
      JSON.stringify((await app.get(`/api/v1/tags/${name}`)).json)
        .replaceAll(name, "NAME")
        .replace(/"following":\w+/, "");
    expect(await told(word)).toBe(await told("neverused"));
  });

  test("finds nothing of it on pages", async () => {
    const visitor = visitors.get(nick)!;
    for (const path of [`/search?tag=${word}`, "/search?q=kitchen", "/channel/ann", "/local", "/directory"])
      expect([path, (await visitor.get(path)).text.includes(secret.uuid)]).toEqual([path, false]);
    expect((await visitor.get("/suggestions?key=%23&text=preserv")).text).not.toContain(word);
    // What other sites show of an address is in the head of its page.
    const page = await visitor.get(`/display/${secret.uuid}`);
    expect(page.status).toBe(404);
    for (const told of ["kitchen", "secret-jam", "og:title"]) expect(page.text).not.toContain(told);
  });

  test("hears nothing of it while a page is open", async () => {
    const told = await heard(nick, secret.id, comment);
    expect(told).not.toContain(secret.uuid);
    for (const [, data] of told.matchAll(/^data: (.*)$/gm))
      expect(JSON.parse(data!)).toMatchObject({ posts: [], threads: [], gone: [] });
  });

  test("does not find who hides, unless by the whole address", async () => {
    const app = apps.get(nick)!;
    const search = nick === "nobody" ? "/api/v2/search?type=accounts" : "/api/v1/accounts/search?limit=5";
    expect((await app.get(`${search}&q=hug`)).text).not.toContain("hugo");
    expect((await app.get("/api/v1/directory")).text).not.toContain("hugo");
    if (nick === "nobody") return;
    expect((await app.get("/api/v2/suggestions")).text).not.toContain("hugo");
  });
});

/** The words of the events that come to an open page of somebody while something happens. */
async function heard(nick: string, thread: number, happens: () => Promise<void>): Promise<string> {
  const cookie = [...visitors.get(nick)!.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const headers = { host: "hub.example", accept: "text/event-stream", cookie };
  const response = await world.app.request(`http://hub.example/live?threads=${thread}&after=0`, { headers });
  if (nick === "nobody") expect(response.status).toBe(204);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const reading = (async () => {
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) return;
      text += value ?? "";
    }
  })();
  await happens();
  await new Promise((resolve) => setTimeout(resolve, 80));
  await reader?.cancel();
  await reading;
  return text;
}

async function comment(): Promise<void> {
  await postItem(world.hub, bob.channel, {
    body: `an answer in the kitchen ${Math.random()}`,
    parent: { mid: secret.mid },
  });
  await world.work();
}

test("the member of the group finds it by all of these", async () => {
  const app = apps.get("bob")!;
  for (const path of [`/api/v1/timelines/tag/${word}`, "/api/v1/timelines/home", "/api/v2/search?q=kitchen"])
    expect((await app.get(path)).text).toContain("Only for the kitchen");
  expect((await app.get("/api/v2/search?q=preserv")).json.hashtags.length).toBe(1);
});

test("whoever is blocked by somebody is not led to them", async () => {
  const app = apps.get("dora")!;
  expect((await app.get("/api/v2/suggestions")).json.map((one: any) => one.account.acct)).not.toContain("ann");
});

test("connections that somebody hides are nobody's, in lists as in counts and suggestions", async () => {
  const app = apps.get("dora")!;
  await world.hub.db
    .updateTable("profile")
    .set({ hide_friends: 1 })
    .where("uid", "=", cara.channel.channel_id)
    .execute();
  for (const list of ["followers", "following"])
    expect((await app.get(`/api/v1/accounts/${idOf(cara)}/${list}`)).json).toEqual([]);
  const { json } = await app.get(`/api/v1/accounts/${idOf(cara)}`);
  expect([json.followers_count, json.following_count, json.hide_collections]).toEqual([0, 0, true]);
});

test("the hashtags of people whom one has blocked or muted are not found by them", async () => {
  const app = apps.get("cara")!;
  await postItem(world.hub, hugo.channel, { body: "#loudness for all" });
  await world.work();
  const found = async () => (await app.get("/api/v2/search?q=loudn&type=hashtags")).json.hashtags.length;
  expect(await found()).toBe(1);
  const deed = (what: string) => app.post(`/api/v1/accounts/${idOf(hugo)}/${what}`);
  for (const [begins, ends] of [
    ["block", "unblock"],
    ["mute", "unmute"],
  ] as const) {
    expect((await deed(begins)).status).toBe(200);
    expect(await found()).toBe(0);
    expect((await app.get("/api/v1/tags/loudness")).json.id).toBe("0");
    await deed(ends);
    expect(await found()).toBe(1);
  }
});
