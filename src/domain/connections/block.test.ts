import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { addMembers, createGroup } from "../groups/groups.ts";
import { findChannelById } from "../identity/channels/channels.ts";
import { removeConnection } from "./connect.ts";
import { block, connect, findConnectionTo, listPeople, unblock, unfollow, updateConnection } from "./connections.ts";
import { addConnections } from "./restore.ts";
import { findRow } from "./rows.ts";

/** Blocks of people who are no connections, and ends of following, where no client looks. */

let world: TestApp;
let round = 0;
let ann: Person;
let bob: Person;

beforeAll(async () => {
  world = await openTestApp();
});
afterAll(() => world.close());

beforeEach(async () => {
  round += 1;
  [ann, bob] = [await world.person(`ann${round}`), await world.person(`bob${round}`)];
});

const blocked = (who: Person, other: Person) =>
  block(world.hub, who.channel, { xchan_hash: other.channel.channel_hash, xchan_network: "zot" });
const rowOf = (who: Person, other: Person) => findRow(world.hub, who.channel.channel_id, other.channel.channel_hash);
const befriend = async (): Promise<void> => {
  await connect(world.hub, ann.channel, { xchan_hash: bob.channel.channel_hash });
  await connect(world.hub, bob.channel, { xchan_hash: ann.channel.channel_hash });
};

test("the native interface shows the row, and ends the block with it", async () => {
  await blocked(ann, bob);
  const rows = (await ann.get("/api/z/1.0/abook")).json as Record<string, string>[];
  const row = rows.find((one) => one["abook_xchan"] === bob.channel.channel_hash)!;
  expect(row).toMatchObject({ abook_blocked: "1", abook_unconnected: "1", abook_pending: "0", abook_my_perms: "0" });
  const [changed] = (await ann.post("/api/z/1.0/abook", { abook_id: row["abook_id"], blocked: "0" })).json;
  expect(changed).toMatchObject({ abook_id: row["abook_id"], abook_blocked: "0" });
  expect(await rowOf(ann, bob)).toBeUndefined();
});

test("somebody blocked is nobody for an audience or a group", async () => {
  await blocked(ann, bob);
  const uid = ann.channel.channel_id;
  expect(await listPeople(world.hub, uid, { count: 9 })).toEqual({ people: [], more: false });
  const group = await createGroup(world.hub, uid, "Choir");
  expect(await addMembers(world.hub, uid, group.id, [bob.channel.channel_hash])).toEqual([bob.channel.channel_hash]);
});

test("blocking twice at the same moment is one block", async () => {
  await Promise.all([blocked(ann, bob), blocked(ann, bob), blocked(bob, ann)]);
  expect((await rowOf(ann, bob))!.abook_blocked).toBe(1);
  await Promise.all([
    unblock(world.hub, ann.channel, bob.channel.channel_hash),
    unblock(world.hub, ann.channel, bob.channel.channel_hash),
  ]);
  expect(await rowOf(ann, bob)).toBeUndefined();
});

test("an import brings the block back as one, and nothing is asked for", async () => {
  await blocked(ann, bob);
  const { abook_id: _, abook_account, abook_channel, follow_out, follow_in, ...row } = (await rowOf(ann, bob))!;
  await unblock(world.hub, ann.channel, bob.channel.channel_hash);
  await addConnections(world.hub, ann.channel, [{ row, abconfig: [] }]);
  expect(await rowOf(ann, bob)).toMatchObject({ abook_account, abook_channel, follow_out, follow_in, ...row });
});

test("a connection keeps its settings through a block", async () => {
  await befriend();
  const { abook_id } = (await rowOf(ann, bob))!;
  await updateConnection(world.hub, ann.channel, abook_id, { closeness: 7, hidden: true });
  await blocked(ann, bob);
  await unblock(world.hub, ann.channel, bob.channel.channel_hash);
  expect(await rowOf(ann, bob)).toMatchObject({ abook_id, abook_closeness: 7, abook_hidden: 1, abook_blocked: 0 });
});

test("whoever stops reading a reader keeps grants and groups of that reader", async () => {
  await befriend();
  const group = await createGroup(world.hub, ann.channel.channel_id, "Choir");
  await addMembers(world.hub, ann.channel.channel_id, group.id, [bob.channel.channel_hash]);
  const before = await findConnectionTo(world.hub, ann.channel.channel_id, bob.channel.channel_hash);
  await unfollow(world.hub, ann.channel, bob.channel.channel_hash);
  const after = await findConnectionTo(world.hub, ann.channel.channel_id, bob.channel.channel_hash);
  expect(after).toMatchObject({ abook_my_perms: before!.abook_my_perms, follow_out: "none", follow_in: "accepted" });
  expect(await addMembers(world.hub, ann.channel.channel_id, group.id, [bob.channel.channel_hash])).toEqual([]);
  const counts = async (who: Person) => {
    const { friends_count, followers_count } = (await findChannelById(world.hub, who.channel.channel_id))!;
    return [friends_count, followers_count];
  };
  expect([await counts(ann), await counts(bob)]).toEqual([
    [0, 1],
    [1, 0],
  ]);
});

test("a reader who leaves takes the row with them, unless the owner has blocked or ignores them", async () => {
  for (const remark of [{}, { ignored: true }]) {
    await befriend();
    await unfollow(world.hub, ann.channel, bob.channel.channel_hash);
    const { abook_id } = (await rowOf(ann, bob))!;
    await updateConnection(world.hub, ann.channel, abook_id, remark);
    await removeConnection(world.hub, bob.channel, (await rowOf(bob, ann))!.abook_id);
    const left = await rowOf(ann, bob);
    if ("ignored" in remark) expect(left).toMatchObject({ abook_ignored: 1, follow_in: "none", follow_out: "none" });
    else expect(left).toBeUndefined();
  }
});

test("two who stop reading each other at the same moment are no connections any more", async () => {
  await befriend();
  await Promise.all([
    unfollow(world.hub, ann.channel, bob.channel.channel_hash),
    unfollow(world.hub, bob.channel, ann.channel.channel_hash),
  ]);
  expect([await rowOf(ann, bob), await rowOf(bob, ann)]).toEqual([undefined, undefined]);
});
