import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeChannel, openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { addXchan } from "../identity/xchans/add-xchan.ts";
import { setConfig } from "../identity/channels/channel-config.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { inTransaction } from "../../hub.ts";
import { lockChannels } from "../identity/channels/lock-channels.ts";
import { findChannelById, setRole } from "../identity/channels/channels.ts";
import { observerOf } from "../identity/channels/observer.ts";
import { setPermissionLimits } from "../identity/channels/permission-limits.ts";
import { may } from "../permissions/may.ts";
import { removeChannel } from "./remove-channel.ts";
import { grantsOf, limits, permissionBits } from "../identity/channels/roles.ts";
import type { RoleName } from "../identity/channels/roles.ts";
import { findXchan } from "../identity/xchans/xchans.ts";
import { listNotices } from "../notifications/notices.ts";
import { noticeWords } from "../portable/notice-sentence.ts";
import {
  approve,
  connect,
  findConnectionTo,
  grantsFor,
  listAbconfig,
  listConnections,
  mute,
  permissionBitsOf,
  refuse,
  removeConnection,
  setAbconfig,
  setGrant,
  unmute,
  updateConnection,
} from "./connections.ts";
import type { Connection } from "./connections.ts";

const social = 218555;

let hub: TestHub;
let alice: Channel;
let bob: Channel;
let round = 0;
beforeAll(async () => {
  hub = await openTestHub();
});
afterAll(() => hub.close());
beforeEach(async () => {
  round += 1;
  [alice, bob] = await pair("social");
});

async function pair(role: RoleName): Promise<[Channel, Channel]> {
  return [
    await makeChannel(hub, `alice-${round}-${role}`, { name: "Alice" }),
    await makeChannel(hub, `bob-${round}-${role}`, { name: "Bob", role }),
  ];
}

const ask = (from: Channel, to: Channel) => connect(hub, from, { xchan_hash: to.channel_hash });
const row = (of: Channel, about: Channel) => findConnectionTo(hub, of.channel_id, about.channel_hash);

async function existing(of: Channel, about: Channel): Promise<Connection> {
  const found = await row(of, about);
  if (!found) throw new Error("There is no connection");
  return found;
}

async function befriend(one: Channel, other: Channel): Promise<void> {
  await ask(one, other);
  await approve(hub, other, (await existing(other, one)).abook_id);
}

async function counts(of: Channel): Promise<[number, number]> {
  const channel = (await findChannelById(hub, of.channel_id))!;
  return [channel.friends_count, channel.followers_count];
}

async function noticesOf(channel: Channel): Promise<[number, string, string][]> {
  const notices = await listNotices(hub, channel.channel_id);
  return notices.map((notice) => {
    const { ntype, xname, link } = noticeWords(hub.config.baseUrl, notice);
    return [ntype, xname, link.replace(/\d+$/, "N")];
  });
}

async function friendsOf(channel: Channel): Promise<string[]> {
  const rows = await hub.db
    .selectFrom("pgrp_member")
    .select("xchan")
    .where("uid", "=", channel.channel_id)
    .orderBy("id")
    .execute();
  return rows.map((member) => member.xchan);
}

/** Does somebody see what is for the connections of the owner? */
async function isLetIn(owner: Channel, viewer: Channel): Promise<boolean> {
  await setPermissionLimits(hub, owner.channel_id, { view_stream: limits.contacts });
  return may(hub, observerOf(viewer), "view_stream", owner.channel_id);
}

const askedLink = "http://hub.example/connections/ifpending";
const connectedLink = "http://hub.example/connedit/N";

describe("asking", () => {
  test("makes a connection here and a request there", async () => {
    const made = await ask(alice, bob);
    expect(made).toMatchObject({
      abook_channel: alice.channel_id,
      abook_account: alice.channel_account_id,
      abook_pending: 0,
      abook_self: 0,
      abook_closeness: 80,
      follow_out: "requested",
      follow_in: "none",
      abook_my_perms: social,
      abook_their_perms: 0,
      xchan_name: "Bob",
    });
    expect(made.abook_profile).toMatch(/^[0-9a-f]{64}$/);
    expect(await friendsOf(alice)).toEqual([alice.channel_hash, bob.channel_hash]);
    expect(await row(bob, alice)).toMatchObject({
      abook_pending: 1,
      follow_out: "none",
      follow_in: "pending",
      abook_my_perms: 0,
      abook_their_perms: 0,
    });
    expect(await friendsOf(bob)).toEqual([bob.channel_hash]);
    expect(await noticesOf(bob)).toEqual([[1, "Alice", askedLink]]);
    expect(await counts(alice)).toEqual([0, 0]);
    expect(await counts(bob)).toEqual([0, 0]);
  });

  test("is harmless when repeated, before and after the approval", async () => {
    const first = await ask(alice, bob);
    expect((await ask(alice, bob)).abook_id).toBe(first.abook_id);
    expect(await noticesOf(bob)).toHaveLength(1);
    await approve(hub, bob, (await existing(bob, alice)).abook_id);
    expect(await ask(alice, bob)).toMatchObject({ follow_out: "accepted", follow_in: "accepted" });
    expect(await ask(bob, alice)).toMatchObject({ follow_out: "accepted" });
    expect(await noticesOf(bob)).toHaveLength(1);
    expect(await noticesOf(alice)).toHaveLength(1);
  });

  test("nobody is told of a request that waits no more", async () => {
    const waiting = async () =>
      (await listNotices(hub, bob.channel_id)).filter(({ kind, seen }) => kind === "request" && seen === 0).length;
    await ask(alice, bob);
    expect(await waiting()).toBe(1);
    await ask(bob, alice);
    expect(await waiting()).toBe(0);
    const carol = await makeChannel(hub, `carol-${round}`);
    await ask(carol, bob);
    expect(await waiting()).toBe(1);
    await refuse(hub, bob, (await existing(bob, carol)).abook_id);
    expect(await waiting()).toBe(0);
    const dave = await makeChannel(hub, `dave-${round}`);
    await removeConnection(hub, dave, (await ask(dave, bob)).abook_id);
    expect(await waiting()).toBe(0);
  });

  test("uses the closeness that the channel wants for new connections", async () => {
    await setConfig(hub, alice.channel_id, "system", "new_abook_closeness", "33");
    expect(await ask(alice, bob)).toMatchObject({ abook_closeness: 33 });
  });

  test("keeps what is chosen of somebody's posts along with the connection, or neither", async () => {
    const hash = { xchan_hash: bob.channel_hash };
    const tooLong = connect(hub, alice, hash, { shares: false, languages: ["x".repeat(70_000)] });
    await expect(tooLong).rejects.toMatchObject({ code: "value_too_long" });
    expect(await row(alice, bob)).toBeUndefined();
    const { abook_id: abookId } = await connect(hub, alice, hash, { shares: false, languages: ["de"] });
    await connect(hub, alice, hash, { tells: true });
    const kept = await listAbconfig(hub, alice.channel_id, { abookId, cat: "mastodon" });
    expect(kept.map(({ k, v }) => `${k} ${v}`)).toEqual(["reblogs 0", "languages de", "notify 1"]);
  });

  test("oneself, somebody unknown or somebody gone is an error", async () => {
    await expect(ask(alice, alice)).rejects.toMatchObject({ kind: "invalid" });
    await expect(connect(hub, alice, { xchan_hash: "nobody" })).rejects.toMatchObject({ kind: "missing" });
    await removeChannel(hub, bob.channel_id);
    await expect(ask(alice, bob)).rejects.toMatchObject({ kind: "invalid" });
    expect(await row(alice, bob)).toBeUndefined();
  });

  test("somebody of another network stays a request", async () => {
    const far = await addXchan(hub, { hash: `far-${round}`, network: "gnusoc" });
    expect(await connect(hub, alice, far)).toMatchObject({
      follow_out: "requested",
      abook_pending: 0,
      abook_my_perms: social,
    });
  });

  test.each(["rss", "unknown"])("nobody of a network that knows no requests: %s", async (network) => {
    const feed = await addXchan(hub, { hash: `${network}-${round}`, network });
    await expect(connect(hub, alice, feed)).rejects.toMatchObject({ kind: "unsupported" });
  });

  test.each(["blocked", "ignored"] as const)("somebody who has me %s is recorded here only", async (flag) => {
    await befriend(bob, alice);
    await updateConnection(hub, bob, (await existing(bob, alice)).abook_id, { [flag]: true });
    await removeConnection(hub, alice, (await existing(alice, bob)).abook_id);
    const before = await row(bob, alice);
    const notices = await noticesOf(bob);
    expect(await ask(alice, bob)).toMatchObject({ follow_out: "requested", abook_their_perms: 0 });
    expect(await row(bob, alice)).toEqual(before);
    expect(await noticesOf(bob)).toEqual(notices);
  });
});

describe("approving", () => {
  test("connects both sides and tells the one who asked", async () => {
    await ask(alice, bob);
    const { abook_id } = await existing(bob, alice);
    expect(await approve(hub, bob, abook_id)).toMatchObject({
      abook_pending: 0,
      follow_out: "accepted",
      follow_in: "accepted",
      abook_my_perms: social,
      abook_their_perms: social,
    });
    expect(await row(alice, bob)).toMatchObject({
      follow_out: "accepted",
      follow_in: "accepted",
      abook_their_perms: social,
    });
    expect(await friendsOf(bob)).toEqual([bob.channel_hash, alice.channel_hash]);
    expect(await noticesOf(alice)).toEqual([[2, "Bob", connectedLink]]);
    expect([await counts(alice), await counts(bob)]).toEqual([
      [1, 1],
      [1, 1],
    ]);
    await approve(hub, bob, abook_id);
    expect(await noticesOf(alice)).toHaveLength(1);
  });

  test("is what asking back does", async () => {
    await ask(alice, bob);
    expect(await ask(bob, alice)).toMatchObject({ abook_pending: 0, follow_out: "accepted", follow_in: "accepted" });
    expect(await noticesOf(alice)).toEqual([[2, "Bob", connectedLink]]);
    expect(await counts(bob)).toEqual([1, 1]);
  });

  test("happens by itself for a role that approves everybody", async () => {
    const [fan, star] = await pair("soapbox");
    expect(await ask(fan, star)).toMatchObject({
      follow_out: "accepted",
      abook_their_perms: 217099,
      abook_my_perms: social,
    });
    expect(await row(star, fan)).toMatchObject({ abook_pending: 0, abook_my_perms: 217099, abook_their_perms: social });
    expect(await noticesOf(star)).toEqual([[1, "Alice", connectedLink]]);
    expect(await noticesOf(fan)).toEqual([[2, "Bob", connectedLink]]);
    expect(await counts(star)).toEqual([1, 1]);
  });

  test("is the business of the owner alone", async () => {
    await ask(alice, bob);
    await expect(approve(hub, alice, (await existing(bob, alice)).abook_id)).rejects.toMatchObject({ kind: "missing" });
  });

  test("two who ask each other at the same moment are connected", async () => {
    await Promise.all([ask(alice, bob), ask(bob, alice)]);
    expect(await row(alice, bob)).toMatchObject({ abook_pending: 0, follow_out: "accepted" });
    expect(await row(bob, alice)).toMatchObject({ abook_pending: 0, follow_out: "accepted" });
  });
});

/** What others do who ask while these channels are somebody's. */
async function meanwhile(
  channels: Channel[],
  work: () => Promise<unknown>[],
): Promise<PromiseSettledResult<unknown>[]> {
  const begun = await inTransaction(hub, async (hub) => {
    const [first, ...others] = channels.map((channel) => channel.channel_id);
    await lockChannels(hub, [first!]);
    const working = Promise.allSettled(work());
    await sleep(100);
    await lockChannels(hub, others);
    // Not awaited in here: it ends after the transaction.
    return { working };
  });
  return begun.working;
}

describe("at the same moment", () => {
  test("a request is refused or approved, never half of each", async () => {
    await ask(alice, bob);
    const { abook_id: id } = await existing(bob, alice);
    const outcomes = await meanwhile([alice, bob], () => [refuse(hub, bob, id), approve(hub, bob, id)]);
    expect(outcomes.filter((one) => one.status === "fulfilled")).toHaveLength(1);
    const [refused] = outcomes;
    expect(await row(bob, alice)).toEqual(refused!.status === "fulfilled" ? undefined : expect.anything());
    const follow_out = refused!.status === "fulfilled" ? "rejected" : "accepted";
    expect(await row(alice, bob)).toMatchObject({ follow_out });
  });

  test("a channel is removed while somebody changes a connection with it", async () => {
    await befriend(alice, bob);
    const outcomes = await meanwhile([alice, bob], () => [removeChannel(hub, bob.channel_id)]);
    expect(outcomes).toMatchObject([{ status: "fulfilled" }]);
    expect(await counts(alice)).toEqual([0, 0]);
  });
});

describe("ending", () => {
  test("a refused request leaves nothing, and the other side learns it", async () => {
    await ask(alice, bob);
    await refuse(hub, bob, (await existing(bob, alice)).abook_id);
    expect(await row(bob, alice)).toBeUndefined();
    expect(await row(alice, bob)).toMatchObject({
      abook_pending: 0,
      follow_out: "rejected",
      follow_in: "none",
      abook_their_perms: 0,
    });
    await ask(alice, bob);
    expect(await row(bob, alice)).toMatchObject({ abook_pending: 1 });
    await expect(refuse(hub, alice, (await existing(alice, bob)).abook_id)).rejects.toMatchObject({ kind: "invalid" });
  });

  test("a removed connection is over on both sides", async () => {
    await befriend(alice, bob);
    await removeConnection(hub, alice, (await existing(alice, bob)).abook_id);
    expect(await row(alice, bob)).toBeUndefined();
    expect(await friendsOf(alice)).toEqual([alice.channel_hash]);
    expect((await listAbconfig(hub, alice.channel_id)).filter((entry) => entry.xchan === bob.channel_hash)).toEqual([]);
    expect(await row(bob, alice)).toBeUndefined();
    expect(await friendsOf(bob)).toEqual([bob.channel_hash]);
    expect([await isLetIn(bob, alice), await isLetIn(alice, bob)]).toEqual([false, false]);
    expect([await counts(alice), await counts(bob)]).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect(await ask(alice, bob)).toMatchObject({ follow_out: "requested" });
    expect(await row(bob, alice)).toMatchObject({ abook_pending: 1 });
  });

  test("whom the other side has muted or blocked stays so, and is no connection", async () => {
    await befriend(alice, bob);
    expect(await isLetIn(bob, alice)).toBe(true);
    await mute(hub, bob, { xchan_hash: alice.channel_hash, xchan_network: "zot" });
    await removeConnection(hub, alice, (await existing(alice, bob)).abook_id);
    expect(await row(bob, alice)).toMatchObject({ abook_ignored: 1, abook_unconnected: 1, abook_my_perms: 0 });
    expect(await friendsOf(bob)).toEqual([bob.channel_hash]);
    expect(await isLetIn(bob, alice)).toBe(false);
    await unmute(hub, bob, alice.channel_hash);
    expect(await row(bob, alice)).toBeUndefined();
  });

  test("a request that is taken back is gone there too", async () => {
    await ask(alice, bob);
    await removeConnection(hub, alice, (await existing(alice, bob)).abook_id);
    expect(await row(bob, alice)).toBeUndefined();
  });

  test("dropping the items is a job", async () => {
    await befriend(alice, bob);
    await removeConnection(hub, alice, (await existing(alice, bob)).abook_id, { dropItems: true });
    const jobs = await hub.db.selectFrom("job").select("payload").where("name", "=", "drop-items").execute();
    expect(jobs.map((job) => JSON.parse(job.payload))).toEqual([{ uid: alice.channel_id, xchan: bob.channel_hash }]);
  });

  test("nobody disconnects from oneself or from the connections of others", async () => {
    const self = await existing(alice, alice);
    await expect(removeConnection(hub, alice, self.abook_id)).rejects.toMatchObject({ kind: "invalid" });
    await expect(removeConnection(hub, bob, self.abook_id)).rejects.toMatchObject({ kind: "missing" });
  });

  test("a removed channel is archived by its connections", async () => {
    await befriend(alice, bob);
    await removeChannel(hub, bob.channel_id);
    expect(await row(alice, bob)).toMatchObject({ abook_archived: 1, xchan_deleted: 1 });
    expect(await counts(alice)).toEqual([0, 0]);
  });
});

describe("changing", () => {
  test("flags, closeness and rules stay until they are changed", async () => {
    await befriend(alice, bob);
    const { abook_id, abook_updated } = await existing(alice, bob);
    hub.advance(5);
    const change = (fields: object) => updateConnection(hub, alice, abook_id, fields);
    expect(await change({ closeness: 5, incl: "#a", excl: "b", hidden: true })).toMatchObject({
      abook_closeness: 5,
      abook_incl: "#a",
      abook_excl: "b",
      abook_hidden: 1,
    });
    const changed = await change({ blocked: true });
    expect(changed).toMatchObject({ abook_blocked: 1, abook_hidden: 1, abook_closeness: 5 });
    expect(changed.abook_updated > abook_updated).toBe(true);
    expect(await counts(alice)).toEqual([0, 0]);
    expect(await counts(bob)).toEqual([1, 1]);
    expect(await change({ blocked: false, archived: false })).toMatchObject({ abook_blocked: 0 });
    expect(await counts(alice)).toEqual([1, 1]);
  });

  test("pending = false approves", async () => {
    await ask(alice, bob);
    const { abook_id } = await existing(bob, alice);
    expect(await updateConnection(hub, bob, abook_id, { pending: false, closeness: 10 })).toMatchObject({
      abook_pending: 0,
      abook_closeness: 10,
      follow_out: "accepted",
    });
    await expect(updateConnection(hub, bob, abook_id, { pending: true })).rejects.toMatchObject({ field: "pending" });
  });

  test.each([
    [{ closeness: 100 }, "closeness"],
    [{ closeness: -1 }, "closeness"],
    [{ closeness: 1.5 }, "closeness"],
    [{ profile: "unknown" }, "profile"],
    [{ incl: "x".repeat(70_000) }, "incl"],
  ])("%.60j is refused", async (fields, field) => {
    await ask(alice, bob);
    const { abook_id } = await existing(alice, bob);
    await expect(updateConnection(hub, alice, abook_id, { ...fields, hidden: true })).rejects.toMatchObject({
      kind: "invalid",
      field,
    });
    expect(await row(alice, bob)).toMatchObject({ abook_hidden: 0 });
  });

  test("the channel's own row accepts only the profile", async () => {
    const self = await existing(alice, alice);
    await expect(updateConnection(hub, alice, self.abook_id, { blocked: true })).rejects.toMatchObject({
      field: "blocked",
    });
    expect(await updateConnection(hub, alice, self.abook_id, { profile: self.abook_profile })).toMatchObject({
      abook_self: 1,
    });
  });

  test("a connection of somebody else is missing", async () => {
    await ask(alice, bob);
    await expect(updateConnection(hub, bob, (await existing(alice, bob)).abook_id, {})).rejects.toMatchObject({
      kind: "missing",
    });
  });
});

describe("grants", () => {
  test("a changed grant is told to the other side", async () => {
    await befriend(alice, bob);
    const { abook_id } = await existing(alice, bob);
    await setGrant(hub, alice, abook_id, "chat", false);
    await setAbconfig(hub, alice, abook_id, { cat: "my_perms", k: "delegate", v: "Yes" });
    const sum = social - permissionBits.chat + permissionBits.delegate;
    expect(await row(alice, bob)).toMatchObject({ abook_my_perms: sum, abook_their_perms: social });
    expect(await row(bob, alice)).toMatchObject({ abook_my_perms: social, abook_their_perms: sum });
  });

  test("the bit set is the sum over abconfig", async () => {
    await ask(alice, bob);
    const { abook_id, abook_my_perms } = await existing(alice, bob);
    const rows = await listAbconfig(hub, alice.channel_id, { abookId: abook_id, cat: "my_perms" });
    expect(rows).toHaveLength(18);
    expect(permissionBitsOf(rows)).toBe(abook_my_perms);
    expect(await listAbconfig(hub, bob.channel_id, { abookId: abook_id })).toEqual([]);
  });

  test("other values are written, changed and deleted", async () => {
    await ask(alice, bob);
    const { abook_id } = await existing(alice, bob);
    const set = (v: string) => setAbconfig(hub, alice, abook_id, { cat: "system", k: "note", v });
    expect(await set("one")).toMatchObject({
      chan: alice.channel_id,
      xchan: bob.channel_hash,
      cat: "system",
      k: "note",
      v: "one",
    });
    expect(await set("two")).toMatchObject({ v: "two" });
    expect(await set("")).toBeUndefined();
    expect(await listAbconfig(hub, alice.channel_id, { cat: "system" })).toEqual([]);
  });

  test.each([
    [{ cat: "their_perms", k: "chat", v: "1" }, "denied"],
    [{ cat: "my_perms", k: "dance", v: "1" }, "invalid"],
    [{ cat: "my_perms", k: "chat", v: "" }, "invalid"],
    [{ cat: "autoperms", k: "chat", v: "maybe" }, "invalid"],
    [{ cat: "", k: "x", v: "1" }, "invalid"],
  ])("%j is %s", async (entry, kind) => {
    await ask(alice, bob);
    await expect(setAbconfig(hub, alice, (await existing(alice, bob)).abook_id, entry)).rejects.toMatchObject({ kind });
  });

  test("come from the role, else from autoperms, else from the rows of the channel itself", async () => {
    expect(await grantsFor(hub, alice)).toEqual(grantsOf("social"));
    await setRole(hub, alice, "custom");
    expect(await grantsFor(hub, alice)).toEqual(grantsOf("custom"));
    await setGrant(hub, alice, (await existing(alice, alice)).abook_id, "delegate", true);
    expect(await grantsFor(hub, alice)).toEqual({ ...grantsOf("custom"), delegate: 1 });
    await setConfig(hub, alice.channel_id, "system", "autoperms", "1");
    await setConfig(hub, alice.channel_id, "autoperms", "view_stream", "1");
    const granted = Object.entries(await grantsFor(hub, alice)).filter(([, on]) => on === 1);
    expect(granted).toEqual([["view_stream", 1]]);
    expect(await ask(bob, alice)).toMatchObject({
      follow_out: "accepted",
      abook_their_perms: permissionBits.view_stream,
    });
  });
});

test("the list has every row with its sums, in a fixed number of queries", async () => {
  let queries = 0;
  const own = await openTestHub({ onQuery: () => void (queries += 1) });
  const owner = await makeChannel(own, "owner");
  const cost = async (): Promise<number> => {
    queries = 0;
    await listConnections(own, owner.channel_id);
    return queries;
  };
  const alone = await cost();
  for (const nick of ["one", "two", "three"])
    await connect(own, await makeChannel(own, nick), (await findXchan(own, { id: owner.xchan_id }))!);
  expect(await cost()).toBe(alone);
  const all = await listConnections(own, owner.channel_id);
  expect(all.map((one) => [one.abook_self, one.abook_pending])).toEqual([
    [1, 0],
    [0, 1],
    [0, 1],
    [0, 1],
  ]);
  expect(await listConnections(own, owner.channel_id, { abookId: 99_999 })).toEqual([]);
  expect(await listConnections(own, owner.channel_id, { pending: true })).toHaveLength(3);
  expect(await listConnections(own, owner.channel_id, { pending: false, others: true })).toHaveLength(0);
  await own.close();
});
