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
import type { Client } from "./support/client.ts";
import { comparable, doors, listsOf, native, pages } from "./support/doors.ts";
import type { Names } from "./support/doors.ts";

/**
 * Every door, tried by everybody: what a caller may not see answers exactly like what does not exist.
 * A new door gets a row in `support/doors.ts`.
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

const lists = listsOf(() => alice.channel.channel_hash);

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
