import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeChannel, openTestHub } from "../../../../test/support/hub.ts";
import type { TestHub } from "../../../../test/support/hub.ts";
import { zeroDate } from "../../../storage/sql.ts";
import { findAccountById, setAccountFlag } from "../accounts/accounts.ts";
import { getConfig, getConfigs } from "./channel-config.ts";
import { nobody, observerOf } from "./observer.ts";
import {
  createChannel,
  findChannelByHash,
  findChannelById,
  findChannelByNick,
  findChannelByXchan,
  limitOf,
  listChannels,
  setRole,
  updateChannel,
} from "./channels.ts";
import { removeChannel } from "../../connections/remove-channel.ts";
import { listDirectory } from "../../people/directory.ts";
import { defaultProfile, listProfiles } from "./profiles.ts";
import { updateProfile } from "../../people/change-profile.ts";
import { limits, permissionNames } from "./roles.ts";
import { findSession, openSession, useChannel } from "../accounts/sessions.ts";
import { sign, verifySignature } from "../xchans/signing.ts";
import { siteKeys } from "../site/site-settings.ts";
import { findXchan } from "../xchans/xchans.ts";

let hub: TestHub;
beforeAll(async () => {
  hub = await openTestHub();
});
afterAll(() => hub.close());

test("a channel comes with its identity and everything that belongs to it", async () => {
  const channel = await makeChannel(hub, "alma", { name: "Alma", timezone: "Europe/Berlin" });
  const { channel_id: uid, channel_hash: hash } = channel;
  expect(channel).toMatchObject({
    channel_address: "alma",
    channel_name: "Alma",
    channel_primary: 1,
    channel_timezone: "Europe/Berlin",
    channel_notifyflags: 65_535,
    channel_max_anon_mail: 10,
    channel_deleted: zeroDate,
    channel_created: "2026-03-01 12:00:00",
    channel_allow_gid: "",
    friends_count: 0,
  });
  expect(channel).not.toHaveProperty("channel_prvkey");
  expect(channel.channel_guid).toMatch(/^[\w-]{86}$/);
  expect(hash).toBe(
    createHash("sha512")
      .update(channel.channel_guid + channel.channel_pubkey)
      .digest("base64url"),
  );
  expect(verifySignature(channel.channel_pubkey, channel.channel_guid, channel.channel_guid_sig)).toBe(true);
  expect((await findAccountById(hub, channel.channel_account_id))!.account_default_channel).toBe(uid);

  expect(await findXchan(hub, { hash })).toMatchObject({
    xchan_id: channel.xchan_id,
    xchan_addr: "alma@hub.example",
    xchan_url: "http://hub.example/channel/alma",
    xchan_follow: "http://hub.example/follow?f=&url=%s",
    xchan_connurl: "http://hub.example/poco/alma",
    xchan_photo_m: `http://hub.example/photo/profile/m/${uid}`,
    xchan_photo_mimetype: "image/png",
    xchan_network: "zot",
    xchan_hidden: 0,
    xchan_pubforum: 0,
  });
  const hubloc = await hub.db
    .selectFrom("hubloc")
    .selectAll()
    .where("hubloc_hash", "=", hash)
    .executeTakeFirstOrThrow();
  expect(hubloc).toMatchObject({ hubloc_url: "http://hub.example", hubloc_host: "hub.example", hubloc_primary: 1 });
  expect(hubloc.hubloc_sitekey).toBe((await siteKeys(hub)).publicKey);
  expect(verifySignature(channel.channel_pubkey, hubloc.hubloc_url, hubloc.hubloc_url_sig)).toBe(true);

  const profile = await defaultProfile(hub, uid);
  expect(profile).toMatchObject({ fullname: "Alma", is_default: 1, publish: 1 });
  const self = await hub.db.selectFrom("abook").selectAll().where("abook_channel", "=", uid).execute();
  expect(self).toMatchObject([
    { abook_xchan: hash, abook_self: 1, abook_closeness: 0, abook_profile: profile.profile_guid },
  ]);

  const group = await hub.db.selectFrom("pgrp").selectAll().where("uid", "=", uid).executeTakeFirstOrThrow();
  expect(group).toMatchObject({ gname: "Friends", visible: 0, deleted: 0, hash: channel.channel_default_group });
  expect(group.hash).toMatch(/^[0-9a-f]{64}Friends$/);
  expect(await hub.db.selectFrom("pgrp_member").select(["gid", "xchan"]).where("uid", "=", uid).execute()).toEqual([
    { gid: group.id, xchan: hash },
  ]);

  expect(await getConfig(hub, uid, "system", "permissions_role")).toBe("social");
  expect([...(await getConfigs(hub, uid, "perm_limits")).keys()].sort()).toEqual([...permissionNames].sort());
  expect(await limitOf(hub, uid, "view_stream")).toBe(limits.public);
  expect(await limitOf(hub, uid, "post_wall")).toBe(limits.specific);
});

test("a channel is found by everything that names it", async () => {
  const channel = await makeChannel(hub, "finder");
  const { channel_id, channel_hash, xchan_id } = channel;
  expect(await findChannelById(hub, channel_id)).toEqual(channel);
  expect(await findChannelByNick(hub, "FINDER")).toEqual(channel);
  expect(await findChannelByHash(hub, channel_hash)).toEqual(channel);
  expect(await findChannelByXchan(hub, xchan_id)).toEqual(channel);
  expect(observerOf(channel)).toMatchObject({
    xchanId: xchan_id,
    hash: channel_hash,
    native: true,
    channelId: channel_id,
  });
});

test("the role decides about audience, directory, forum and online status", async () => {
  const board = await makeChannel(hub, "board", { role: "forum_private" });
  const uid = board.channel_id;
  expect(board.channel_allow_gid).toBe(`<${board.channel_default_group}>`);
  expect(await findXchan(hub, { id: board.xchan_id })).toMatchObject({ xchan_pubforum: 1, xchan_hidden: 1 });
  expect(await getConfig(hub, uid, "system", "show_online_status")).toBe("0");
  expect(await limitOf(hub, uid, "view_profile")).toBe(limits.specific);

  await setRole(hub, board, "social");
  expect(await findChannelById(hub, uid)).toMatchObject({ channel_allow_gid: "" });
  expect(await findXchan(hub, { id: board.xchan_id })).toMatchObject({ xchan_pubforum: 0, xchan_hidden: 0 });
  expect(await defaultProfile(hub, uid)).toMatchObject({ publish: 1 });
  expect(await limitOf(hub, uid, "view_profile")).toBe(limits.public);
  expect(await getConfig(hub, uid, "system", "show_online_status")).toBe("1");
  await expect(setRole(hub, board, "king" as "social")).rejects.toMatchObject({ kind: "invalid", field: "role" });
});

test("a custom channel has its grants as rows for its own hash", async () => {
  const own = await makeChannel(hub, "custom-one", { role: "custom" });
  const rows = await hub.db.selectFrom("abconfig").selectAll().where("chan", "=", own.channel_id).execute();
  expect(rows).toHaveLength(18);
  expect(rows.find((row) => row.k === "post_wall")).toMatchObject({ cat: "my_perms", xchan: own.channel_hash, v: "0" });
  expect(own.channel_allow_gid).toBe(`<${own.channel_default_group}>`);
});

test.each([
  "",
  "1abc",
  "-a",
  "a b",
  "ä",
  "a.b",
  "x".repeat(65),
  "sys",
  "Settings",
  "api",
  "admin",
  "well-known",
  "activity",
  "conversation",
  "approval",
  "block",
  "proxy",
])("%j is no nick", async (nick) => {
  await expect(createChannel(hub, { account_id: 1 }, { nick, name: "X" })).rejects.toMatchObject({
    kind: "invalid",
    field: "nick",
  });
});

test("nick, name and time zone are checked", async () => {
  const { channel_account_id: account_id } = await makeChannel(hub, "once");
  const make = (fields: object) => createChannel(hub, { account_id }, { nick: "fresh", name: "Fresh", ...fields });
  await expect(make({ nick: "ONCE" })).rejects.toMatchObject({ kind: "conflict", field: "nick" });
  await expect(make({ name: " " })).rejects.toMatchObject({ field: "name" });
  await expect(make({ name: "x".repeat(192) })).rejects.toMatchObject({ field: "name" });
  await expect(make({ timezone: "Mars/Base" })).rejects.toMatchObject({ field: "timezone" });
  expect(await findChannelByNick(hub, "fresh")).toBeUndefined();
});

test("a new name stands everywhere", async () => {
  const channel = await makeChannel(hub, "namer");
  hub.advance(60);
  await updateChannel(hub, channel.channel_id, { name: "New Name", location: " Oslo ", timezone: "Europe/Oslo" });
  expect(await findChannelById(hub, channel.channel_id)).toMatchObject({
    channel_name: "New Name",
    channel_location: "Oslo",
    channel_timezone: "Europe/Oslo",
  });
  expect(await defaultProfile(hub, channel.channel_id)).toMatchObject({ fullname: "New Name" });
  const xchan = (await findXchan(hub, { id: channel.xchan_id }))!;
  expect(xchan).toMatchObject({ xchan_name: "New Name" });
  expect(xchan.xchan_name_date > xchan.xchan_created).toBe(true);
  await expect(updateChannel(hub, channel.channel_id, { defaultGroup: "nonsense" })).rejects.toMatchObject({
    kind: "invalid",
  });
});

test("the default profile is mirrored", async () => {
  const channel = await makeChannel(hub, "mirror");
  const [profile] = await listProfiles(hub, channel.channel_id);
  await updateProfile(hub, channel.channel_id, profile!.id, {
    fullname: "Mia Mirror",
    about: "Gardener",
    locality: "Bergen",
    country_name: "Norway",
    publish: 0,
  });
  expect(await findChannelById(hub, channel.channel_id)).toMatchObject({ channel_name: "Mia Mirror" });
  expect(await findXchan(hub, { id: channel.xchan_id })).toMatchObject({
    xchan_name: "Mia Mirror",
    xchan_about: "Gardener",
    xchan_location: "Bergen, Norway",
    xchan_hidden: 1,
  });
  await expect(updateProfile(hub, channel.channel_id + 1, profile!.id, { about: "x" })).rejects.toMatchObject({
    kind: "missing",
  });
});

test("a removed channel is gone for everybody", async () => {
  const channel = await makeChannel(hub, "leaver");
  const account = { account_id: channel.channel_account_id };
  const next = await createChannel(hub, account, { nick: "leaver-two", name: "Two" });
  const session = await openSession(hub, account, channel.channel_id);
  await sign(hub, channel.channel_id, "x");
  await removeChannel(hub, channel.channel_id);
  expect(await findChannelByNick(hub, "leaver")).toBeUndefined();
  expect(await findSession(hub, session.token)).toBeUndefined();
  expect(await findXchan(hub, { hash: channel.channel_hash })).toMatchObject({ xchan_deleted: 1 });
  expect((await findAccountById(hub, account.account_id))!.account_default_channel).toBe(next.channel_id);
  expect(await listChannels(hub, account.account_id)).toMatchObject([{ channel_id: next.channel_id }]);
  await expect(sign(hub, channel.channel_id, "x")).rejects.toMatchObject({ kind: "missing" });
  await expect(removeChannel(hub, channel.channel_id)).rejects.toMatchObject({ kind: "missing" });
  await removeChannel(hub, next.channel_id);
  expect((await findAccountById(hub, account.account_id))!.account_default_channel).toBe(0);
});

test("the directory has nobody whose account is blocked or has expired", async () => {
  const [one, two] = [await makeChannel(hub, "listed-one"), await makeChannel(hub, "listed-two")];
  const listed = async () =>
    (await listDirectory(hub, nobody({ blockPublic: false }), { count: 100 })).entries.map((entry) => entry.channel_id);
  expect(await listed()).toEqual(expect.arrayContaining([one.channel_id, two.channel_id]));
  await hub.db
    .updateTable("account")
    .set({ account_expires: "2026-01-01 00:00:00" })
    .where("account_id", "=", one.channel_account_id)
    .execute();
  await setAccountFlag(hub, two.channel_account_id, "blocked", true);
  expect(await listed()).not.toContain(one.channel_id);
  expect(await listed()).not.toContain(two.channel_id);
});

test("a browser acts as one channel of its account", async () => {
  const one = await makeChannel(hub, "surfer");
  const other = await makeChannel(hub, "other-surfer");
  const account = { account_id: one.channel_account_id };
  const two = await createChannel(hub, account, { nick: "surfer-two", name: "Two" });
  const { token, csrfToken } = await openSession(hub, account, one.channel_id);
  expect(await findSession(hub, token)).toMatchObject({ csrfToken, channel: one, account });
  await useChannel(hub, token, two.channel_id);
  expect((await findSession(hub, token))!.channel).toEqual(two);
  await expect(useChannel(hub, token, other.channel_id)).rejects.toMatchObject({ code: "not_your_channel" });
  expect(await findSession(hub, "nonsense")).toBeUndefined();
  hub.advance(31 * 24 * 3600);
  expect(await findSession(hub, token)).toBeUndefined();
});

test("signatures verify with the channel's key and no other", async () => {
  const [one, two] = [await makeChannel(hub, "signer"), await makeChannel(hub, "signer-two")];
  const signature = await sign(hub, one.channel_id, "text");
  expect(await sign(hub, one.channel_id, "text")).toBe(signature);
  expect(verifySignature(one.channel_pubkey, "text", signature)).toBe(true);
  expect(verifySignature(one.channel_pubkey, "other text", signature)).toBe(false);
  expect(verifySignature(two.channel_pubkey, "text", signature)).toBe(false);
  expect(verifySignature("no key", "text", signature)).toBe(false);
});
