import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes, createTable } from "./columns.ts";

const lists = "allow_cid allow_gid deny_cid deny_gid";

/** The tables of the first release. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await identity(db, engine);
  await connections(db, engine);
  await items(db, engine);
  await createTable(
    db,
    engine,
    "job",
    [
      ["id", "id"],
      ["text", "name payload"],
      ["date", "run_at created"],
      ["zero", "leased_until"],
      ["flag", "attempts dead"],
      ["empty", "lane last_error"],
    ],
    ["unique_key text"],
  );
  await createIndexes(db, {
    job_due: "job (dead, run_at, id)",
    job_key_unique: "job (unique_key)",
    job_lane: "job (lane, id) where lane <> ''",
  });
}

async function identity(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(db, engine, "account", [
    ["id", "account_id"],
    ["flag", "account_parent account_default_channel account_flags account_roles account_level"],
    ["text", "account_email account_password"],
    ["empty", "account_language account_service_class"],
    ["date", "account_created"],
    ["zero", "account_lastlog account_expires account_password_changed"],
  ]);
  await createTable(db, engine, "channel", [
    ["id", "channel_id"],
    ["big", "channel_account_id"],
    ["text", "channel_name channel_address channel_guid channel_guid_sig channel_hash channel_pubkey channel_prvkey"],
    ["text", "channel_ed25519_pubkey channel_ed25519_prvkey"],
    ["empty", "channel_timezone channel_location channel_theme channel_startpage channel_default_group channel_moved"],
    ["empty", lists.replace(/\w+/g, "channel_$&")],
    ["flag", "channel_primary channel_notifyflags channel_pageflags channel_max_anon_mail channel_max_friend_req"],
    ["flag", "channel_expire_days channel_removed channel_system friends_count followers_count"],
    ["date", "channel_created"],
    ["zero", "channel_dirdate channel_lastpost channel_deleted channel_active"],
  ]);
  await createTable(db, engine, "xchan", [
    ["id", "xchan_id"],
    ["text", "xchan_hash"],
    ["empty", "xchan_guid xchan_guid_sig xchan_pubkey xchan_photo_mimetype xchan_photo_l xchan_photo_m xchan_photo_s"],
    [
      "empty",
      "xchan_addr xchan_url xchan_connurl xchan_follow xchan_connpage xchan_name xchan_network xchan_instance_url",
    ],
    ["empty", "xchan_about xchan_location"],
    ["flag", "xchan_flags xchan_hidden xchan_orphan xchan_censored xchan_selfcensored xchan_system xchan_pubforum"],
    ["flag", "xchan_deleted statuses_count"],
    ["date", "xchan_created"],
    ["zero", "xchan_photo_date xchan_name_date"],
  ]);
  await createTable(db, engine, "hubloc", [
    ["id", "hubloc_id"],
    ["text", "hubloc_hash"],
    ["empty", "hubloc_guid hubloc_guid_sig hubloc_addr hubloc_network hubloc_url hubloc_url_sig hubloc_host"],
    ["empty", "hubloc_callback hubloc_connect hubloc_sitekey"],
    ["flag", "hubloc_flags hubloc_status hubloc_primary hubloc_orphancheck hubloc_error hubloc_deleted"],
    ["zero", "hubloc_updated hubloc_connected"],
  ]);
  await createTable(db, engine, "profile", [
    ["id", "id"],
    ["big", "aid uid"],
    ["text", "profile_guid profile_name"],
    ["flag", "is_default hide_friends publish"],
    ["empty", "fullname pdesc chandesc dob dob_tz address locality region postal_code country_name hometown gender"],
    ["empty", "marital partner sexual politic religion keywords likes dislikes about summary music book tv film"],
    ["empty", "interest romance employment education contact channels homepage photo thumb profile_vcard"],
    ["zero", "howlong"],
  ]);
  await createTable(db, engine, "config", [
    ["id", "id"],
    ["big", "uid"],
    ["text", "cat k v"],
    ["date", "updated"],
  ]);
  await createTable(db, engine, "setting", [["text", "k v"]], ["primary key (k)"]);
  await createTable(
    db,
    engine,
    "session",
    [
      ["text", "token_digest csrf_token"],
      ["big", "account_id channel_id"],
      ["date", "created expires"],
    ],
    ["primary key (token_digest)"],
  );
  await createTable(db, engine, "photo", [
    ["id", "id"],
    ["big", "aid uid"],
    ["text", "resource_id blob"],
    ["empty", `xchan title description album filename mimetype ${lists}`],
    ["flag", "height width filesize imgscale photo_usage profile is_nsfw photo_flags"],
    ["date", "created edited"],
    ["zero", "expires"],
  ]);
  await createIndexes(db, {
    account_email_unique: "account (account_email)",
    channel_address_unique: "channel (channel_address)",
    channel_hash_unique: "channel (channel_hash)",
    channel_account: "channel (channel_account_id)",
    xchan_hash_unique: "xchan (xchan_hash)",
    xchan_guid: "xchan (xchan_guid)",
    xchan_addr: "xchan (lower(xchan_addr))",
    xchan_url: "xchan (xchan_url)",
    hubloc_hash: "hubloc (hubloc_hash)",
    profile_channel: "profile (uid)",
    profile_guid: "profile (profile_guid)",
    config_key_unique: "config (uid, cat, k)",
    session_account: "session (account_id)",
    session_expires: "session (expires)",
    photo_rendition_unique: "photo (uid, resource_id, imgscale)",
    photo_profile: "photo (uid, imgscale, photo_usage)",
  });
}

async function connections(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(db, engine, "abook", [
    ["id", "abook_id"],
    ["big", "abook_account abook_channel"],
    ["text", "abook_xchan"],
    ["flag", "abook_closeness abook_flags abook_blocked abook_ignored abook_hidden abook_archived abook_pending"],
    ["flag", "abook_unconnected abook_self abook_feed"],
    ["empty", "abook_profile abook_incl abook_excl abook_instance follow_out follow_in"],
    ["date", "abook_created abook_updated"],
    ["zero", "abook_connected abook_dob"],
  ]);
  await createTable(db, engine, "abconfig", [
    ["id", "id"],
    ["big", "chan"],
    ["text", "xchan cat k v"],
  ]);
  await createTable(db, engine, "pgrp", [
    ["id", "id"],
    ["big", "uid"],
    ["text", "hash gname"],
    ["flag", "visible deleted"],
  ]);
  await createTable(db, engine, "pgrp_member", [
    ["id", "id"],
    ["big", "uid gid"],
    ["text", "xchan"],
  ]);
  await createIndexes(db, {
    abook_connection_unique: "abook (abook_channel, abook_xchan)",
    abook_xchan: "abook (abook_xchan)",
    // Asked for with every timeline; nearly nobody is in it.
    abook_unwanted: "abook (abook_channel) where abook_blocked = 1 or abook_ignored = 1",
    abconfig_key_unique: "abconfig (chan, xchan, cat, k)",
    pgrp_channel: "pgrp (uid, gname)",
    pgrp_hash_unique: "pgrp (hash)",
    pgrp_member_unique: "pgrp_member (gid, xchan)",
    pgrp_member_of: "pgrp_member (uid, xchan)",
  });
}

const normal = [
  "item_hidden",
  "item_type",
  "item_deleted",
  "item_unpublished",
  "item_delayed",
  "item_pending_remove",
  "item_blocked",
];

async function items(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(
    db,
    engine,
    "message",
    [
      ["id", "id"],
      ["text", "mid uuid parent_mid thr_parent verb obj_type"],
      ["big", "author_id"],
      ["date", "created edited"],
      ["zero", "expires comments_closed"],
      [
        "empty",
        "mimetype title body html plain app lang obj tgt_type target layout_mid plink resource_id resource_type",
      ],
      ["empty", "attach sig fed_meta location coord"],
      ["flag", "revision item_consensus item_nocomment item_nsfw item_verified item_rss"],
    ],
    [`shared_id ${engine === "postgres" ? "bigint" : "integer"} not null default 0`],
  );
  await createTable(
    db,
    engine,
    "item",
    [
      ["id", "id"],
      ["big", "uid aid message_id parent thr_parent_id author_id owner_id"],
      ["date", "created commented received changed"],
      ["empty", `public_policy comment_policy ${lists} postopts route`],
      ["flag", "item_private item_origin item_unseen item_starred item_uplink item_wall item_thread_top item_notshown"],
      [
        "flag",
        "item_relay item_mentionsme item_retained item_deleted item_type item_hidden item_unpublished item_delayed",
      ],
      ["flag", "item_pending_remove item_blocked answers_me"],
    ],
    [
      `source_id ${engine === "postgres" ? "bigint" : "integer"} not null default 0`,
      `item_normal integer not null generated always as (case when ${normal.map((flag) => `${flag} = 0`).join(" and ")} then 1 else 0 end) stored`,
    ],
  );
  await createTable(db, engine, "term", [
    ["id", "tid"],
    ["big", "message_id uid"],
    ["flag", "otype ttype"],
    ["text", "term term_key"],
    ["empty", "url imgurl term_hash parent_hash"],
  ]);
  await createTable(db, engine, "iconfig", [
    ["id", "id"],
    ["big", "message_id uid"],
    ["text", "cat k v"],
    ["flag", "sharing"],
  ]);
  await createTable(db, engine, "notify", [
    ["id", "id"],
    ["big", "aid uid item_id"],
    ["text", "hash xname url photo msg link otype"],
    ["date", "created"],
    ["empty", "parent verb"],
    ["flag", "seen ntype"],
  ]);
  await createIndexes(db, {
    message_mid_unique: "message (mid, author_id)",
    message_uuid_unique: "message (uuid)",
    message_shared: "message (shared_id) where shared_id > 0",
    item_message_unique: "item (message_id, uid)",
    // Timelines of one channel by id, threads of one channel by last comment and by date.
    item_timeline: "item (uid, item_normal, item_notshown, id)",
    item_threads: "item (uid, item_normal, commented, id) where item_thread_top = 1",
    item_threads_created: "item (uid, item_normal, created, id) where item_thread_top = 1",
    item_members: "item (parent, item_normal, created, id)",
    item_answers: "item (thr_parent_id, item_normal)",
    item_author: "item (author_id, item_normal, item_notshown, id)",
    // The wall by date for streams, by id for pages; few rows are in these.
    item_wall: "item (uid, item_normal, created, id) where item_wall = 1 and item_thread_top = 1",
    item_wall_ids: "item (uid, item_normal, id) where item_wall = 1 and item_thread_top = 1",
    item_public: "item (item_normal, item_notshown, id) where item_wall = 1 and item_origin = 1 and item_private = 0",
    item_tombstones: "item (changed) where item_deleted = 1",
    item_starred: "item (uid, item_normal, item_notshown, id) where item_starred = 1",
    item_addressed: "item (uid, item_normal, item_notshown, id) where item_mentionsme = 1 or answers_me = 1",
    term_message: "term (message_id, uid)",
    term_key: "term (ttype, term_key, message_id)",
    iconfig_message: "iconfig (message_id, uid)",
    iconfig_value: "iconfig (uid, cat, k, v)",
    notify_channel: "notify (uid, seen, created, id)",
    notify_link: "notify (uid, link)",
    notify_item: "notify (item_id) where item_id > 0",
  });
}
