import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes, createTable } from "./columns.ts";

const lists = "allow_cid allow_gid deny_cid deny_gid";

/** The records of native contract 2.12 to 2.15: files, events, direct messages, menus, guests and the rest of an export. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await files(db, engine);
  await eventsAndMail(db, engine);
  await smallRecords(db, engine);
  await versions(db, engine);
  await createTable(db, engine, "import_run", [
    ["id", "id"],
    ["big", "account_id"],
    ["flag", "channel_id"],
    ["text", "state source options progress report"],
    ["empty", "blob"],
    ["date", "created updated"],
  ]);
  await createIndexes(db, {
    import_run_account: "import_run (account_id, id)",
    import_run_blob: "import_run (blob) where blob <> ''",
  });
}

async function files(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(db, engine, "attach", [
    ["id", "id"],
    ["big", "aid uid filesize"],
    ["text", "hash creator filename filetype"],
    ["empty", `folder os_path display_path blob ${lists}`],
    ["flag", "revision flags is_dir is_photo os_storage latest"],
    ["date", "created edited"],
  ]);
  await createIndexes(db, {
    attach_revision_unique: "attach (uid, hash, revision)",
    attach_hash: "attach (hash, revision)",
    // Names are unique within a folder; older revisions keep theirs beside the newest.
    attach_name_unique: "attach (uid, folder, filename) where latest = 1",
    attach_entries: "attach (uid, folder, (1 - is_dir), filename) where latest = 1",
    attach_list: "attach (uid, created, id)",
    attach_photos: "attach (uid, folder, id) where is_photo = 1 and latest = 1",
    attach_photos_all: "attach (uid, id) where is_photo = 1 and latest = 1",
    attach_folders: "attach (uid, folder, hash) where is_dir = 1",
    attach_quota: "attach (aid, filesize)",
    attach_blob: "attach (blob) where blob <> ''",
    photo_blob: "photo (blob)",
    photo_resource: "photo (resource_id, imgscale)",
    // Copies of the pictures of people elsewhere.
    photo_faces: "photo (xchan) where photo_usage = 2",
    photo_list: "photo (uid, created, resource_id, imgscale)",
  });
}

async function eventsAndMail(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(db, engine, "event", [
    ["id", "id"],
    ["big", "aid uid"],
    ["text", "event_xchan event_hash etype"],
    ["date", "created edited"],
    ["zero", "dtstart dtend event_status_date"],
    ["empty", `summary description html location event_status event_repeat event_vdata ${lists}`],
    ["flag", "cal_id nofinish adjust dismissed event_percent event_sequence event_priority"],
  ]);
  await createTable(db, engine, "conv", [
    ["id", "id"],
    ["big", "uid"],
    ["text", "guid recips creator"],
    ["date", "created updated"],
    ["empty", "subject"],
  ]);
  await createTable(db, engine, "mail", [
    ["id", "id"],
    ["big", "convid account_id channel_id"],
    ["text", "conv_guid from_xchan to_xchan mid parent_mid"],
    ["empty", "title body html plain sig attach fed_meta"],
    ["flag", "mail_flags mail_deleted mail_replied mail_isreply mail_seen mail_recalled"],
    ["date", "created"],
    ["zero", "expires"],
  ]);
  await createIndexes(db, {
    event_hash_unique: "event (uid, event_hash)",
    event_by_hash: "event (event_hash)",
    event_dates: "event (uid, dtstart, id)",
    event_ends: "event (uid, dtend)",
    event_repeats: "event (uid, id) where event_repeat <> ''",
    conv_guid_unique: "conv (uid, guid)",
    conv_updated: "conv (uid, updated, id)",
    mail_mid_unique: "mail (channel_id, mid)",
    mail_list: "mail (channel_id, id)",
    mail_conversation: "mail (channel_id, conv_guid, id) where mail_deleted = 0",
    mail_received: "mail (channel_id, to_xchan, id) where mail_deleted = 0",
    mail_sent: "mail (channel_id, from_xchan, id) where mail_deleted = 0",
    mail_unseen: "mail (channel_id, id) where mail_seen = 0 and mail_deleted = 0",
  });
}

async function smallRecords(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(db, engine, "chatroom", [
    ["id", "cr_id"],
    ["big", "cr_aid cr_uid cr_expire"],
    ["text", "cr_name"],
    ["date", "cr_created cr_edited"],
    ["empty", lists],
  ]);
  await createTable(db, engine, "app", [
    ["id", "id"],
    ["big", "app_channel"],
    ["text", "app_id app_name"],
    ["empty", "app_sig app_page app_requires app_price app_version app_plugin app_author app_addr app_desc app_url"],
    ["empty", "app_photo"],
    ["flag", "app_options app_deleted app_system"],
    ["date", "app_created app_edited"],
  ]);
  await createTable(db, engine, "menu", [
    ["id", "menu_id"],
    ["big", "menu_channel_id"],
    ["text", "menu_name"],
    ["empty", "menu_desc"],
    ["flag", "menu_flags"],
    ["date", "menu_created menu_edited"],
  ]);
  await createTable(db, engine, "menu_item", [
    ["id", "mitem_id"],
    ["big", "mitem_menu_id mitem_channel_id"],
    ["text", "mitem_link mitem_desc"],
    ["flag", "mitem_flags mitem_order"],
  ]);
  await createTable(db, engine, "obj", [
    ["id", "obj_id"],
    ["big", "obj_channel"],
    ["text", "obj_obj"],
    ["empty", `obj_page obj_verb obj_term obj_url obj_imgurl ${lists}`],
    ["flag", "obj_type obj_quantity"],
    ["date", "obj_created obj_edited"],
  ]);
  await createTable(db, engine, "likes", [
    ["id", "id"],
    ["big", "channel_id"],
    ["text", "liker likee verb"],
    ["empty", "i_mid target_type target_id target"],
    ["flag", "iid"],
  ]);
  await createTable(db, engine, "atoken", [
    ["id", "atoken_id"],
    ["big", "atoken_aid atoken_uid"],
    ["text", "atoken_name atoken_token"],
    ["zero", "atoken_expires"],
  ]);
  await createIndexes(db, {
    chatroom_name_unique: "chatroom (cr_uid, cr_name)",
    app_id_unique: "app (app_channel, app_id)",
    menu_name_unique: "menu (menu_channel_id, menu_name)",
    menu_item_menu: "menu_item (mitem_menu_id, mitem_order, mitem_id)",
    obj_unique: "obj (obj_channel, obj_obj)",
    likes_channel: "likes (channel_id, id)",
    atoken_name_unique: "atoken (atoken_uid, atoken_name)",
    atoken_token: "atoken (atoken_token)",
  });
}

/** A wiki page keeps every saved version under the same mid; terms also mark records that are no messages. */
async function versions(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const number = engine === "postgres" ? "bigint" : "integer";
  await sql.raw(`alter table message add column version integer not null default 0`).execute(db);
  await sql.raw(`drop index message_mid_unique`).execute(db);
  await sql.raw(`drop index iconfig_value`).execute(db);
  await sql.raw(`alter table term add column oid ${number} not null default 0`).execute(db);
  await createIndexes(db, {
    message_version_unique: "message (mid, author_id, version)",
    // Imported items bring values that no index of PostgreSQL can hold whole.
    iconfig_value: "iconfig (uid, cat, k, substr(v, 1, 100))",
    message_wiki: "message (id) where resource_type in ('nwiki', 'nwikipage')",
    message_resource: "message (resource_id) where resource_id <> ''",
    item_pages: "item (uid, item_type, id) where item_type > 0",
    term_record: "term (uid, ttype, oid) where message_id = 0",
    // Folders that a channel has saved items to.
    term_folder: "term (uid, ttype, term_key) where uid > 0",
    // What waits for the owner of a wall, or was taken off it.
    item_kept_back: "item (uid, item_blocked, id) where item_blocked > 0",
    // What an export of the channel's own content holds.
    item_export: "item (uid, created, id) where item_deleted = 0 and (item_wall = 1 or item_type > 0)",
  });
}
