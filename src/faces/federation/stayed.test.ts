import { afterAll, beforeAll, expect, test } from "vitest";
import { clientOf } from "../../../test/support/client.ts";
import type { Client } from "../../../test/support/client.ts";
import { makeAccount, password } from "../../../test/support/hub.ts";
import { inhabitant, openHubs } from "../../../test/support/hubs.ts";
import type { Inhabitant, Neighbour, TestHubs } from "../../../test/support/hubs.ts";
import { befriend } from "../../../test/support/people.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import type { Visitor } from "../../../test/support/visitor.ts";
import { block, findConnectionTo } from "../../domain/connections/connections.ts";
import { addMembers, createGroup } from "../../domain/groups/groups.ts";
import { importNow } from "../../domain/import/start.ts";
import { createRoom } from "../../domain/messages/room-change.ts";

/** A channel is fetched by another hub: those whom it knows at the old one are reached from the new one (federation contract 11, decision 152). */

let world: TestHubs;
let [there, here]: Neighbour[] = [];
let alma: Inhabitant;
let ben: Inhabitant;
let carl: Inhabitant;
let rude: Inhabitant;
let account: number;
let uid: number;
let moved: Client;
let visitor: Visitor;
let group: { id: number; hash: string };

beforeAll(async () => {
  world = await openHubs(2);
  [there, here] = world.hubs;
  [alma, ben] = [await inhabitant(there!, "alma"), await inhabitant(there!, "ben")];
  [carl, rude] = [await inhabitant(there!, "carl"), await inhabitant(there!, "rude")];
  for (const { channel } of [ben, carl, rude]) await befriend(there!.hub, alma.channel, channel);
  group = await createGroup(there!.hub, alma.channel.channel_id, "Choir");
  const members = [ben, carl].map(({ channel }) => channel.channel_hash);
  await addMembers(there!.hub, alma.channel.channel_id, group.id, members);
  await block(there!.hub, alma.channel, { xchan_hash: rude.channel.channel_hash, xchan_network: "zot" });
  await alma.post("/api/z/1.0/item/update", { body: "For Ben alone", contact_allow: [ben.channel.channel_hash] });
  const audience = { allow_cid: [ben.channel.channel_hash], allow_gid: [], deny_cid: [], deny_gid: [] };
  await createRoom(there!.hub, alma.channel, { name: "Rehearsal", minutes: 0, audience });
});
afterAll(() => world.close());

const move = () =>
  importNow(
    here!.hub,
    account,
    { url: there!.url, login: "alma", password },
    { mode: "moving", nick: "", posts: true },
    () => undefined,
  );

const connectionWith = (hash: string) => findConnectionTo(here!.hub, uid, hash);

/** What the audience of a new post says. */
const audience = async () => (await visitor.get("/network")).text;

/** How many members the page of the group marks. */
async function unreachedInChoir(): Promise<number> {
  const [, path = ""] =
    /href="(\/group\/\d+)"[^>]*>(?:(?!<a\b)[^])*?Choir/.exec((await visitor.get("/group")).text) ?? [];
  return (await visitor.get(path)).text.split("Posts do not reach them from here").length - 1;
}

test("they are looked up there, and what says whom nothing reaches says so until then", async () => {
  // Carl's hub says that nobody of this name is there.
  await there!.hub.db
    .updateTable("channel")
    .set({ channel_removed: 1 })
    .where("channel_id", "=", carl.channel.channel_id)
    .execute();
  account = (await makeAccount(here!.hub, "alma@example.org")).account_id;
  const run = await move();
  uid = run.channelId;
  expect(run.report.sections["abook"]?.remarks).toMatchObject({
    "who lives at your former hub is looked up there, to be reached from here": { count: 3 },
  });
  moved = clientOf(here!.app, `alma:${password}`);
  visitor = visitorOf(here!.app);
  await visitor.logIn("alma", password);
  expect(await audience()).toContain("2 of 2 people not reached from here");
  const { abook_id } = (await connectionWith(ben.channel.channel_hash))!;
  const connection = (await visitor.get(`/connedit/${abook_id}`)).text;
  expect(connection).toContain("Posts do not reach them");
  expect(connection).not.toContain("Stop reading");
  expect(await unreachedInChoir()).toBe(2);
  await world.settle();
  expect(await audience()).toContain("1 of 2 people not reached from here");
  expect(await unreachedInChoir()).toBe(1);
});

test("whoever is found is the connection, in groups and lists, and gets what is for them", async () => {
  expect(await connectionWith(ben.channel.channel_hash)).toBeUndefined();
  expect(await connectionWith(ben.id)).toMatchObject({ follow_out: "accepted", follow_in: "accepted" });
  const { json: members } = await moved.get("/api/z/1.0/group_members", { group_name: "Choir" });
  const hashes = (members as { xchan: string }[]).map(({ xchan }) => xchan);
  expect(hashes.toSorted()).toEqual([ben.id, carl.channel.channel_hash].toSorted());
  await moved.post("/api/z/1.0/item/update", { body: "For the choir", group_allow: [group.hash] });
  await world.settle();
  expect((await ben.get("/api/statuses/home_timeline.json")).text).toContain("For the choir");
  const rows = await here!.hub.db.selectFrom("item").select("allow_cid").where("uid", "=", uid).execute();
  expect(rows.some(({ allow_cid }) => allow_cid.includes(`<${ben.id}>`))).toBe(true);
});

test("whoever is not found stays as they were, and the list says why", async () => {
  expect(await connectionWith(carl.channel.channel_hash)).toBeDefined();
  const lists = (await visitor.get("/settings/import-lists")).text;
  const [, path = ""] = /href="(\/settings\/import-lists\/\d+)">People of your former hub/.exec(lists) ?? [];
  expect((await visitor.get(path)).text).toMatch(/2 have been found[^]*1 could not be done[^]*carl@/);
});

test("whoever was blocked is blocked as the one who is found", async () => {
  expect(await connectionWith(rude.id)).toMatchObject({ abook_blocked: 1 });
});

test("another import of the same finds everybody there, and asks nobody", async () => {
  const rows = () => here!.hub.db.selectFrom("abook").selectAll().orderBy("abook_id").execute();
  const lists = () => here!.hub.db.selectFrom("list_import").select("id").execute();
  const members = () => here!.hub.db.selectFrom("pgrp_member").selectAll().execute();
  const rooms = () => here!.hub.db.selectFrom("chatroom").selectAll().execute();
  expect((await rooms())[0]!.allow_cid).toContain(`<${ben.id}>`);
  const before = [await rows(), await lists(), await members(), await rooms()];
  const { report } = await move();
  const counted = Object.entries(report.sections).filter(([, { found, there }]) => found !== there);
  expect(counted).toEqual([]);
  await world.settle();
  expect([await rows(), await lists(), await members(), await rooms()]).toEqual(before);
});
