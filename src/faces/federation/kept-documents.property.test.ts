import fc from "fast-check";
import type { Hono } from "hono";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { actorOf } from "../../../test/support/actors.ts";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { befriend } from "../../../test/support/people.ts";
import { cavageRequest, keys, now, pemOf } from "../../../test/support/signed-requests.ts";
import { size } from "../../../test/support/size.ts";
import { Caches } from "../../caches.ts";
import { block, unblock } from "../../domain/connections/connections.ts";
import { receiveFollow } from "../../domain/connections/follows.ts";
import { setConfig } from "../../domain/identity/channels/channel-config.ts";
import { limits } from "../../domain/identity/channels/roles.ts";
import { changeSite, setSetting } from "../../domain/identity/site/site-settings.ts";
import type { Xchan } from "../../domain/identity/xchans/xchans.ts";
import { deleteItem } from "../../domain/items/posting/delete.ts";
import { editItem } from "../../domain/items/posting/edit.ts";
import { postItem } from "../../domain/items/posting/post.ts";
import { react } from "../../domain/items/posting/react.ts";
import type { Item } from "../../domain/items/types.ts";
import { meetActor } from "../../domain/peers/meet-actor.ts";
import { setOnlySignedReads } from "../../domain/peers/signed-reads.ts";
import { sqlDate } from "../../storage/sql.ts";
import { createApp } from "../../main.ts";
import { shelves } from "./kept-documents.ts";

/** Documents that are kept, beside the same made anew: whatever happens, and whoever asks in between. */

let world: TestApp;
let ann: Person;
let bob: Person;
/** Makes every document anew. */
let forgetful: Hono;
let posts: Item[];
let other: Xchan;

const accept = "application/activity+json";
/** Whoever asks: nobody knows them, or they sign, as a follower of Ann, and as somebody else. */
const readers = [undefined, undefined, "follower", "other"] as const;

beforeAll(async () => {
  world = await openTestApp({ clock: now });
  const { hub } = world;
  [ann, bob] = [await world.person("ann"), await world.person("bob")];
  await befriend(hub, ann.channel, bob.channel);
  for (const nick of ["follower", "other"]) {
    const key = { id: keyOf(nick), kind: "rsa" as const, key: pemOf(keys.ann.publicKey) };
    const met = await meetActor(hub, actorOf(nick, { keys: [key] }));
    if (nick === "other") other = met;
    else await receiveFollow(hub, ann.channel, met, `${met.xchan_hash}#follow`);
  }
  posts = [await postItem(hub, ann.channel, { body: "the first" })];
  const caches = new Caches();
  caches.of = (owner, make) => (owner === shelves ? make() : hub.caches.of(owner, make));
  forgetful = createApp({ ...hub, caches });
});
afterAll(() => world.close());

function keyOf(nick: string): string {
  return `https://far.example/users/${nick}#main-key`;
}

/** What happens between looks, each by a number that chooses among its cases. */
const events: ((number: number) => Promise<unknown>)[] = [
  async (n) =>
    posts.push(
      await postItem(world.hub, ann.channel, { body: `text ${n} #tea`, audience: audienceOf(n), ...closing(n) }),
    ),
  async (n) =>
    posts.push(await postItem(world.hub, bob.channel, { body: `comment ${n}`, parent: { mid: one(n).mid } })),
  (n) => editItem(world.hub, ann.channel, one(n).id, { body: `edited ${n}` }),
  (n) => react(world.hub, bob.channel, { mid: one(n).mid }, "like", "takes back"),
  (n) => deleteItem(world.hub, ann.channel, { id: one(n).id }),
  (n) => setConfig(world.hub, ann.channel.channel_id, "perm_limits", "view_stream", String(openness(n))),
  (n) => changeSite(world.hub, { blockPublic: n % 2 === 0 }),
  (n) => setOnlySignedReads(world.hub, n % 2 === 0),
  (n) => (n % 2 === 0 ? block(world.hub, ann.channel, other) : unblock(world.hub, ann.channel, other.xchan_hash)),
  (n) => Promise.resolve(world.hub.advance([0.2, 1, 29.5, 59, 3600, 7200][n % 6]!)),
  (n) => asksUntil(one(n), later(n)),
  (n) => ends(n % 3 === 0 ? later(n) : "0001-01-01 00:00:00"),
  () => world.work(),
];

function one(n: number): Item {
  return posts[n % posts.length]!;
}

function audienceOf(n: number) {
  const nobody = { allow_cid: [], allow_gid: [], deny_cid: [], deny_gid: [] };
  const friends = [bob.channel.channel_hash, "https://far.example/users/follower"];
  return n % 3 === 0 ? { ...nobody, allow_cid: [friends[n % 2]!] } : nobody;
}

function openness(n: number): number {
  return n % 2 === 0 ? limits.public : limits.contacts;
}

/** A moment that is soon. */
function later(n: number): string {
  return sqlDate(new Date(world.hub.clock().getTime() + (n % 60) * 1000));
}

function closing(n: number): { commentsClosed?: string } {
  return n % 4 === 0 ? { commentsClosed: later(n) } : {};
}

/** Makes a poll of a post. */
function asksUntil({ message_id }: Item, endTime: string): Promise<unknown> {
  const oneOf = ["yes", "no"].map((name) => ({ name, replies: { totalItems: 1 } }));
  const obj = JSON.stringify({ type: "Question", oneOf, endTime: `${endTime.replace(" ", "T")}Z` });
  const { db } = world.hub;
  return db.updateTable("message").set({ obj_type: "Question", obj }).where("id", "=", message_id).execute();
}

/** Ann's account is good until then. */
function ends(account_expires: string): Promise<unknown> {
  const { db } = world.hub;
  const id = ann.channel.channel_account_id;
  return db.updateTable("account").set({ account_expires }).where("account_id", "=", id).execute();
}

function paths(n: number): string {
  const { uuid } = one(n);
  const all = ["/channel/ann", "/.well-known/webfinger?resource=acct:ann@hub.example", `/activity/${uuid}`];
  return [`/item/${uuid}`, ...all, `/item/${uuid}`, `/item/${uuid}/replies`][n % 6]!;
}

/** What one reader gets, without what is another for each request. */
async function look(app: Hono, reader: (typeof readers)[number], path: string): Promise<object> {
  const response = await app.request(`http://hub.example${path}`, {
    headers: reader ? signed(reader, path) : { accept },
  });
  const headers = Object.fromEntries([...response.headers].filter(([name]) => name !== "x-request-id"));
  return { status: response.status, headers, text: await response.text() };
}

function signed(nick: string, target: string): [string, string][] {
  const headers = { Accept: accept, Date: world.hub.clock().toUTCString() };
  const { rawHeaders } = cavageRequest({ method: "GET", target, parameters: { keyId: `"${keyOf(nick)}"` }, headers });
  return rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1]!]] : []));
}

const number = fc.nat({ max: 10_000 });
const steps = fc.array(
  fc.record({
    event: fc.option(fc.record({ of: fc.nat({ max: events.length - 1 }), number })),
    looks: fc.array(fc.record({ who: fc.nat({ max: 3 }), number: fc.oneof(fc.constant(0), number) }), { maxLength: 4 }),
  }),
  { minLength: 3, maxLength: 12 },
);

test("a document that is kept is the document that would be made", async () => {
  const property = fc.asyncProperty(steps, async (list) => {
    for (const { event, looks } of list) {
      // Not everything is allowed at every moment, and what is refused changes nothing.
      if (event) await events[event.of]!(event.number).catch(() => undefined);
      for (const { who, number } of looks) {
        const [path, reader] = [paths(number), readers[who]];
        expect(await look(world.app, reader, path)).toEqual(await look(forgetful, reader, path));
      }
    }
  });
  await fc.assert(property, { numRuns: size(10, 400) });
});

test("everybody gets what is for all from the shelf, and what is for some is never put there", async () => {
  const { hub } = world;
  await changeSite(hub, { blockPublic: false });
  await setOnlySignedReads(hub, false);
  await unblock(hub, ann.channel, other.xchan_hash).catch(() => undefined);
  await ends("0001-01-01 00:00:00");
  await setConfig(hub, ann.channel.channel_id, "perm_limits", "view_stream", String(limits.public));
  const open = await postItem(hub, ann.channel, { body: "for all" });
  const some = await postItem(hub, ann.channel, { body: "for some", audience: audienceOf(3) });
  const ask = async ({ uuid }: Item): Promise<string[]> => {
    const answers: string[] = [];
    for (const reader of readers) {
      const { status } = (await look(world.app, reader, `/item/${uuid}`)) as { status: number };
      answers.push(String(status));
    }
    return answers;
  };
  // On PostgreSQL a commit of another database of the server, as other tests make, forgets the documents of this one as well.
  await vi.waitFor(async () => {
    await look(world.app, undefined, `/item/${open.uuid}`);
    const before = { ...shelves(hub) };
    expect(before.kept.size).toBe(1);
    expect(await ask(open)).toEqual(["200", "200", "200", "200"]);
    expect(await ask(some)).toEqual(["404", "404", "200", "404"]);
    expect({ ...shelves(hub) }).toEqual(before);
    expect(before.kept.size).toBe(1);
  }, 60_000);
  const { state } = shelves(hub);
  await setOnlySignedReads(hub, true);
  expect(await ask(open)).toEqual(["401", "401", "200", "200"]);
  await setOnlySignedReads(hub, false);
  await postItem(hub, ann.channel, { body: "news" });
  await look(world.app, undefined, "/channel/ann");
  expect(shelves(hub).state).not.toBe(state);
});

test("where all have to sign, nobody gets what was kept while this process did not know", async () => {
  const { hub } = world;
  await setOnlySignedReads(hub, false);
  await block(hub, ann.channel, other);
  const { uuid } = await postItem(hub, ann.channel, { body: "for all but one" });
  const answerFor = (reader: (typeof readers)[number]) => look(world.app, reader, `/item/${uuid}`);
  const moment = performance.now();
  const clock = vi.spyOn(performance, "now").mockReturnValue(moment);
  try {
    expect(await answerFor(undefined)).toMatchObject({ status: 200 });
    // As another process does it.
    await setSetting(hub, "onlySignedReads", true);
    expect(await answerFor(undefined)).toMatchObject({ status: 200 });
    clock.mockReturnValue(moment + 5000);
    expect(await answerFor(undefined)).toMatchObject({ status: 401 });
    expect(await answerFor("other")).toMatchObject({ status: 404 });
    expect(await answerFor("follower")).toMatchObject({ status: 200 });
  } finally {
    vi.restoreAllMocks();
    await setOnlySignedReads(hub, false);
    await unblock(hub, ann.channel, other.xchan_hash);
  }
});
