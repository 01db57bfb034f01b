import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect, updateConnection } from "../src/domain/connections/connections.ts";
import { addMembers, findGroup } from "../src/domain/groups/groups.ts";
import type { Channel } from "../src/domain/identity/channels/channel.ts";
import { findOwnItem } from "../src/domain/items/find.ts";
import { postItem } from "../src/domain/items/posting/post.ts";
import { react } from "../src/domain/items/posting/react.ts";
import type { Item } from "../src/domain/items/types.ts";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import type { Answer, Client } from "./support/client.ts";

/**
 * Every door, tried by everybody: what a caller may not see answers exactly like what does not exist.
 * A new door gets a row in `doors` or `lists`.
 */

const secret = "marmalade recipe of the group";
const reply = "answer inside the group";

let world: TestApp;
let alice: Person;
let bob: Person;
let carol: Person;
let dora: Person;
let post: Item;
let comment: Item;
const never = 987_654_321;
const neverUuid = "00000000-0000-4000-8000-000000000000";

beforeAll(async () => {
  world = await openTestApp();
  alice = await world.person("alice");
  bob = await world.person("bob");
  carol = await world.person("carol");
  dora = await world.person("dora");
  for (const other of [bob, carol, dora]) await befriend(alice.channel, other.channel);
  const friends = await findGroup(world.hub, alice.channel.channel_id, { name: "Friends" });
  await world.hub.db.deleteFrom("pgrp_member").where("gid", "=", friends!.id).execute();
  await addMembers(world.hub, alice.channel.channel_id, friends!.id, [bob.channel.channel_hash]);
  post = await postItem(world.hub, alice.channel, {
    body: `${secret} #preserves`,
    title: "Between us",
    audience: { allow_cid: [], allow_gid: [friends!.hash], deny_cid: [], deny_gid: [] },
    categories: ["kitchen"],
  });
  await world.work();
  comment = await postItem(world.hub, bob.channel, { body: reply, parent: { mid: post.mid } });
  await react(world.hub, bob.channel, { mid: post.mid }, "like", "stays");
  await world.work();
  const blocked = await connectionOf(alice.channel, dora.channel);
  await updateConnection(world.hub, alice.channel, blocked, { blocked: true });
});
afterAll(() => world.close());

async function befriend(one: Channel, other: Channel): Promise<void> {
  await connect(world.hub, one, { xchan_hash: other.channel_hash });
  await connect(world.hub, other, { xchan_hash: one.channel_hash });
}

async function connectionOf(owner: Channel, other: Channel): Promise<number> {
  const rows = await world.hub.db
    .selectFrom("abook")
    .select("abook_id")
    .where("abook_channel", "=", owner.channel_id)
    .where("abook_xchan", "=", other.channel_hash)
    .execute();
  return rows[0]!.abook_id;
}

/** What names the private post, and the same names of something that was never there. */
type Names = { id: number; mid: string; uuid: string };

type Door = [name: string, open: (client: Client, names: Names) => Promise<Answer>];

const native = "/api/z/1.0";
const doors: Door[] = [
  ["native item/full by id", (client, { id }) => client.get(`${native}/item/full`, { item_id: id })],
  ["native item/full by mid", (client, { mid }) => client.get(`${native}/item/full`, { mid })],
  [
    "native item/update as a comment by id",
    (client, { id }) => client.post(`${native}/item/update`, { body: "x", parent: id }),
  ],
  [
    "native item/update as a comment by mid",
    (client, { mid }) => client.post(`${native}/item/update`, { body: "x", parent_mid: mid }),
  ],
  [
    "native item/update as an edit",
    (client, { id }) => client.post(`${native}/item/update`, { body: "x", post_id: id }),
  ],
  [
    "native item/update as a reaction",
    (client, { mid }) => client.post(`${native}/item/update`, { body: "x", verb: "like", parent_mid: mid }),
  ],
  ["native network/stream by mid", (client, { mid }) => client.get(`${native}/network/stream`, { mid })],
  ["native network/stream by id", (client, { id }) => client.get(`${native}/network/stream`, { item_id: id })],
  ["statuses/show", (client, { id }) => client.get("/api/statuses/show", { id })],
  ["statuses/show by path", (client, { id }) => client.get(`/api/statuses/show/${id}.json`)],
  [
    "statuses/show with its conversation",
    (client, { id }) => client.get("/api/statuses/show", { id, conversation: "true" }),
  ],
  ["statuses/destroy", (client, { id }) => client.post("/api/statuses/destroy", { id })],
  [
    "statuses/update as an answer",
    (client, { id }) => client.post("/api/statuses/update", { status: "x", in_reply_to_status_id: id }),
  ],
  [
    "statuses/update as an answer by mid",
    (client, { mid }) => client.post("/api/statuses/update", { status: "x", in_reply_to_status_id: mid }),
  ],
  ["conversation/show", (client, { id }) => client.get("/api/conversation/show", { id })],
  ["statusnet/conversation", (client, { id }) => client.get("/api/statusnet/conversation", { id })],
  ["favorites/create", (client, { id }) => client.post("/api/favorites/create", { id })],
  ["favorites/destroy", (client, { id }) => client.post("/api/favorites/destroy", { id })],
  ["svc/activity/like", (client, { id }) => client.post("/api/svc/activity/like", { id })],
  ["svc/activity/unlike", (client, { id }) => client.post("/api/svc/activity/unlike", { id })],
];

const asDocument = { headers: { accept: "application/activity+json" } };

/** Pages are the same for everybody who is not logged in, so they are tried by the anonymous caller alone. */
const pages: Door[] = [
  ["the page of the thread", (client, { uuid }) => client.get(`/display/${uuid}`)],
  ["the item's permanent address", (client, { uuid }) => client.get(`/item/${uuid}`)],
  ["the item as a document", (client, { uuid }) => client.get(`/item/${uuid}`, {}, asDocument)],
  ["the activity of the item", (client, { uuid }) => client.get(`/activity/${uuid}`)],
  ["the answers to the item", (client, { uuid }) => client.get(`/item/${uuid}/replies`)],
  ["the likes of the item", (client, { uuid }) => client.get(`/item/${uuid}/likes`)],
  ["the shares of the item", (client, { uuid }) => client.get(`/item/${uuid}/shares`)],
  ["the conversation of the item", (client, { uuid }) => client.get(`/conversation/${uuid}`)],
  ["the thread on the channel page", (client, { mid }) => client.get("/channel/alice", { mid })],
];

/** Lists that must not hold the text, and must not change because of it. */
const lists: Door[] = [
  ["native network/stream", (client) => client.get(`${native}/network/stream`)],
  ["native network/stream, single items", (client) => client.get(`${native}/network/stream`, { nouveau: 1 })],
  ["native network/stream, searched", (client) => client.get(`${native}/network/stream`, { search: "marmalade" })],
  ["native network/stream by tag", (client) => client.get(`${native}/network/stream`, { tag: "preserves" })],
  ["native network/stream by category", (client) => client.get(`${native}/network/stream`, { cat: "kitchen" })],
  [
    "native network/stream by author",
    (client) => client.get(`${native}/network/stream`, { xchan: alice.channel.channel_hash }),
  ],
  ["native channel/stream", (client) => client.get(`${native}/channel/stream`)],
  ["home_timeline", (client) => client.get("/api/statuses/home_timeline")],
  ["public_timeline", (client) => client.get("/api/statuses/public_timeline")],
  ["user_timeline of the author", (client) => client.get("/api/statuses/user_timeline", { screen_name: "alice" })],
  ["user_timeline of the commenter", (client) => client.get("/api/statuses/user_timeline", { screen_name: "bob" })],
  ["mentions", (client) => client.get("/api/statuses/mentions")],
  ["favorites", (client) => client.get("/api/favorites")],
  ["users/show", (client) => client.get("/api/users/show", { screen_name: "alice" })],
  ["users/show of the commenter", (client) => client.get("/api/users/show", { screen_name: "bob" })],
  ["the channel page", (client) => client.get("/channel/alice")],
  ["the channel page by tag", (client) => client.get("/channel/alice", { tag: "preserves" })],
  ["the channel page by category", (client) => client.get("/channel/alice", { cat: "kitchen" })],
  ["the page of a tag", (client) => client.get("/search", { tag: "preserves" })],
  ["the front page", (client) => client.get("/")],
  ["the actor", (client) => client.get("/channel/alice", {}, asDocument)],
  ["the outbox of the author", (client) => client.get("/outbox/alice", { page: "first" })],
  ["the outbox of the commenter", (client) => client.get("/outbox/bob", { page: "first" })],
];

/** Request ids differ from call to call, and an answer may name what it was asked for. */
function comparable(answer: Answer, names: Names): { status: number; text: string } {
  const text = answer.text
    .replaceAll(names.mid, "<mid>")
    .replaceAll(names.uuid, "<uuid>")
    .replaceAll(`/${names.id}.json`, "/<id>.json");
  return { status: answer.status, text: text.replaceAll(/[0-9a-f-]{36}/g, "<request>") };
}

function namesOf(item: Item): Names {
  return { id: item.id, mid: item.mid, uuid: item.uuid };
}

const nothing = (): Names => ({ id: never, mid: `${world.hub.config.baseUrl}/item/${neverUuid}`, uuid: neverUuid });

const strangers: [string, () => Client][] = [
  ["a connection outside the group", () => carol],
  ["somebody blocked", () => dora],
];

describe.each(strangers)("%s", (_, client) => {
  test.each(doors)("finds nothing at %s", async (_name, open) => {
    const expected = comparable(await open(client(), nothing()), nothing());
    for (const item of [post, comment]) {
      const answer = await open(client(), namesOf(item));
      expect(comparable(answer, namesOf(item))).toEqual(expected);
      expect(answer.text).not.toContain(secret);
    }
  });

  test.each(lists)("sees nothing of it in %s", async (_name, open) => {
    const answer = await open(client(), namesOf(post));
    expect(answer.status).toBeLessThan(400);
    for (const word of [secret, reply, post.uuid, comment.uuid]) expect(answer.text).not.toContain(word);
  });

  test("learned nothing by copies, notices or counts", async () => {
    const uid = client() === carol ? carol.channel.channel_id : dora.channel.channel_id;
    expect(await findOwnItem(world.hub, uid, { mid: post.mid })).toBeUndefined();
    expect(await findOwnItem(world.hub, uid, { mid: comment.mid })).toBeUndefined();
    const notices = await world.hub.db
      .selectFrom("notify")
      .select("id")
      .where("uid", "=", uid)
      .where("item_id", ">", 0)
      .execute();
    expect(notices).toEqual([]);
  });
});

describe("nobody", () => {
  test.each(doors)("is asked to log in at %s, whether it exists or not", async (_name, open) => {
    const expected = comparable(await open(world.anonymous, nothing()), nothing());
    expect(expected.status).toBe(401);
    expect(comparable(await open(world.anonymous, namesOf(post)), namesOf(post))).toEqual(expected);
  });

  test.each(pages)("finds nothing at %s", async (_name, open) => {
    const expected = comparable(await open(world.anonymous, nothing()), nothing());
    for (const item of [post, comment]) {
      expect(comparable(await open(world.anonymous, namesOf(item)), namesOf(item))).toEqual(expected);
    }
  });

  test.each(lists)("sees nothing of it in %s", async (_name, open) => {
    const answer = await open(world.anonymous, namesOf(post));
    for (const word of [secret, reply, post.uuid, comment.uuid]) expect(answer.text).not.toContain(word);
  });
});

describe("the member of the group", () => {
  test.each([
    ["native network/stream", () => bob.get(`${native}/network/stream`)],
    ["native item/full", () => bob.get(`${native}/item/full`, { mid: post.mid })],
    ["statuses/show", () => bob.get("/api/statuses/show", { id: post.id })],
    ["home_timeline", () => bob.get("/api/statuses/home_timeline")],
    ["user_timeline", () => bob.get("/api/statuses/user_timeline", { screen_name: "alice" })],
  ])("reads it in %s", async (_name, open) => {
    const answer = await open();
    expect(answer.status).toBe(200);
    expect(answer.text).toContain(secret);
  });
});

test("statuses_count does not count what is private", async () => {
  const answer = await carol.get("/api/users/show", { screen_name: "alice" });
  expect(answer.json.statuses_count).toBe(0);
});
