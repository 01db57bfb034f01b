import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeChannel, openTestHub } from "../../../../test/support/hub.ts";
import type { TestHub } from "../../../../test/support/hub.ts";
import { connect, updateConnection } from "../../connections/connections.ts";
import { appRecord } from "../../portable/app.ts";
import { chatroomRecord } from "../../portable/chatroom.ts";
import { configRecord } from "../../portable/config.ts";
import { likeRecord } from "../../portable/like.ts";
import { profileRecord } from "../../portable/profile.ts";
import { thingRecord } from "../../portable/thing.ts";
import { importApp, listApps } from "../belongings/apps.ts";
import { getConfig, listConfig, removeConfig, setConfig } from "../channels/channel-config.ts";
import type { Channel } from "../channels/channel.ts";
import { importChatroom, listChatrooms } from "../belongings/chatrooms.ts";
import {
  changeChannelSettings,
  channelSetting,
  channelSettings,
  readChannelSettings,
} from "../channels/channel-settings.ts";
import type { ChannelSetting } from "../channels/channel-settings.ts";
import { importedValue, readComposite, writeComposite } from "./composite.ts";
import { importConfig } from "../restoring/import-config.ts";
import { importProfile, readProfile } from "../restoring/import-profile.ts";
import { importLike, listLikes } from "../belongings/likes.ts";
import { dateIn, textIn } from "./portable-fields.ts";
import type { PortableRecord } from "./portable-fields.ts";
import { deleteProfile } from "../../connections/assign-profile.ts";
import { createProfile, defaultProfile, listProfiles } from "../channels/profiles.ts";
import { updateProfile } from "../../people/change-profile.ts";
import { importThing, listThings } from "../belongings/things.ts";

/** Records that only exports and imports carry: what came in goes out again, once (native contract 2.15, 7.5). */

const nothing = { html: {}, description: undefined };

test.each([
  ["2026-03-01 12:00:00", "2026-03-01 12:00:00"],
  ["0000-00-00 00:00:00", "0001-01-01 00:00:00"],
  ["0001-01-01 00:00:00", "0001-01-01 00:00:00"],
  ["9999-12-31 23:59:59", "0001-01-01 00:00:00"],
  ["2026-13-45 12:00:00", "0001-01-01 00:00:00"],
  ["2026-03-01 25:61:00", "0001-01-01 00:00:00"],
  ["2026-02-31 12:00:00", "0001-01-01 00:00:00"],
  ["yesterday", "0001-01-01 00:00:00"],
])("the date %s of a record is %s here", (given, here) => {
  expect(dateIn({ created: given }, "created")).toBe(here);
});

test("a text of a record has neither NUL nor half a character", () => {
  expect(textIn({ name: "a\0b\ud800" }, "name")).toBe("ab\ufffd");
});

let hub: TestHub;
let alice: Channel;
let bob: Channel;
beforeAll(async () => {
  hub = await openTestHub();
  alice = await makeChannel(hub, "alice");
  bob = await makeChannel(hub, "bob");
});
afterAll(() => hub.close());

const lists = { allow_cid: "<a><b>", allow_gid: "<g>", deny_cid: "", deny_gid: "<d>" };
const dates = { created: "2020-01-02 03:04:05", edited: "2021-01-02 03:04:05" };

test("a thing", async () => {
  const record = {
    obj_id: 17,
    obj_page: "profile",
    obj_verb: "has",
    obj_type: "1",
    obj_obj: "ab".repeat(32),
    obj_channel: "5",
    obj_term: "bicycle",
    obj_url: "https://old.example/thing/abab",
    obj_imgurl: "https://old.example/photo/1",
    obj_created: dates.created,
    obj_edited: dates.edited,
    obj_quantity: 2,
    ...lists,
    obj_baseurl: "https://old.example",
  };
  for (const form of [record, { ...record, obj_id: "17", obj_type: 1 }])
    expect(await importThing(hub, alice, form)).toBe(form === record ? "imported" : "there");
  const [thing, ...more] = await listThings(hub, alice.channel_id);
  expect(more).toEqual([]);
  const out = thingRecord(thing!, "http://hub.example");
  expect(out).toEqual({
    ...record,
    obj_id: String(thing!.obj_id),
    obj_channel: String(alice.channel_id),
    obj_quantity: "2",
    obj_url: "http://hub.example/thing/abab",
    obj_baseurl: "http://hub.example",
  });
  expect(Object.keys(out)).toEqual(Object.keys(record));
  expect(await importThing(hub, alice, { obj_term: "no id" })).toBe("unreadable");
  expect(await listThings(hub, bob.channel_id)).toEqual([]);
});

test("a like is known by what it says; `deleted` takes it back", async () => {
  const record = {
    id: "3",
    channel_id: "9",
    liker: "who",
    likee: "whom",
    iid: "77",
    i_mid: "https://old.example/item/1",
    verb: "http://activitystrea.ms/schema/1.0/like",
    target_type: "http://activitystrea.ms/schema/1.0/profile",
    target_id: "guid",
    target: '{"a":1}',
  };
  await importLike(hub, alice, record);
  await importLike(hub, alice, { ...record, id: 4 });
  const likes = await listLikes(hub, alice.channel_id);
  expect(likes.map(likeRecord)).toEqual([
    { ...record, id: String(likes[0]!.id), channel_id: String(alice.channel_id), iid: "0" },
  ]);
  await importLike(hub, bob, { ...record, deleted: 1 });
  expect(await listLikes(hub, alice.channel_id)).toHaveLength(1);
  await importLike(hub, alice, { ...record, deleted: "1" });
  expect(await listLikes(hub, alice.channel_id)).toEqual([]);
  expect(await importLike(hub, alice, {})).toBe("unreadable");
});

test("an app with its categories", async () => {
  const record = {
    app_id: `${"cd".repeat(32)}.old.example`,
    app_sig: "sig",
    app_page: "",
    app_requires: "local_channel",
    app_price: "",
    app_version: "1",
    app_plugin: "",
    app_author: "hash",
    app_addr: "a@old.example",
    app_name: "Calculator",
    app_desc: "It counts",
    app_url: "https://old.example/calc",
    app_photo: "icon:calculator",
    app_options: 2,
    app_deleted: 0,
    app_system: 0,
    app_created: dates.created,
    app_edited: dates.edited,
    term: [
      { term: "Tools", ttype: 3, url: "https://old.example/apps/?f=&cat=Tools" },
      { term: "Old", type: "3" },
      { term: "" },
      "nonsense",
    ],
  };
  await importApp(hub, alice, record);
  await importApp(hub, alice, { ...record, app_desc: "It counts well" });
  const [app, ...more] = await listApps(hub, alice.channel_id, "made");
  expect(more).toEqual([]);
  const out = appRecord(app!, alice.channel_account_id) as Record<string, unknown>;
  expect(out).toMatchObject({ app_desc: "It counts well", app_options: "2", app_channel: String(alice.channel_id) });
  expect(out["term"]).toMatchObject([
    { term: "Tools", ttype: "3", otype: "7", oid: String(app!.id), uid: String(alice.channel_id) },
    { term: "Old", ttype: "3" },
  ]);
  await importApp(hub, alice, { app_id: "s", app_name: "System", app_system: "1" });
  expect((await listApps(hub, alice.channel_id, "system")).map((one) => one.app_name)).toEqual(["System"]);
  expect(await importApp(hub, alice, {})).toBe("unreadable");
});

test("a chatroom", async () => {
  const record = { cr_id: 2, cr_aid: 1, cr_uid: 1, cr_name: "Salon", cr_expire: "0", ...lists };
  await importChatroom(hub, alice, { ...record, cr_created: dates.created, cr_edited: dates.edited });
  await importChatroom(hub, alice, { ...record, cr_created: dates.created, cr_edited: dates.edited });
  await importChatroom(hub, alice, { cr_name: "Plain" });
  const [salon, plain] = (await listChatrooms(hub, alice.channel_id)).map(chatroomRecord);
  expect(salon).toMatchObject({ cr_name: "Salon", cr_expire: "0", cr_created: dates.created, ...lists });
  expect(plain).toMatchObject({ cr_name: "Plain", cr_expire: "120", cr_created: "0001-01-01 00:00:00" });
  expect(await importChatroom(hub, alice, {})).toBe("unreadable");
});

describe("config", () => {
  test("replaces what is here and keeps when it was changed", async () => {
    const uid = alice.channel_id;
    const record = { id: 1, uid: 1, cat: "feature", k: "x", v: 1, updated: dates.edited };
    await importConfig(hub, alice, record);
    await importConfig(hub, alice, { ...record, v: "2" });
    const [row] = await listConfig(hub, uid, "feature");
    expect(configRecord(row!)).toEqual({ ...record, id: String(row!.id), uid: String(uid), v: "2" });
    await importConfig(hub, alice, { cat: "feature", k: "y", v: "1" });
    expect((await listConfig(hub, uid, "feature"))[1]).toMatchObject({ updated: "2026-03-01 12:00:00" });
    expect(await importConfig(hub, alice, { cat: "", k: "x", v: "1" })).toBe("unreadable");
  });

  test.each([
    ["view_stream", "1", "1"],
    ["post_wall", "1", "256"],
    ["post_wall", 3, "0"],
    ["post_wall", "x", "0"],
  ])("a limit of %s that is %j becomes %s", async (k, v, expected) => {
    await importConfig(hub, bob, { cat: "perm_limits", k, v });
    expect(await getConfig(hub, bob.channel_id, "perm_limits", k)).toBe(expected);
    expect(await importConfig(hub, bob, { cat: "perm_limits", k: "view_photos", v: "1" })).toBe("unreadable");
  });

  test.each<[ChannelSetting, string | undefined, unknown]>([
    ["role", undefined, "custom"],
    ["role", "wizard", "custom"],
    ["role", "forum", "forum"],
    ["showsOnline", "yes", false],
    ["showsOnline", "1", true],
    ["newCloseness", undefined, 80],
    ["newCloseness", "100", 80],
    ["newCloseness", "7", 7],
    ["threadsPerPage", "-3", 0],
    ["threadsPerPage", "many", 0],
    ["photoFolder", " ", "%Y-%m"],
    ["moderation", "3", "0"],
    ["moderation", "2", "2"],
  ])("the setting %s that is stored as %j is read as %j", async (name, v, expected) => {
    const { cat, k } = channelSettings[name];
    if (v !== undefined) await setConfig(hub, bob.channel_id, cat, k, v);
    else await removeConfig(hub, bob.channel_id, cat, k);
    expect(await channelSetting(hub, bob.channel_id, name)).toBe(expected);
  });

  test("settings are changed one by one, and stay what others stored", async () => {
    const uid = bob.channel_id;
    await changeChannelSettings(hub, uid, { refusesTags: true, newCloseness: 5, moderation: undefined });
    expect(await readChannelSettings(hub, uid, ["refusesTags", "newCloseness", "moderation", "largePhotos"])).toEqual({
      refusesTags: true,
      newCloseness: 5,
      moderation: "2",
      largePhotos: false,
    });
    expect(await getConfig(hub, uid, "system", "blocktags")).toBe("1");
  });

  test("composite values of other hubs become JSON; classes do not", () => {
    expect(importedValue('a:2:{i:0;s:2:"de";i:1;s:3:"fä";}')).toBe('json:["de","fä"]');
    expect(importedValue('a:1:{s:4:"name";i:1;}')).toBe('json:{"name":1}');
    expect(importedValue("plain a:1:{")).toBe("plain a:1:{");
    expect(importedValue('json:{"a":1}')).toBe('json:{"a":1}');
    for (const broken of ['a:1:{i:0;O:3:"Foo":0:{}}', "a:9:{i:0", "a:1:{i:0;s:999:x;}"])
      expect(importedValue(broken)).toBeUndefined();
    expect(readComposite(writeComposite({ a: [1] }))).toEqual({ a: [1] });
    expect(readComposite("text")).toBeUndefined();
  });
});

describe("profiles", () => {
  test("all fields come over; a default one takes the place of the one that was made with the channel", async () => {
    const cleo = await makeChannel(hub, "cleo");
    const before = await defaultProfile(hub, cleo.channel_id);
    const friend = await connect(hub, cleo, { xchan_hash: bob.channel_hash });
    expect(friend.abook_profile).toBe(before.profile_guid);
    const texts = Object.fromEntries(Object.keys(profileRecord(before)).map((name) => [name, `the ${name}`]));
    const record: PortableRecord = {
      ...texts,
      id: 5,
      aid: "1",
      uid: "1",
      profile_guid: "guid-of-default",
      is_default: 1,
      hide_friends: "1",
      publish: 0,
      howlong: "2001-02-03 00:00:00",
    };
    await importProfile(hub, cleo, readProfile(record), nothing);
    await importProfile(hub, cleo, readProfile(record), nothing);
    const profiles = await listProfiles(hub, cleo.channel_id);
    expect(profiles).toHaveLength(1);
    expect(profileRecord(profiles[0]!)).toEqual({
      ...texts,
      id: String(before.id),
      aid: String(cleo.channel_account_id),
      uid: String(cleo.channel_id),
      profile_guid: "guid-of-default",
      is_default: "1",
      hide_friends: "1",
      publish: "0",
      howlong: "2001-02-03 00:00:00",
      photo: `http://hub.example/photo/profile/l/${cleo.channel_id}`,
      thumb: `http://hub.example/photo/profile/m/${cleo.channel_id}`,
    });
    const abook = await hub.db
      .selectFrom("abook")
      .select("abook_profile")
      .where("abook_id", "=", friend.abook_id)
      .execute();
    expect(abook).toEqual([{ abook_profile: "guid-of-default" }]);
  });

  test("older names are read, others are added beside the default one", async () => {
    const dora = await makeChannel(hub, "dora");
    await importProfile(
      hub,
      dora,
      readProfile({ profile_guid: "two", name: "Dora", with: "Eve", work: "Baker", is_default: "0" }),
      nothing,
    );
    const [first, second] = await listProfiles(hub, dora.channel_id);
    expect([first!.is_default, second!.is_default]).toEqual([1, 0]);
    expect(second).toMatchObject({ fullname: "Dora", partner: "Eve", employment: "Baker", profile_guid: "two" });
    await importProfile(hub, dora, readProfile({ profile_guid: "two", fullname: "Dora", is_default: "1" }), nothing);
    expect((await listProfiles(hub, dora.channel_id)).map((one) => one.is_default)).toEqual([0, 1]);
    expect(await importProfile(hub, dora, readProfile({}), nothing)).toBe("unreadable");
  });

  test("a further one is made, changed and deleted; the default one stays", async () => {
    const uid = alice.channel_id;
    await updateProfile(hub, uid, (await defaultProfile(hub, uid)).id, { about: "Hello" });
    const made = await createProfile(hub, alice, "For work");
    expect(made).toMatchObject({ about: "Hello", is_default: 0, publish: 0, profile_name: "For work" });
    await expect(createProfile(hub, alice, "For work")).rejects.toMatchObject({ kind: "conflict" });
    await expect(createProfile(hub, alice, " ")).rejects.toMatchObject({ field: "profile_name" });
    const change = (fields: object) => updateProfile(hub, uid, made.id, fields);
    await expect(change({ dob: "yesterday" })).rejects.toMatchObject({ field: "dob" });
    await expect(change({ howlong: "x" })).rejects.toMatchObject({ field: "howlong" });
    await expect(change({ howlong: "2001-02-31 00:00:00" })).rejects.toMatchObject({ field: "howlong" });
    await expect(change({ profile_name: "Default profile" })).rejects.toMatchObject({ kind: "conflict" });
    expect(await change({ dob: "0000-05-06", fullname: "Ms A" })).toMatchObject({
      dob: "0000-05-06",
      fullname: "Ms A",
    });
    expect((await defaultProfile(hub, uid)).fullname).toBe("Alice");
    const friend = await connect(hub, alice, { xchan_hash: bob.channel_hash });
    await updateConnection(hub, alice, friend.abook_id, { profile: made.profile_guid });
    await expect(deleteProfile(hub, bob.channel_id, made.id)).rejects.toMatchObject({ kind: "missing" });
    await deleteProfile(hub, uid, made.id);
    const { profile_guid: fallback, id } = await defaultProfile(hub, uid);
    expect(await updateConnection(hub, alice, friend.abook_id, {})).toMatchObject({ abook_profile: fallback });
    await expect(deleteProfile(hub, uid, id)).rejects.toMatchObject({ kind: "invalid" });
  });
});
