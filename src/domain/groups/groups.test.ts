import { afterAll, beforeAll, expect, test } from "vitest";
import { makeChannel, openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { zeroDate } from "../../storage/sql.ts";
import { connect, findConnectionTo, removeConnection } from "../connections/connections.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { findChannelById, setRole, updateChannel } from "../identity/channels/channels.ts";
import { readAddressLine } from "../items/address-line.ts";
import {
  addMembers,
  createGroup,
  deleteGroup,
  findGroup,
  listGroups,
  listMembers,
  removeMembers,
  renameGroup,
  setGroupVisible,
} from "./groups.ts";
import { formatList, parseList } from "./lists.ts";

let hub: TestHub;
let owner: Channel;
let friend: Channel;
let stranger: Channel;
let uid: number;
beforeAll(async () => {
  hub = await openTestHub();
  owner = await makeChannel(hub, "owner", { role: "social_private" });
  friend = await makeChannel(hub, "friend");
  stranger = await makeChannel(hub, "stranger");
  uid = owner.channel_id;
  await connect(hub, owner, { xchan_hash: friend.channel_hash });
});
afterAll(() => hub.close());

test("a group keeps its hash when it gets another name", async () => {
  const group = await createGroup(hub, uid, " Chess <club> ");
  expect(group).toMatchObject({ uid, gname: "Chess <club>", visible: 0, deleted: 0 });
  expect(group.hash).toMatch(/^[0-9a-f]{64}Chess club$/);
  expect(await renameGroup(hub, uid, group.id, "Go")).toMatchObject({ gname: "Go", hash: group.hash });
  expect(await setGroupVisible(hub, uid, group.id, true)).toMatchObject({ visible: 1 });
  for (const key of [{ id: group.id }, { name: "Go" }, { hash: group.hash }]) {
    expect(await findGroup(hub, uid, key)).toMatchObject({ id: group.id, visible: 1 });
    expect(await findGroup(hub, friend.channel_id, key)).toBeUndefined();
  }
  await expect(renameGroup(hub, friend.channel_id, group.id, "Mine")).rejects.toMatchObject({ kind: "missing" });
});

test("a name is needed and serves one group", async () => {
  await createGroup(hub, uid, "Once", { visible: true });
  await expect(createGroup(hub, uid, "Once")).rejects.toMatchObject({ kind: "conflict" });
  await expect(createGroup(hub, uid, "  ")).rejects.toMatchObject({ kind: "invalid", field: "name" });
  await expect(createGroup(hub, uid, "x".repeat(192))).rejects.toMatchObject({ kind: "invalid", field: "name" });
  const other = await createGroup(hub, uid, "Twice");
  await expect(renameGroup(hub, uid, other.id, "Once")).rejects.toMatchObject({ kind: "conflict" });
  expect(await renameGroup(hub, uid, other.id, "Twice")).toEqual(other);
});

test("names that may be taken for each other serve one group, but for those that were there before", async () => {
  const [composed, apart] = ["Café".normalize("NFC"), "Café".normalize("NFD")];
  const group = await createGroup(hub, uid, apart);
  expect(group.gname).toBe(composed);
  for (const name of [composed, apart]) expect(await findGroup(hub, uid, { name })).toEqual(group);
  for (const name of [composed, apart, "CAFÉ", " café "])
    await expect(createGroup(hub, uid, name)).rejects.toMatchObject({ kind: "conflict" });
  expect(await renameGroup(hub, uid, group.id, "café")).toMatchObject({ id: group.id, gname: "café" });
  const old = await createGroup(hub, uid, "Old");
  await hub.db
    .updateTable("pgrp")
    .set({ gname: "Café".normalize("NFD") })
    .where("id", "=", old.id)
    .execute();
  expect(await findGroup(hub, uid, { name: apart })).toMatchObject({ id: old.id });
  expect(await renameGroup(hub, uid, old.id, apart)).toMatchObject({ id: old.id });
  // An address line means the one that is written so, else the oldest.
  const addressed = async (name: string) => (await readAddressLine(hub, owner, `!!"${name}"\nwords`))?.groups;
  for (const [name, { hash }] of [
    [apart, old],
    ["café", group],
    ["CAFÉ", group],
  ] as const)
    expect(await addressed(name)).toEqual([hash]);
});

test("the name of a deleted group brings a new hash", async () => {
  const first = await createGroup(hub, uid, "Again");
  await addMembers(hub, uid, first.id, [friend.channel_hash]);
  await deleteGroup(hub, uid, first.id);
  const second = await createGroup(hub, uid, "Again");
  expect(second.hash).not.toBe(first.hash);
  expect(await findGroup(hub, uid, { name: "Again" })).toEqual(second);
  expect(await findGroup(hub, uid, { id: first.id })).toMatchObject({ deleted: 1 });
  expect((await listGroups(hub, uid)).filter((group) => group.gname === "Again")).toHaveLength(2);
  expect(await listMembers(hub, uid, first.id)).toEqual([]);
  await expect(deleteGroup(hub, uid, first.id)).rejects.toMatchObject({ kind: "missing" });
  await expect(addMembers(hub, uid, first.id, [])).rejects.toMatchObject({ kind: "missing" });
});

test("a deleted group leaves the defaults of the channel", async () => {
  const channel = await makeChannel(hub, "defaults", { role: "social_private" });
  const group = await createGroup(hub, channel.channel_id, "Close");
  const friends = channel.channel_default_group;
  await updateChannel(hub, channel.channel_id, {
    defaultGroup: group.hash,
    audience: {
      allowCid: "",
      allowGid: formatList([friends, group.hash]),
      denyCid: "",
      denyGid: formatList([group.hash]),
    },
  });
  await deleteGroup(hub, channel.channel_id, group.id);
  expect(await findChannelById(hub, channel.channel_id)).toMatchObject({
    channel_default_group: "",
    channel_allow_gid: `<${friends}>`,
    channel_deny_gid: "",
  });
});

test("deleting the only group of the default audience does not make new posts public", async () => {
  const channel = await makeChannel(hub, "careful", { role: "social_private" });
  const friends = (await findGroup(hub, channel.channel_id, { name: "Friends" }))!;
  await deleteGroup(hub, channel.channel_id, friends.id);
  expect(await findChannelById(hub, channel.channel_id)).toMatchObject({
    channel_allow_cid: `<${channel.channel_hash}>`,
    channel_allow_gid: "",
  });
});

test("a role that addresses Friends makes the group again when it was deleted", async () => {
  const channel = await makeChannel(hub, "again");
  const group = (await findGroup(hub, channel.channel_id, { name: "Friends" }))!;
  await deleteGroup(hub, channel.channel_id, group.id);
  await setRole(hub, channel, "social_private");
  const fresh = (await findGroup(hub, channel.channel_id, { name: "Friends" }))!;
  expect(fresh.hash).not.toBe(group.hash);
  expect(await findChannelById(hub, channel.channel_id)).toMatchObject({ channel_allow_gid: `<${fresh.hash}>` });
});

test("members are connections, and stay when they are none any more", async () => {
  const group = await createGroup(hub, uid, "Members");
  const hashes = [owner.channel_hash, friend.channel_hash, stranger.channel_hash];
  expect(await addMembers(hub, uid, group.id, hashes)).toEqual([stranger.channel_hash]);
  await addMembers(hub, uid, group.id, hashes);
  await hub.db.insertInto("pgrp_member").values({ uid, gid: group.id, xchan: stranger.channel_hash }).execute();
  const [self, known, gone, ...more] = await listMembers(hub, uid, group.id);
  expect(more).toEqual([]);
  expect(self).toMatchObject({ uid, gid: group.id, xchan: owner.channel_hash, abook_self: 1, abook_closeness: 0 });
  expect(known).toMatchObject({ xchan_name: "Friend", abook_my_perms: 151995, abook_their_perms: 0, abook_self: 0 });
  expect(gone).toMatchObject({
    xchan_name: "Stranger",
    abook_id: 0,
    abook_xchan: "",
    abook_created: zeroDate,
    abook_my_perms: 0,
    abook_incl: "",
  });
  expect(Object.values(gone!)).not.toContain(null);
  expect(Object.keys(gone!).filter((name) => name.startsWith("abook_"))).toHaveLength(25);
  await removeMembers(hub, uid, group.id, [friend.channel_hash, "unknown"]);
  expect((await listMembers(hub, uid, group.id)).map((member) => member.xchan)).toEqual([
    owner.channel_hash,
    stranger.channel_hash,
  ]);
  await expect(removeMembers(hub, friend.channel_id, group.id, [owner.channel_hash])).rejects.toMatchObject({
    kind: "missing",
  });
});

test("a removed connection leaves its groups", async () => {
  const leaver = await makeChannel(hub, "leaver");
  await connect(hub, owner, { xchan_hash: leaver.channel_hash });
  const friends = (await findGroup(hub, uid, { name: "Friends" }))!;
  expect((await listMembers(hub, uid, friends.id)).map((member) => member.xchan)).toContain(leaver.channel_hash);
  await removeConnection(hub, owner, (await findConnectionTo(hub, uid, leaver.channel_hash))!.abook_id);
  expect((await listMembers(hub, uid, friends.id)).map((member) => member.xchan)).not.toContain(leaver.channel_hash);
});

test("access lists are read and written", () => {
  expect(parseList("<a><b>")).toEqual(["a", "b"]);
  expect(parseList("")).toEqual([]);
  expect(formatList(["a", "b", "a"])).toBe("<a><b>");
  expect(formatList([])).toBe("");
});
