import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { connect, receiveAccept } from "../../../domain/connections/connections.ts";
import type { Xchan } from "../../../domain/identity/xchans/xchans.ts";
import { postItem } from "../../../domain/items/posting/post.ts";
import { meetActor } from "../../../domain/peers/meet-actor.ts";
import { actorOf } from "../../../../test/support/actors.ts";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { openElsewhere, sendTo } from "../../../../test/support/elsewhere.ts";
import { cavageRequest, keys, now, pemOf } from "../../../../test/support/signed-requests.ts";
import { size } from "../../../../test/support/size.ts";

/**
 * What should not have been sent, signed and posted to an inbox by somebody who is followed here, until it has had all of its effects:
 * the sender is told no more than that it came, nothing is left that has failed, and nobody has to read the log.
 */

let world: TestApp;
let alma: Person;
let ours: string;
const elsewhere = openElsewhere();
const errors = vi.fn<() => void>();
const warnings = vi.fn<(...args: unknown[]) => void>();
const everybody = "https://www.w3.org/ns/activitystreams#Public";
const here = "https://hub.example/channel/alma";
const idOf = (nick: string): string => `https://far.example/users/${nick}`;
const [ann, amy, eve] = [idOf("ann"), idOf("amy"), "https://e.example/users/eve"];

beforeAll(async () => {
  world = await openTestApp({
    env: { HUBBUB_BASE_URL: "https://hub.example", HUBBUB_SLOW_STATEMENT: "0" },
    clock: now,
    fetch: elsewhere.fetch,
  });
  alma = await world.person("alma", { role: "feed" });
  for (const id of [ann, amy, eve]) await follows(await meet(id));
  ours = (await postItem(world.hub, alma.channel, { body: "ours" })).mid;
  await world.work();
  vi.spyOn(world.hub.log, "error").mockImplementation(errors);
  vi.spyOn(world.hub.log, "warning").mockImplementation(warnings);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await world.close();
});

const publicKeyPem = pemOf(keys.ann.publicKey);

function meet(id: string): Promise<Xchan> {
  const [nick, { host }] = [id.split("/").at(-1)!, new URL(id)];
  const addresses = { inbox: `${id}/inbox`, followers: `${id}/followers` };
  const key = { id: `${id}#main-key`, kind: "rsa" as const, key: publicKeyPem };
  elsewhere.put(id, { id, type: "Person", ...addresses, publicKey: { id: key.id, owner: id, publicKeyPem } });
  return meetActor(
    world.hub,
    actorOf(nick, { id, address: `${nick}@${host}`, sharedInbox: "", ...addresses, keys: [key] }),
  );
}

async function follows(person: Xchan): Promise<void> {
  await connect(world.hub, alma.channel, person);
  await receiveAccept(world.hub, alma.channel, person);
}

/** Posts it to the inbox of all, or to Alma's. Answers the status. */
async function posted(value: unknown, by = ann, to = "/inbox"): Promise<number> {
  const bytes = Buffer.from(typeof value === "string" ? value : JSON.stringify(value));
  const parameters = { keyId: `"${by}#main-key"` };
  const { status } = await sendTo(world.app, cavageRequest({ target: to, body: bytes, parameters }));
  return status;
}

/** The same, and it takes effect. */
async function arrives(...given: Parameters<typeof posted>): Promise<number> {
  const status = await posted(...given);
  await world.work();
  return status;
}

/** What has not ended, or has ended badly, and what somebody would have to read. */
async function leftovers() {
  const rows = await world.hub.db
    .selectFrom("inbox_activity")
    .select(["activity_id", "state", "last_error"])
    .where((eb) => eb.or([eb("state", "=", "failed"), eb("last_error", "like", "%Error:%")]))
    .where("last_error", "not like", "HubError:%")
    .execute();
  const jobs = await world.hub.db
    .selectFrom("job")
    .select(["name", "last_error"])
    .where("last_error", "<>", "")
    .execute();
  return { rows, jobs, errors: errors.mock.calls, warnings: warnings.mock.calls };
}
const nothing = { rows: [], jobs: [], errors: [], warnings: [] };

const theirs = { id: "https://far.example/threads/1", type: "OrderedCollection", attributedTo: ann };
const saidHere = (id = ours) => ({ id: id.replace("/item/", "/activity/"), type: "Create", actor: here, object: id });

let count = 0;
const did = (type: string, object: unknown, more: object = {}) => ({
  id: `https://far.example/deeds/${++count}`,
  type,
  actor: ann,
  to: [everybody],
  object,
  ...more,
});
const note = (more: object = {}) => ({
  id: `https://far.example/notes/${++count}`,
  type: "Note",
  attributedTo: ann,
  to: [everybody],
  content: "<p>words</p>",
  ...more,
});
const create = (more: object) => did("Create", note(more));
const unknown = "https://far.example/unknown";
const like = { id: unknown, type: "Like", actor: ann, object: unknown };
const twice = <T>(value: T, times: number): T[] => Array.from({ length: times }, () => value);
const poll = (more: object) => create({ type: "Question", ...more });

const bad: Record<string, unknown> = {
  "a writer who is a number": create({ attributedTo: 7 }),
  "a writer who is a list of two others": create({ attributedTo: [amy, eve] }),
  "a writer who is an empty list": create({ attributedTo: [] }),
  "a writer who is an object without an id": create({ attributedTo: { type: "Person", name: "Ann" } }),
  "a post with two ids": create({ id: [`${unknown}/1`, `${unknown}/2`] }),
  "a post whose id is a number": create({ id: 7 }),
  "a post without an id": create({ id: undefined }),
  "a post under an id of this hub": create({ id: "https://hub.example/item/1" }),
  "a post under an id of this hub in large letters": create({ id: "HTTPS://HUB.EXAMPLE:443/item/1" }),
  "an id at another port": create({ id: "https://far.example:8443/notes/1" }),
  "no object": did("Create", undefined),
  "an object that is a number": did("Create", 7),
  "an object that is a list of lists": did("Create", [[[note()]]]),
  "a thousand objects": did("Like", twice(unknown, 1000)),
  "an Update of somebody else": did("Update", { id: amy, type: "Person", inbox: `${amy}/inbox` }),
  "an Update of a post of somebody else on that host": did("Update", note({ attributedTo: amy })),
  "an Update of the year 9999": did("Update", note({ updated: "9999-12-31T23:59:59Z" })),
  "a deletion of what nobody knows": did("Delete", unknown),
  "a deletion of somebody else": did("Delete", amy),
  "a deletion of a post of ours": () => did("Delete", ours),
  "a deletion of everybody": did("Delete", everybody),
  "an Undo of a like that never came": did("Undo", like),
  "an Undo of a follow that never came": did("Undo", { id: unknown, type: "Follow", actor: ann, object: here }),
  "an Undo of a block that never came": did("Undo", { id: unknown, type: "Block", actor: ann, object: here }),
  "an Undo of a share that never came": did("Undo", { ...like, type: "Announce" }),
  "an Undo of an Undo": did("Undo", did("Undo", like)),
  "an Undo by its id alone": did("Undo", unknown),
  "an Accept of a follow that was never sent": did("Accept", { id: unknown, type: "Follow", actor: here, object: ann }),
  "an Accept of nothing that is known": did("Accept", "https://hub.example/follow/1"),
  "a Reject of the same": did("Reject", "https://hub.example/follow/1"),
  "a follow of nobody": did("Follow", "https://hub.example/channel/nobody"),
  "a follow of oneself": did("Follow", ann),
  "a follow without an id": did("Follow", here, { id: undefined }),
  "a share of nothing that is there": did("Announce", unknown),
  "a share of itself": did("Announce", "https://far.example/deeds/self", { id: "https://far.example/deeds/self" }),
  "a share of a follow": did("Announce", did("Follow", here)),
  "a share of a list": did("Announce", { type: "Collection", id: unknown, items: [unknown] }),
  "an Add to what is nobody's": did("Add", unknown, { target: "https://far.example/nowhere" }),
  "an Add without a target": did("Add", unknown),
  "our own post, added to a thread of theirs": () => did("Add", saidHere(), { target: theirs }),
  "the same, for nobody": () => did("Add", saidHere(), { to: [], target: theirs }),
  "what nobody here has said, added": did("Add", saidHere("https://hub.example/item/nothing"), { target: theirs }),
  "what has no id, added": did("Add", { type: "Create", actor: here, object: unknown }, { target: theirs }),
  "an id of ours that is none, announced": did("Announce", saidHere("https://hub.example/item/#//")),
  "our own post, announced as what somebody did": () => did("Announce", saidHere()),
  "a Remove of what was never added": did("Remove", unknown, { target: `${ann}/featured` }),
  "a move to oneself": did("Move", ann, { target: ann }),
  "a move to nowhere": did("Move", ann),
  "a block of somebody of nowhere": did("Block", "https://other.example/users/x"),
  "a report on two thousand": did("Flag", [...twice(here, 1000), ...twice(unknown, 1000)], {
    content: "x".repeat(9999),
  }),
  "a report without an id": did("Flag", here, { id: undefined }),
  "a vote for no option": () => create({ inReplyTo: ours, name: "Leek", content: undefined }),
  "a poll with a thousand options": poll({ oneOf: twice({ type: "Note", name: "Leek" }, 1000) }),
  "a poll with odd counts": poll({
    anyOf: [
      { name: "Leek", replies: { totalItems: -1 } },
      { name: "Pea", replies: { totalItems: 1e300 } },
    ],
    votersCount: -7,
    endTime: "0001-01-01T00:00:00Z",
  }),
  "a poll that ends in the year 9999": poll({ oneOf: [{ name: "Leek" }], endTime: "9999-12-31T23:59:59Z" }),
  "a post of the year 1": create({ published: "0001-01-01T00:00:00Z", expires: "0001-01-01T00:00:00Z" }),
  "a post of the year 9999": create({ published: "9999-12-31T23:59:59Z", expires: "9999-12-31T23:59:59Z" }),
  "an event of the year 1": create({ type: "Event", name: "Once", startTime: "0001-01-01T00:00:00Z" }),
  "an event of the year 9999": create({
    type: "Event",
    startTime: "9999-12-31T23:59:59Z",
    endTime: "0001-01-01T00:00:00Z",
  }),
  "NUL and half characters": JSON.stringify(create({ name: "N", summary: "S" }))
    .replace('"N"', String.raw`"a\u0000b\ud800c"`)
    .replace('"S"', String.raw`"\udc00\u0000"`)
    .replace("words", String.raw`\u0000\ud800\u202e`),
  "marks that turn names around": create({ tag: [{ type: "Mention", href: here, name: "@\u202Eamla\u2066\u0000" }] }),
  "an answer to itself": create({ id: unknown, inReplyTo: unknown }),
  "an answer to a number and to a list": create({ inReplyTo: [7, unknown, here] }),
  "an answer to somebody": create({ inReplyTo: here }),
  "tags of all kinds": create({
    tag: [null, 7, "x", [[]], { type: "Mention" }, { type: "Emoji", name: ":a:", icon: 7 }],
  }),
  "addresses that are none": create({
    url: "javascript:alert(1)",
    attachment: [{ type: "Image", url: "data:text/html,x" }],
  }),
  "ten thousand tags": create({ tag: twice({ type: "Hashtag", name: "#a" }, 4000) }),
  "a place nowhere": create({ location: { type: "Place", latitude: "x", longitude: 1e300, name: { a: 1 } } }),
  "a policy that is a number": create({ interactionPolicy: 7, commentPolicy: {}, canReply: "x" }),
  "answers whose first page is the list": create({ replies: { id: unknown, type: "Collection", first: unknown } }),
  "text that never ends its tags": create({ content: "<b><i><blockquote>".repeat(20_000) }),
  "script in all its forms": create({
    content: `<script>x</script><img src=x onerror=x><svg onload=x><a href="java&#10;script:x">x</a><style>*{}</style>`,
    summary: "<script>x</script>",
  }),
  "a reaction of a hundred thousand letters": () => did("EmojiReact", ours, { content: "🎉".repeat(50_000) }),
  "a reaction of nothing": () => did("EmojiReact", ours, { content: "\u0000" }),
  "somebody who says to be something else": did("Update", { id: ann, type: ["Person", "Note", "Group"], inbox: 7 }),
  "contexts that turn everything around": create({
    "@context": { id: "@type", type: "@id", content: { "@id": "@id" } },
  }),
  "numbers beyond all measure": JSON.stringify(create({ duration: 5 })).replace(":5", ":1e999"),
};

const all = (): [name: string, value: unknown][] =>
  Object.entries(bad).map(([name, value]) => [name, typeof value === "function" ? value() : value]);

test("each of it leads nowhere, quietly, to whichever inbox it comes, and twice", async () => {
  for (const [name, value] of all())
    for (const to of ["/inbox", "/inbox/alma"]) expect([name, await posted(value, ann, to)]).toEqual([name, 202]);
  await world.work();
  for (const [name, value] of all()) expect([name, await posted(value)]).toEqual([name, 202]);
  await world.work();
  expect(await leftovers()).toEqual(nothing);
});

test("and so it does by somebody who is not its actor, of the same host or of another one", async () => {
  for (const [name, value] of all())
    for (const by of [amy, eve]) expect([name, await posted(value, by)]).toEqual([name, 202]);
  await world.work();
  expect(await leftovers()).toEqual(nothing);
});

const corpus = globSync(join(import.meta.dirname, "../translate/corpus/*.json")).flatMap(
  (file) => JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>[],
);

/** The document with Ann in the place of whoever speaks in it. */
function byAnn(document: Record<string, unknown>): Record<string, unknown> {
  const said = document["actor"] ?? document["attributedTo"];
  const text = JSON.stringify(document);
  return JSON.parse(typeof said === "string" ? text.replaceAll(said, ann) : text) as Record<string, unknown>;
}

/** Puts a value in the place of one of all those in a document. */
function change(document: object, at: number, value: unknown): void {
  const places: [Record<string, unknown>, string][] = [];
  const walk = (parent: object): void => {
    for (const [key, member] of Object.entries(parent)) {
      places.push([parent as Record<string, unknown>, key]);
      if (typeof member === "object" && member !== null) walk(member as object);
    }
  };
  walk(document);
  const [parent, key] = places[at % places.length]!;
  parent[key] = value;
}

test("documents of all servers in which anything is anything else", async () => {
  const odd = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom(null, [], {}, -1, 1e300, ann, amy, here, ours, everybody, "\u202E\uFFFD", "0001-01-01T00:00:00Z"),
  );
  const changes = fc.array(fc.tuple(fc.nat(), odd), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...corpus), changes, async (document, changes) => {
      const value = byAnn(document);
      const activity = value["actor"] === undefined ? did("Create", value) : value;
      activity["id"] = `https://far.example/deeds/${++count}`;
      for (const [at, one] of changes) change(activity, at, one);
      // One of those before may have said goodbye.
      await follows(await meet(ann));
      expect([202, 400]).toContain(await arrives(activity));
      expect(await leftovers()).toEqual(nothing);
    }),
    { numRuns: size(15, 1500) },
  );
});

test("whatever came, what one reads is there, and what could be read of it", async () => {
  const stored = await world.hub.db.selectFrom("message").select("id").execute();
  expect(stored.length).toBeGreaterThan(10);
  for (const path of ["/api/statuses/home_timeline", "/api/statuses/mentions", "/api/z/1.0/network/stream"])
    expect([path, (await alma.get(path, { count: 50 })).status]).toEqual([path, 200]);
});
