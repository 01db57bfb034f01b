import { Readable } from "node:stream";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { basic, clientOf } from "../../../test/support/client.ts";
import { nobody } from "../../../test/support/people.ts";
import { uploadPhotoFor } from "../../domain/cloud/channel-photos.ts";
import { newRevision, upload } from "../../domain/cloud/upload.ts";
import { connect } from "../../domain/connections/connections.ts";
import { saveEvent } from "../../domain/events/save.ts";
import type { File } from "../../domain/files/types.ts";
import { addMembers, createGroup, deleteGroup } from "../../domain/groups/groups.ts";
import { importApp } from "../../domain/identity/belongings/apps.ts";
import { importChatroom } from "../../domain/identity/belongings/chatrooms.ts";
import { importLike } from "../../domain/identity/belongings/likes.ts";
import { importThing } from "../../domain/identity/belongings/things.ts";
import { verifySignature } from "../../domain/identity/xchans/signing.ts";
import { deleteItem } from "../../domain/items/posting/delete.ts";
import { postItem } from "../../domain/items/posting/post.ts";
import { sendMessage } from "../../domain/messages/send.ts";
import { putMenu } from "../../domain/pages/menus.ts";
import { savePage } from "../../domain/pages/save.ts";
import { createWiki } from "../../domain/pages/wiki-create.ts";
import { saveWikiPage } from "../../domain/pages/wiki-save.ts";
import type { Hub } from "../../hub.ts";

/** Exports: native contract 6.1, 6.8 and 6.17, field for field as native contract 2 lists them. */

const api = "/api/z/1.0";

const fields = (text: string, prefix = ""): string[] => text.split(/\s+/).map((name) => prefix + name);

const lists = "allow_cid allow_gid deny_cid deny_gid";
const configFields = fields("id uid cat k v updated");
const termFields = fields("tid aid uid oid otype ttype term url imgurl term_hash parent_hash");
const xchanFields = fields(
  `hash guid guid_sig pubkey photo_mimetype photo_l photo_m photo_s addr url connurl follow connpage name network
  instance_url flags photo_date name_date hidden orphan censored selfcensored system pubforum deleted`,
  "xchan_",
);

/** The fields of the records of each key, in the order of the contract. */
const recordFields: Record<string, string[]> = {
  channel: [
    ...fields(
      `id account_id primary name address guid guid_sig hash timezone location theme startpage pubkey prvkey ed25519_pubkey
      ed25519_prvkey notifyflags
      pageflags dirdate lastpost deleted active max_anon_mail max_friend_req expire_days passwd_reset default_group allow_cid
      allow_gid deny_cid deny_gid removed system moved r_stream r_profile r_abook r_storage r_pages w_stream w_wall w_comment
      w_mail w_like w_tagwall w_chat w_storage w_pages a_republish a_delegate`,
      "channel_",
    ),
    "perm_limits",
  ],
  profile: fields(
    `id aid uid profile_guid profile_name is_default hide_friends fullname pdesc chandesc dob dob_tz address locality region
    postal_code country_name hometown gender marital partner sexual politic religion howlong keywords likes dislikes about
    summary music book tv film interest romance employment education contact channels homepage photo thumb publish
    profile_vcard`,
  ),
  abook: [
    ...fields(
      `id account channel xchan my_perms their_perms closeness created updated connected dob flags blocked ignored hidden
      archived pending unconnected self feed profile incl excl instance`,
      "abook_",
    ),
    "abconfig",
  ],
  xchan: xchanFields,
  hubloc: fields(
    `id guid guid_sig hash addr network flags status url url_sig host callback connect sitekey updated connected primary
    orphancheck error deleted`,
    "hubloc_",
  ),
  group: fields("id hash uid visible deleted gname"),
  group_member: fields("id uid gid xchan"),
  atoken: fields("id aid uid name token expires", "atoken_"),
  config: configFields,
  term: termFields,
  obj: fields(
    `obj_id obj_page obj_verb obj_type obj_obj obj_channel obj_term obj_url obj_imgurl obj_created obj_edited obj_quantity
    ${lists} obj_baseurl`,
  ),
  likes: fields("id channel_id liker likee iid i_mid verb target_type target_id target"),
  app: fields(
    `id app_channel app_id app_sig app_page app_requires app_price app_version app_plugin app_author app_addr app_name app_desc
    app_url app_photo app_options app_deleted app_system app_created app_edited term`,
  ),
  chatroom: fields(`cr_id cr_aid cr_uid cr_name cr_created cr_edited cr_expire ${lists}`),
  event: fields(
    `id aid uid cal_id event_xchan event_hash created edited dtstart dtend summary description location etype nofinish adjust
    dismissed ${lists} event_status event_status_date event_percent event_sequence event_priority event_repeat event_vdata`,
  ),
  menu: fields("type pagetitle desc created edited baseurl items"),
  conv: fields("id uid guid recips creator created updated subject"),
  mail: fields("type encoding message_id message_parent created expires title body from to flags conv_guid"),
};
const fullFields = fields(
  `type encoding message_id message_top message_parent created edited expires commented mimetype title body app verb object_type
  target_type permalink location longlat signature route owner author public_scope comment_scope id parent uid llink item_unseen
  item_starred item_mentionsme resource_type resource_id ${lists} revision layout_mid postopts item_origin item_uplink
  item_consensus item_wall item_thread_top item_notshown item_nsfw item_relay item_nocomment item_obscured item_verified
  item_retained item_rss item_deleted item_type item_hidden item_unpublished item_delayed item_pending_remove item_blocked`,
);
const attachFields = fields(
  `id aid uid hash creator filename filetype filesize revision folder flags is_dir is_photo os_storage os_path display_path
  content created edited ${lists}`,
);
const photoFields = fields(
  `id aid uid xchan resource_id created edited expires title description album filename mimetype height width filesize content
  imgscale photo_usage profile is_nsfw os_storage os_path display_path photo_flags ${lists}`,
);

const keysOf = {
  channel: ["channel", "profile", "photo"],
  connections: ["abook", "xchan", "hubloc", "group", "group_member", "atoken"],
  config: ["config", "term", "obj", "likes"],
  apps: ["app", "sysapp"],
  chatrooms: ["chatroom"],
  events: ["event", "event_item"],
  webpages: ["menu", "webpages"],
  mail: ["conv", "mail"],
  wikis: ["wiki"],
  items: ["item"],
  profile: ["profile", "photo"],
};
const always = ["compatibility", "relocate"];
const defaults = Object.entries(keysOf).flatMap(([name, keys]) => (["items", "profile"].includes(name) ? [] : keys));

let world: TestApp;
let hub: Hub;
let alma: Person;
let bruno: Person;
let dana: Person;
let image: File;
let note: File;

beforeAll(async () => {
  world = await openTestApp({ clock: "2026-03-31T12:00:00Z" });
  hub = world.hub;
  alma = await world.person("alma", { timezone: "Europe/Berlin" });
  bruno = await world.person("bruno");
  dana = await world.person("dana");
  await befriend();
  await smallRecords();
  await contents();
  await files();
});
afterAll(() => world.close());

async function befriend(): Promise<void> {
  await connect(hub, alma.channel, { xchan_hash: bruno.channel.channel_hash });
  await connect(hub, bruno.channel, { xchan_hash: alma.channel.channel_hash });
  const uid = alma.channel.channel_id;
  const club = await createGroup(hub, uid, "Club");
  await addMembers(hub, uid, club.id, [bruno.channel.channel_hash]);
  await deleteGroup(hub, uid, (await createGroup(hub, uid, "Gone")).id);
}

async function smallRecords(): Promise<void> {
  const { channel_id: uid, channel_account_id: aid, channel_hash: hash } = alma.channel;
  await hub.db
    .insertInto("atoken")
    .values({ atoken_aid: aid, atoken_uid: uid, atoken_name: "Guest", atoken_token: "open sesame" })
    .execute();
  const term = { message_id: 0, uid, term: "tea", term_key: "tea" };
  await hub.db
    .insertInto("term")
    .values([
      { ...term, ttype: 6, oid: 0, otype: 0 },
      { ...term, ttype: 7, oid: 4, otype: 6 },
    ])
    .execute();
  await importThing(hub, alma.channel, { obj_obj: "ab".repeat(32), obj_term: "bicycle", obj_quantity: 2 });
  await importLike(hub, alma.channel, { liker: bruno.channel.channel_hash, likee: hash, verb: "like" });
  const app = { app_name: "Notes", app_url: "https://notes.example", term: [{ term: "Tools", ttype: 3, otype: 7 }] };
  await importApp(hub, alma.channel, { ...app, app_id: "made.hub.example" });
  await importApp(hub, alma.channel, { ...app, app_id: "own.hub.example", app_system: 1 });
  await importChatroom(hub, alma.channel, { cr_name: "Kitchen" });
  await putMenu(hub, alma.channel, {
    name: "main",
    title: "Main",
    flags: 2,
    created: "2026-01-01 00:00:00",
    edited: "2026-01-01 00:00:00",
    entries: [{ link: "http://hub.example/channel/alma", label: "Wall", order: 1, flags: 3 }],
  });
}

async function contents(): Promise<void> {
  const { channel } = alma;
  await saveEvent(hub, channel, {
    summary: "Picnic",
    dtstart: "2026-05-01 10:00:00",
    dtend: "2026-05-01 12:00:00",
    share: { audience: nobody },
  });
  const page = { title: "A page", body: "text", mimetype: "text/bbcode", layoutMid: "" };
  for (const kind of ["block", "layout", "webpage"] as const)
    await savePage(hub, channel, channel, { ...page, kind, name: `my ${kind}` });
  const sent = await sendMessage(hub, channel, { to: bruno.channel.channel_hash, title: "Hello", body: "psst" });
  await sendMessage(hub, bruno.channel, {
    to: channel.channel_hash,
    body: "what?",
    replyTo: (
      await hub.db
        .selectFrom("mail")
        .select("id")
        .where("channel_id", "=", bruno.channel.channel_id)
        .where("mid", "=", sent.mid)
        .executeTakeFirstOrThrow()
    ).id,
  });
  await createWiki(hub, channel, { name: "Handbook", mimetype: "text/bbcode", posted: false });
  await saveWikiPage(hub, channel, channel, "Handbook", { name: "Home", body: "one", base: 0 });
  await saveWikiPage(hub, channel, channel, "Handbook", { name: "Home", body: "two", base: 1 });
  await postItem(hub, channel, { body: "old", created: "2025-12-30 12:00:00" });
  await postItem(hub, channel, { body: "recent", created: "2026-01-02 12:00:00", categories: ["cooking"] });
  const gone = await postItem(hub, channel, { body: "gone" });
  await deleteItem(hub, channel, { id: gone.id });
  await postItem(hub, bruno.channel, { body: "not hers" });
  await world.work();
}

const stagedText = (text: string) => hub.blobs.stage(Readable.from([Buffer.from(text)]), 1000);
const picture = () =>
  sharp({ create: { width: 700, height: 500, channels: 3, background: "#07c" } })
    .jpeg()
    .toBuffer();

async function files(): Promise<void> {
  const { channel } = alma;
  const folder = { path: "Travel/Oslo" };
  const bytes = await picture();
  image = await upload(hub, channel, channel, await hub.blobs.stage(Readable.from([bytes]), bytes.length), {
    filename: "fjord.jpg",
    type: "image/jpeg",
    folder,
  });
  note = await upload(hub, channel, channel, await stagedText("first"), { filename: "note.txt", type: "text/plain" });
  await newRevision(hub, channel, channel, note.hash, await stagedText("second"), "text/plain");
  const face = await hub.blobs.stage(Readable.from([bytes]), bytes.length);
  await uploadPhotoFor(hub, "profile", channel, face, { filename: "me.jpg", type: "image/jpeg" });
}

type Export = Record<string, any>;

async function exported(query: Record<string, unknown> = {}): Promise<Export> {
  const { status, json } = await alma.get(`${api}/channel/export/basic`, query);
  expect(status).toBe(200);
  return json as Export;
}

/**
 * Every value within is text, but for numbers of the form and answer itself and what activities say of their objects.
 */
function onlyTexts(value: unknown, key = ""): void {
  if (["object", "target", "sharing"].includes(key)) return;
  if (Array.isArray(value)) for (const one of value) onlyTexts(one, key);
  else if (typeof value === "object" && value !== null)
    for (const [name, inner] of Object.entries(value)) onlyTexts(inner, name);
  else expect([key, typeof value]).toEqual([key, "string"]);
}

const required = (item: object): string[] => Object.keys(item).filter((key) => fullFields.includes(key));

describe("channel/export/basic (6.1)", () => {
  test("holds the nine default sections and nothing else, each key also when it is empty", async () => {
    expect(Object.keys(await exported())).toEqual([...always, ...defaults]);
    const { json } = await dana.get(`${api}/channel/export/basic`);
    expect(Object.keys(json)).toEqual([...always, ...defaults.filter((key) => key !== "photo")]);
    const empty = defaults.filter((key) => Array.isArray(json[key]) && json[key].length === 0);
    expect(empty).toEqual(
      fields("atoken term obj likes app sysapp chatroom event event_item menu webpages conv mail wiki"),
    );
  });

  test("says where it is from", async () => {
    const { compatibility, relocate } = await exported({ sections: "chatrooms" });
    expect(compatibility).toEqual({
      project: "hubbub",
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      database: 1188,
      server_role: "standard",
    });
    expect(relocate).toEqual({ channel_address: "alma", url: "http://hub.example" });
  });

  test.each(Object.entries(recordFields))("%s has the fields of the contract", async (key, expected) => {
    const found = (await exported())[key];
    const records: object[] = Array.isArray(found) ? found : [found];
    expect(records.length).toBeGreaterThan(0);
    // A menu also says which flags it has.
    for (const record of records)
      expect(Object.keys(record).filter((name) => name !== "flags" || key === "mail")).toEqual(expected);
    onlyTexts(records);
  });

  test("the key is the channel's own, and fits", async () => {
    const { channel } = await exported({ sections: "channel" });
    const { createPrivateKey, createPublicKey } = await import("node:crypto");
    const derived = createPublicKey(createPrivateKey(channel.channel_prvkey)).export({ type: "spki", format: "pem" });
    expect(String(derived).trim()).toBe(channel.channel_pubkey.trim());
    expect(verifySignature(channel.channel_pubkey, channel.channel_guid, channel.channel_guid_sig)).toBe(true);
    expect(channel.channel_passwd_reset).toBe("");
    const proofs = createPublicKey(createPrivateKey(channel.channel_ed25519_prvkey));
    expect([proofs.asymmetricKeyType, proofs.export({ type: "spki", format: "pem" })]).toEqual([
      "ed25519",
      channel.channel_ed25519_pubkey,
    ]);
    expect(JSON.stringify(channel)).not.toContain("password");
  });

  test("limits come as rows and as the older columns", async () => {
    const { channel } = await exported({ sections: "channel" });
    expect(channel.perm_limits).toHaveLength(18);
    for (const row of channel.perm_limits) expect(Object.keys(row)).toEqual(configFields);
    expect(channel).toMatchObject({
      channel_r_stream: "1",
      channel_r_abook: "1",
      channel_w_wall: "128",
      channel_w_tagwall: "128",
      channel_a_delegate: "128",
    });
  });

  test("the profile photo is that of 300 pixels", async () => {
    const { photo } = await exported({ sections: "profile" });
    expect(Object.keys(photo)).toEqual(["type", "data"]);
    expect(photo.data).toMatch(/^[\w-]+$/);
    const { width, height } = await sharp(Buffer.from(photo.data, "base64url")).metadata();
    expect([width, height]).toEqual([300, 300]);
  });

  test("connections come with their metadata, identities and locations; the own one is among them", async () => {
    const { abook, xchan, hubloc } = await exported({ sections: "connections" });
    const hashes = [alma, bruno].map((one) => one.channel.channel_hash).toSorted();
    expect(abook.map((row: Export) => row.abook_xchan)).toEqual(hashes);
    expect(xchan.map((row: Export) => row.xchan_hash)).toEqual(hashes);
    expect(hubloc.map((row: Export) => row.hubloc_hash)).toEqual(hashes);
    expect(abook.filter((row: Export) => row.abook_self === "1")).toHaveLength(1);
    const friend = abook.find((row: Export) => row.abook_self === "0");
    expect(friend.abook_my_perms).toBe("218555");
    expect(friend.abook_their_perms).toBe("218555");
    expect(friend.abconfig.length).toBeGreaterThan(18);
    for (const row of friend.abconfig) expect(Object.keys(row)).toEqual(fields("id chan xchan cat k v"));
  });

  test("deleted groups stay in it, because old lists name them", async () => {
    const { group, group_member } = await exported({ sections: "connections" });
    const states = group.map(({ gname, deleted }: Export) => [gname, deleted]);
    expect(states).toEqual([
      ["Friends", "0"],
      ["Club", "0"],
      ["Gone", "1"],
    ]);
    const club = group.find(({ gname }: Export) => gname === "Club");
    expect(group_member.filter(({ gid }: Export) => gid === club.id).map(({ xchan }: Export) => xchan)).toEqual([
      bruno.channel.channel_hash,
    ]);
  });

  test("settings, saved searches, things, likes, guests", async () => {
    const { config, term, obj, likes } = await exported({ sections: "config" });
    expect(config).toContainEqual(expect.objectContaining({ cat: "system", k: "permissions_role", v: "social" }));
    expect(term.map(({ ttype, oid }: Export) => [ttype, oid])).toEqual([
      ["6", "0"],
      ["7", "4"],
    ]);
    expect(obj).toEqual([expect.objectContaining({ obj_quantity: "2", obj_baseurl: "http://hub.example" })]);
    expect(likes).toEqual([expect.objectContaining({ liker: bruno.channel.channel_hash })]);
    expect((await exported({ sections: "connections" })).atoken).toEqual([
      expect.objectContaining({ atoken_name: "Guest", atoken_token: "open sesame" }),
    ]);
  });

  test("apps with their terms, the installed ones apart", async () => {
    const { app, sysapp } = await exported({ sections: "apps" });
    expect([app, sysapp].map((rows) => rows.map((row: Export) => row.app_id))).toEqual([
      ["made.hub.example"],
      ["own.hub.example"],
    ]);
    for (const row of [...app, ...sysapp]) {
      expect(row.term).toHaveLength(1);
      expect(Object.keys(row.term[0])).toEqual(termFields);
    }
  });

  test("events with their items", async () => {
    const { event, event_item } = await exported({ sections: "events" });
    expect(event_item).toHaveLength(1);
    expect(event_item[0]).toMatchObject({ resource_type: "event", resource_id: event[0].event_hash, title: "Picnic" });
    expect(required(event_item[0])).toEqual(fullFields);
  });

  test("menus with placeholders; blocks, layouts and pages in full form", async () => {
    const { menu, webpages } = await exported({ sections: "webpages" });
    expect(menu).toEqual([
      expect.objectContaining({
        pagetitle: "main",
        flags: ["bookmark"],
        items: [{ link: "[channelurl]", desc: "Wall", order: "1", flags: ["zid", "new-window"] }],
      }),
    ]);
    expect(webpages.map((item: Export) => item.item_type)).toEqual(["1", "2", "3"]);
    for (const item of webpages) expect(required(item)).toEqual(fullFields);
    expect(webpages[2].meta).toContainEqual({
      family: "system",
      key: "WEBPAGE",
      value: "my-webpage",
      sharing: expect.any(Number),
    });
  });

  test("direct messages as they came, both sides named", async () => {
    const { conv, mail } = await exported({ sections: "mail" });
    expect(conv).toHaveLength(1);
    expect(mail.map(({ body, flags }: Export) => [body, flags])).toEqual([
      ["psst", expect.arrayContaining(["seen"])],
      ["what?", ["isreply"]],
    ]);
    expect(mail[1].message_parent).toBe(mail[0].message_id);
    expect(mail[0].conv_guid).toBe(conv[0].guid);
    expect(Object.keys(mail[0].from)).toEqual(fields("name address url network photo guid guid_sig hash"));
  });

  test("wikis with every revision, oldest first", async () => {
    const { wiki } = await exported({ sections: "wikis" });
    expect(wiki.map((item: Export) => [item.resource_type, item.revision, item.body === "two"])).toEqual([
      ["nwiki", "0", false],
      ["nwikipage", "0", false],
      ["nwikipage", "1", false],
      ["nwikipage", "2", true],
    ]);
    expect(new Set(wiki.slice(1).map((item: Export) => item.message_id)).size).toBe(1);
    for (const item of wiki) expect(required(item)).toEqual(fullFields);
  });

  test("items are the wall posts of three months, and the default sections with `posts`", async () => {
    const { item } = await exported({ sections: "items" });
    expect(item.map(({ body }: Export) => body)).toContain("recent");
    expect(item.map(({ body }: Export) => body)).not.toContain("gone");
    expect(item.map(({ body }: Export) => body)).not.toContain("not hers");
    expect(item.map(({ body }: Export) => body)).not.toContain("old");
    expect(item.filter(({ resource_type }: Export) => resource_type !== "")).toEqual([]);
    const recent = item.find(({ body }: Export) => body === "recent");
    expect(required(recent)).toEqual(fullFields);
    expect(recent.tags).toEqual([expect.objectContaining({ tag: "cooking", type: "category" })]);
    const dates = item.map(({ created }: Export) => created);
    expect(dates).toEqual(dates.toSorted());
    const all = await exported({ posts: 1, sections: "chatrooms" });
    expect(Object.keys(all)).toEqual([...always, ...defaults, "item"]);
    expect(all["item"]).toEqual(item);
  });

  test.each(Object.entries(keysOf))("sections=%s gives its keys alone", async (name, keys) => {
    expect(Object.keys(await exported({ sections: name }))).toEqual([...always, ...keys]);
  });

  test("sections in any form of a list; unknown ones are ignored, but not all of them", async () => {
    for (const sections of ["mail, nonsense,channel", ["mail", "channel", "nonsense"]])
      expect(Object.keys(await exported({ sections }))).toEqual([
        ...always,
        "channel",
        "profile",
        "photo",
        "conv",
        "mail",
      ]);
    expect(Object.keys(await exported({ sections: "channel,profile" }))).toEqual([
      ...always,
      "channel",
      "profile",
      "photo",
    ]);
    const { status, json } = await alma.get(`${api}/channel/export/basic`, { sections: "nonsense" });
    expect([status, json.reason, json.field]).toEqual([400, "bad_parameter", "sections"]);
  });

  test("changes nothing", async () => {
    const state = async () => [
      await hub.db.selectFrom("item").select(["id", "item_unseen", "changed"]).orderBy("id").execute(),
      await hub.db.selectFrom("mail").select(["id", "mail_seen"]).orderBy("id").execute(),
    ];
    const before = await state();
    await exported({ posts: 1 });
    expect(await state()).toEqual(before);
  });
});

describe("who gets an export", () => {
  const path = `${api}/channel/export/basic`;

  test("the account's own password, and no application", async () => {
    expect((await world.anonymous.get(path)).status).toBe(401);
    expect((await clientOf(world.app, "alma:wrong").get(path)).status).toBe(401);
    expect((await clientOf(world.app, "alma@example.org:correct horse").get(path)).status).toBe(200);
    for (const authorization of ["Bearer abc", 'OAuth oauth_token="abc"', "Signature x"]) {
      const { status, json } = await world.anonymous.get(path, {}, { headers: { authorization } });
      expect([authorization, status, json.reason]).toEqual([authorization, 403, "permission_denied"]);
    }
  });

  test("the channel of somebody else stays theirs", async () => {
    const { status, json } = await alma.get(path, { channel: "bruno" });
    expect([status, json.reason]).toEqual([403, "wrong_channel"]);
    expect(JSON.stringify(await exported({ posts: 1 }))).not.toContain("not hers");
  });

  test.each(["channel/export/basic", "item/export_page", "file/export", "file/export_page"])(
    "%s is refused over plain HTTP where the site has HTTPS",
    async (name) => {
      const other = await openTestApp({ env: { HUBBUB_BASE_URL: "https://hub.example", HUBBUB_TRUST_PROXY: "on" } });
      try {
        await other.person("alma");
        const authorization = basic("alma:correct horse");
        const reasonOver = async (proto: string) => {
          const headers = { authorization, "x-forwarded-proto": proto };
          const { json } = await other.anonymous.get(`${api}/${name}`, {}, { headers });
          return json.reason;
        };
        expect(await reasonOver("http")).toBe("permission_denied");
        expect(await reasonOver("https")).not.toBe("permission_denied");
      } finally {
        await other.close();
      }
    },
  );
});

describe("item/export_page (6.17)", () => {
  const page = async (query: Record<string, unknown> = {}): Promise<Export> => {
    const { status, json } = await alma.get(`${api}/item/export_page`, query);
    expect(status).toBe(200);
    return json as Export;
  };
  const ids = ({ item }: Export): string[] => item.map(({ id }: Export) => id);

  test("holds own wall posts and pages, oldest first, in full form; no photos, tombstones or others' posts", async () => {
    const all = await page({ records: 1000 });
    expect(Object.keys(all)).toEqual(["relocate", "items_total", "items_page", "item"]);
    expect(all["relocate"]).toEqual({ channel_address: "alma", url: "http://hub.example" });
    expect([all["items_total"], all["items_page"]]).toEqual([String(all["item"].length), 1000]);
    const bodies = all["item"].map(({ body }: Export) => body);
    expect(bodies.slice(0, 2)).toEqual(["old", "recent"]);
    for (const absent of ["gone", "not hers"]) expect(bodies).not.toContain(absent);
    expect(new Set(all["item"].map((item: Export) => item.item_type))).toEqual(new Set(["0", "1", "2", "3"]));
    const kinds = all["item"].map((item: Export) => item.resource_type);
    expect(kinds).toContain("nwikipage");
    expect(kinds).not.toContain("photo");
    for (const item of all["item"]) expect(required(item)).toEqual(fullFields);
    onlyTexts(all["item"]);
  });

  test("pages in order and out of turn are the same, and the size is kept within its bounds", async () => {
    const all = ids(await page({ records: 1000 }));
    const inOrder: string[] = [];
    for (let number = 0; number * 3 < all.length; number++)
      inOrder.push(...ids(await page({ page: number, records: 3 })));
    expect(inOrder).toEqual(all);
    expect(ids(await page({ page: 1, records: 4 }))).toEqual(all.slice(4, 8));
    expect(ids(await page({ page: 999, records: 3 }))).toEqual([]);
    expect((await page())["items_page"]).toBe(10);
    expect((await page({ records: 0 }))["items_page"]).toBe(1);
    expect((await page({ records: 5000 }))["items_page"]).toBe(1000);
  });

  test("since and until are inclusive and read in the channel's zone", async () => {
    // 12:00 UTC is 13:00 in Berlin.
    const old = { since: "2025-12-30 13:00:00", until: "2025-12-30 13:00:00" };
    expect((await page(old))["item"].map(({ body }: Export) => body)).toEqual(["old"]);
    expect((await page({ ...old, since: "2025-12-30 13:00:01" }))["item"]).toEqual([]);
    const later = await page({ since: "2025-12-31", records: 1000 });
    expect(later["item"][0].body).toBe("recent");
    expect(await page({ since: "2026-02-01", until: "2026-01-01" })).toMatchObject({ items_total: "0", item: [] });
  });

  test("a page that follows another is right also when an item of the first is gone", async () => {
    const [one, two, three] = [
      await postItem(hub, dana.channel, { body: "1" }),
      await postItem(hub, dana.channel, { body: "2" }),
      await postItem(hub, dana.channel, { body: "3" }),
    ];
    const pageOf = async (number: number) =>
      ids((await dana.get(`${api}/item/export_page`, { page: number, records: 2 })).json);
    expect(await pageOf(0)).toEqual([String(one.id), String(two.id)]);
    await deleteItem(hub, dana.channel, { id: one.id });
    expect(await pageOf(1)).toEqual([String(three.id)]);
    expect(await pageOf(0)).toEqual([String(two.id), String(three.id)]);
  });
});

describe("file/export (6.8)", () => {
  test("of an image: the way to it, every rendition, its item with comments", async () => {
    const { status, json } = await alma.get(`${api}/file/export`, { file_id: image.hash });
    expect(status).toBe(200);
    expect(Object.keys(json)).toEqual(["fetch_url", "original_channel", "attach", "photo", "item"]);
    expect([json.fetch_url, json.original_channel]).toEqual(["http://hub.example/getfile", "alma"]);
    expect(json.attach.map(({ filename }: Export) => filename)).toEqual(["Travel", "Oslo", "fjord.jpg"]);
    for (const record of json.attach) expect(Object.keys(record)).toEqual(attachFields);
    const [travel, oslo] = json.attach;
    expect(json.attach[2].content).toBe(`store/alma/${travel.hash}/${oslo.hash}/${image.hash}`);
    expect(json.photo.map(({ imgscale, content }: Export) => [imgscale, content === ""])).toEqual([
      ["0", true],
      ["1", false],
      ["2", false],
      ["3", false],
    ]);
    for (const record of json.photo) expect(Object.keys(record)).toEqual(photoFields);
    const { width } = await sharp(Buffer.from(json.photo[3].content, "base64")).metadata();
    expect(width).toBe(320);
    expect(json.item[0]).toMatchObject({ resource_type: "photo", resource_id: image.hash });
    onlyTexts([json.attach, json.photo, json.item]);
  });

  test("of another file there is neither photo nor item; unknown ones and those of others are missing", async () => {
    const { json } = await alma.get(`${api}/file/export`, { file_id: note.hash });
    expect(Object.keys(json)).toEqual(["fetch_url", "original_channel", "attach"]);
    expect(json.attach.at(-1)).toMatchObject({ revision: "1", filesize: "6" });
    const missing = await bruno.get(`${api}/file/export`, { file_id: "f".repeat(64) });
    const foreign = await bruno.get(`${api}/file/export`, { file_id: note.hash });
    expect(foreign.status).toBe(404);
    expect(foreign.text).toBe(missing.text);
    expect((await alma.get(`${api}/file/export`)).json.reason).toBe("missing_parameter");
  });

  test("file/export_page goes through all revisions in the order of files, and ends with success false", async () => {
    const { results } = (await alma.get(`${api}/files`)).json;
    const seen: string[] = [];
    for (let page = 0; page < results.length; page++) {
      const { json } = await alma.get(`${api}/file/export_page`, { page });
      expect([json.success, json.total, json.results.length]).toEqual([true, results.length, 1]);
      const file = json.results[0].attach.at(-1);
      seen.push(`${file.hash} ${file.revision}`);
    }
    expect(seen).toEqual(results.map(({ hash, revision }: Export) => `${hash} ${revision}`));
    const end = await alma.get(`${api}/file/export_page`, { page: results.length });
    expect([end.status, end.json]).toEqual([200, { success: false, total: results.length, results: [] }]);
  });
});
