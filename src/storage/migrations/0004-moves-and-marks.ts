import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Kysely } from "kysely";
import { remoteKey } from "../remote-key.ts";
import type { Engine } from "../engine.ts";
import { createIndexes, createTable } from "./columns.ts";

/**
 * Things of other services stand for one item each; files whose bytes were lost are known; forms are signed from the start;
 * hearsay is marked; warnings, articles, chatrooms and guests of other hubs have a place.
 */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await remoteItems(db, engine);
  await lostBlobs(db, engine);
  await formSecret(db);
  await sessions(db, engine);
  await hearsay(db);
  // Calendars are listed by the numbers of their entries as well (`svc/events`).
  await createIndexes(db, { event_numbers: "event (uid, id)" });
  await warnings(db, engine);
  await guests(db, engine);
  await originals(db);
  await articles(db);
  await chats(db, engine);
  // Jobs outside of lanes are found without looking at those that wait in one.
  await createIndexes(db, { job_unlaned: "job (dead, run_at, id) where lane = ''" });
  await polls(db, engine);
}

type Pair = { id: number; k: string; v: string };

/**
 * Native contract 6.15: a channel has one item of each `namespace` and `remote_id`. Of several that are here already the
 * first one keeps the pair, and the others stay as posts.
 */
async function remoteItems(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const text = engine === "postgres" ? 'text collate "C"' : "text";
  await sql.raw(`alter table iconfig add column remote_key ${text}`).execute(db);
  const isLive = (row: string) =>
    sql.raw(`exists (select 1 from item where item.message_id = ${row}.message_id
      and item.uid = ${row}.uid and item.item_deleted = 0)`);
  let last = 0;
  for (;;) {
    const { rows } = await sql<Pair>`
      select pair.id, pair.k, pair.v from iconfig pair
      where pair.id > ${last} and pair.uid > 0 and pair.cat = 'system'
        and pair.k not in ('BUILDBLOCK', 'PDL', 'WEBPAGE', 'docfile', 'CARD', 'ARTICLE') and ${isLive("pair")}
        and not exists (select 1 from iconfig earlier where earlier.uid = pair.uid and earlier.cat = pair.cat
          and earlier.k = pair.k and substr(earlier.v, 1, 100) = substr(pair.v, 1, 100) and earlier.v = pair.v
          and earlier.id < pair.id and ${isLive("earlier")})
      order by pair.id limit 500`.execute(db);
    for (const { id, k, v } of rows)
      await sql`update iconfig set remote_key = ${remoteKey(k, v)} where id = ${id}`.execute(db);
    if (rows.length === 0) break;
    last = Number(rows.at(-1)!.id);
  }
  await createIndexes(db, { iconfig_remote_unique: "iconfig (uid, remote_key)" });
}

/** What `hubbub files check --repair` has noted: rows speak of these blobs, and their bytes are not there. */
async function lostBlobs(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(
    db,
    engine,
    "lost_blob",
    [["date", "noted"]],
    [`blob ${engine === "postgres" ? 'text collate "C"' : "text"} not null primary key`],
  );
}

/** What signs the forms of visitors is there before the first of them: looking at a page writes nothing. */
async function formSecret(db: Kysely<unknown>): Promise<void> {
  await sql`insert into setting (k, v) select 'form_secret', ${randomBytes(32).toString("base64url")}
    where not exists (select 1 from setting where k = 'form_secret')`.execute(db);
}

/** Fields of an identity that lead somewhere. */
const addresses = `xchan_url xchan_connurl xchan_follow xchan_connpage xchan_instance_url xchan_photo_l xchan_photo_m
  xchan_photo_s`.split(/\s+/);

/**
 * What imports say about others is marked as hearsay. Whoever became known while an import was under way may have come with
 * it; channels that came have the addresses of this hub from now on.
 */
async function hearsay(db: Kysely<unknown>): Promise<void> {
  const run = (step: string) => sql.raw(step).execute(db);
  await run("alter table xchan add column xchan_hearsay integer not null default 0");
  await run(`update xchan set xchan_hearsay = 1 where xchan_network not in ('token', 'anon')
    and not exists (select 1 from channel where channel_hash = xchan_hash)
    and exists (select 1 from import_run where xchan_created >= created
      and (state = 'running' or xchan_created <= updated))`);
  for (const column of addresses)
    await run(`update xchan set ${column} = '' where xchan_hearsay = 1
      and lower(${column}) not like 'http://%' and lower(${column}) not like 'https://%'`);
  const { rows } = await sql<{ v: string }>`select v from setting where k = 'base_url'`.execute(db);
  if (rows[0]) await bringHome(db, rows[0].v);
}

async function bringHome(db: Kysely<unknown>, base: string): Promise<void> {
  const nick = (before: string, after: string) =>
    sql`(select cast(${before} as text) || channel_address || cast(${after} as text) from channel where channel_hash = xchan_hash)`;
  const photo = (size: string) =>
    sql`(select cast(${`${base}/photo/profile/${size}/`} as text) || channel_id from channel where channel_hash = xchan_hash)`;
  const address = nick("", `@${new URL(base).host}`);
  await sql`update xchan set xchan_addr = ${address}, xchan_url = ${nick(`${base}/channel/`, "")},
      xchan_connurl = ${nick(`${base}/poco/`, "")}, xchan_follow = ${`${base}/follow?f=&url=%s`},
      xchan_photo_l = ${photo("l")}, xchan_photo_m = ${photo("m")}, xchan_photo_s = ${photo("s")}
    where exists (select 1 from channel where channel_hash = xchan_hash and channel_removed = 0)
      and xchan_addr <> ${address}`.execute(db);
}

async function addText(db: Kysely<unknown>, engine: Engine, table: string, column: string): Promise<void> {
  const text = engine === "postgres" ? 'text collate "C"' : "text";
  await sql.raw(`alter table ${table} add column ${column} ${text} not null default ''`).execute(db);
}

async function warnings(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await addText(db, engine, "message", "summary");
}

/** Guests from elsewhere may go by another name in access lists than the one that people see. */
async function guests(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await addText(db, engine, "atoken", "atoken_guid");
  await createIndexes(db, { atoken_guid_unique: "atoken (atoken_uid, atoken_guid) where atoken_guid <> ''" });
}

/** Images whose bytes came from elsewhere as they are: what they say of themselves is for their owner alone. */
async function originals(db: Kysely<unknown>): Promise<void> {
  await sql.raw("alter table attach add column is_original integer not null default 0").execute(db);
}

/**
 * Cards and articles are posts that have a page of their own: their kind stands apart. What came before as a page that
 * nobody could reach is shown to nobody new where pages are for others than posts are.
 */
async function articles(db: Kysely<unknown>): Promise<void> {
  await sql.raw("alter table item add column item_kind integer not null default 0").execute(db);
  await sql
    .raw(
      `update item set item_private = 1, public_policy = 'self' where item_type in (6, 7) and item_private = 0
      and exists (select 1 from config p join config s on s.uid = p.uid and s.cat = p.cat and s.v <> p.v
        where p.uid = item.uid and p.cat = 'perm_limits' and p.k = 'view_pages' and s.k = 'view_stream')`,
    )
    .execute(db);
  await sql.raw("update item set item_kind = item_type, item_type = 0 where item_type in (6, 7)").execute(db);
  await createIndexes(db, { item_articles: "item (uid, item_kind, id) where item_kind > 0 and item_wall = 1" });
}

async function chats(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(db, engine, "chat_line", [
    ["id", "id"],
    ["big", "room_id author_id"],
    ["text", "body"],
    ["date", "created"],
  ]);
  await createIndexes(db, { chat_line_room: "chat_line (room_id, id)" });
}

/** People vote once in a poll; its options and counts stand in the object of its message. */
async function polls(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(
    db,
    engine,
    "poll_vote",
    [
      ["big", "message_id xchan_id"],
      ["text", "choices"],
    ],
    ["primary key (message_id, xchan_id)"],
  );
}

/** People see where they are logged in: with which browser, and when it was last there. */
async function sessions(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await addText(db, engine, "session", "browser");
  await addText(db, engine, "session", "used");
  await sql.raw(`update session set used = created`).execute(db);
}
