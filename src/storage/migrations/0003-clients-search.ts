import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { zeroDate } from "../sql.ts";
import { createIndexes, createTable } from "./columns.ts";

/** Applications with their tokens, uploads in pieces, dates of lists and saved searches, the search index. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await applications(db, engine);
  await uploads(db, engine);
  await dates(db, engine);
  await people(db);
  await timelines(db);
  await searchIndex(db, engine);
  await mailIndex(db, engine);
}

/** Microblog contract 6.3 to 6.5. */
async function applications(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(db, engine, "oauth_client", [
    ["id", "id"],
    ["big", "uid"],
    ["text", "client_key secret name"],
    ["empty", "redirect icon"],
    ["date", "created"],
  ]);
  await createTable(db, engine, "oauth_token", [
    ["id", "id"],
    ["big", "client_id uid"],
    ["text", "kind token secret"],
    ["empty", "callback verifier"],
    ["flag", "tries"],
    ["date", "created expires"],
  ]);
  // One row for each signed request that changes something: a single tree, which grows at its end.
  const [text, end] = engine === "postgres" ? ['text collate "C"', ""] : ["text", "without rowid"];
  await sql.raw(`create table oauth_nonce (digest ${text} not null primary key) ${end}`).execute(db);
  await createIndexes(db, {
    oauth_client_key_unique: "oauth_client (client_key)",
    oauth_client_owner: "oauth_client (uid, id)",
    oauth_token_unique: "oauth_token (token)",
    oauth_token_client: "oauth_token (client_id)",
    oauth_token_owner: "oauth_token (uid, kind, id)",
    oauth_token_expires: "oauth_token (expires)",
  });
}

/** Microblog contract 8.11: media that comes in pieces. */
async function uploads(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTable(db, engine, "upload", [
    ["id", "id"],
    ["big", "uid total_bytes"],
    ["empty", "media_type album alt_text hash"],
    ["date", "created"],
  ]);
  await createTable(db, engine, "upload_piece", [
    ["id", "id"],
    ["big", "upload_id position size"],
    ["text", "blob"],
  ]);
  await createIndexes(db, {
    upload_created: "upload (created)",
    upload_piece_unique: "upload_piece (upload_id, position)",
    upload_piece_blob: "upload_piece (blob)",
  });
}

/** People are found by the beginning of their names. */
async function people(db: Kysely<unknown>): Promise<void> {
  await createIndexes(db, { xchan_name: "xchan (lower(xchan_name))" });
}

/** Lists and saved searches have a date of their own in the microblog interface; older ones have none. */
async function dates(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const text = engine === "postgres" ? 'text collate "C"' : "text";
  await sql.raw(`alter table pgrp add column created ${text} not null default ''`).execute(db);
  await sql.raw(`alter table term add column created ${text} not null default ''`).execute(db);
}

/**
 * Timelines that are drawn from two sources, the reader's own copies and the walls: each is a range of an index of its own,
 * so that what other people have is never walked through.
 */
async function timelines(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter table item add column reshared integer not null default 0`).execute(db);
  await sql
    .raw(
      `update item set reshared = 1 where (item_wall = 1 or item_origin = 1)
      and message_id in (select shared_id from message where shared_id > 0)`,
    )
    .execute(db);
  for (const name of ["item_author", "item_public", "item_answers", "item_wall_ids", "message_shared"])
    await sql.raw(`drop index ${name}`).execute(db);
  const shown = "item_normal = 1 and item_notshown = 0";
  await createIndexes(db, {
    item_by_author: "item (uid, author_id, item_normal, item_notshown, item_thread_top, id)",
    item_tops: "item (uid, item_normal, item_notshown, id) where item_thread_top = 1",
    item_wall_author: `item (author_id, item_private, id) where item_wall = 1 and ${shown}`,
    item_wall_author_tops: `item (author_id, item_private, id) where item_wall = 1 and item_thread_top = 1 and ${shown}`,
    item_public: `item (item_origin, id) where item_wall = 1 and item_private = 0 and ${shown}`,
    item_public_tops: `item (item_origin, id) where item_wall = 1 and item_private = 0 and item_thread_top = 1 and ${shown}`,
    item_reshared: "item (uid, item_normal, item_notshown, id) where reshared = 1",
    // What stands around a post, apart by its kind: of a hundred thousand likes only some are looked at.
    item_reactions: "item (thr_parent_id, author_id) where item_notshown = 1 and item_normal = 1",
    item_wall_ids: "item (uid, item_normal, item_private, id) where item_wall = 1 and item_thread_top = 1",
    item_answers: "item (thr_parent_id, item_normal, item_notshown, id)",
    item_comments: `item (parent, id, author_id) where item_thread_top = 0 and ${shown}`,
    message_shared: "message (shared_id, author_id) where shared_id > 0",
  });
}

/**
 * The search index has a row for each item that is shown, named by its id. Triggers keep it, so that nothing that writes
 * items or messages can forget to: `message.words` is what a message is found by (domain/search/words.ts), and each word
 * of it stands in the index with its scope in front. A search names two scopes, the channel's own and the public one, so it
 * touches nothing that others have in private.
 */
async function searchIndex(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const text = engine === "postgres" ? 'text collate "C"' : "text";
  await sql.raw(`alter table message add column words ${text} not null default ''`).execute(db);
  for (const step of engine === "postgres" ? postgresIndex : sqliteIndex) await sql.raw(step).execute(db);
  await createIndexes(db, { message_plink: "message (plink) where plink <> mid" });
  // What is here already is indexed by and by.
  await sql`insert into job (name, payload, unique_key, run_at, created)
    select 'index-words', '{"below":' || (max(id) + 1) || '}', 'index-words', ${zeroDate}, ${zeroDate} from message
    having max(id) is not null`.execute(db);
}

/** Columns that decide whether and in which scopes an item is in the index. */
const deciding = ["item_type", "item_notshown", "item_hidden", "item_deleted", "item_wall", "item_private"];

function isShown(item: string): string {
  return `${item}.item_type = 0 and ${item}.item_notshown = 0 and ${item}.item_hidden = 0 and ${item}.item_deleted = 0`;
}

const hasChanged = deciding.map((column) => `old.${column} <> new.${column}`).join(" or ");

/** Public items on their owner's wall are everybody's; any other one is in the scope of the channel that has it. */
function scopeOf(item: string): string {
  return `case when ${item}.item_wall = 1 and ${item}.item_private = 0 then 0 else ${item}.uid end`;
}

function sqliteRows(item: string): string {
  return `insert into search (rowid, words)
    select ${item}.id, replace(' ' || m.words, ' ', ' ' || ${scopeOf(item)} || 'z')`;
}

const sqliteIndex = [
  "create virtual table search using fts5(words, content='', contentless_delete=1, tokenize='ascii', detail=none)",
  `create trigger search_item_added after insert on item when ${isShown("new")} begin
    ${sqliteRows("new")} from message m where m.id = new.message_id and m.words <> ''; end`,
  `create trigger search_item_changed after update of ${deciding.join(", ")} on item when ${hasChanged} begin
    delete from search where rowid = old.id;
    ${sqliteRows("new")} from message m where m.id = new.message_id and m.words <> '' and ${isShown("new")}; end`,
  `create trigger search_item_removed after delete on item begin delete from search where rowid = old.id; end`,
  `create trigger search_message_added after insert on message when new.words <> '' begin
    ${sqliteRows("i")} from item i join message m on m.id = i.message_id where i.message_id = new.id and ${isShown("i")}; end`,
  `create trigger search_message_changed after update of words on message when old.words <> new.words begin
    delete from search where rowid in (select id from item where message_id = old.id);
    ${sqliteRows("i")} from item i join message m on m.id = i.message_id
      where i.message_id = new.id and m.words <> '' and ${isShown("i")}; end`,
];

/**
 * Here words have the item's range of ids in front, too, because this engine reads all that it finds of a word. Which
 * days each range has is known apart, so that a search between dates begins where they are.
 */
const postgresIndex = [
  "create table search (id bigint primary key, words tsvector not null)",
  "create index search_words on search using gin (words) with (gin_pending_list_limit = 256)",
  `create table search_range (id bigint primary key, oldest text collate "C" not null, newest text collate "C" not null)`,
  // The planner takes a question of many words for one that half of all rows fit, and would read all of them.
  `create or replace function search_ids(question tsquery, newest bigint, oldest bigint) returns setof bigint
    language sql stable set enable_seqscan = off set jit = off as $$
    select id from search where words @@ question and id + 0 <= newest and id + 0 > oldest $$`,
  `create or replace function search_add(items bigint[]) returns void language plpgsql as $$ begin
    insert into search_range (id, oldest, newest)
    select added.id, added.oldest, added.newest
    from (select i.id >> 15 as id, min(left(m.created, 10)) as oldest, max(left(m.created, 10)) as newest
      from item i join message m on m.id = i.message_id where i.id = any(items) group by 1) as added
    where not exists (select from search_range known
      where known.id = added.id and known.oldest <= added.oldest and known.newest >= added.newest)
    order by added.id
    on conflict (id) do update set oldest = least(search_range.oldest, excluded.oldest),
      newest = greatest(search_range.newest, excluded.newest);
    insert into search (id, words)
    select i.id, array_to_tsvector(string_to_array(
      substr(replace(' ' || m.words, ' ', ' ' || (${scopeOf("i")}) || 'z' || (i.id >> 15) || 'z'), 2), ' '))
    from item i join message m on m.id = i.message_id
    where m.words <> '' and i.id = any(items) and ${isShown("i")};
    end $$`,
  `create or replace function search_items_added() returns trigger language plpgsql as $$ begin
    perform search_add(array(select id from added i where ${isShown("i")}));
    return null; end $$`,
  `create or replace function search_item_changed() returns trigger language plpgsql as $$ begin
    delete from search where id = old.id;
    perform search_add(array[new.id]);
    return null; end $$`,
  `create or replace function search_item_removed() returns trigger language plpgsql as $$ begin
    delete from search where id = old.id;
    return null; end $$`,
  `create or replace function search_message_changed() returns trigger language plpgsql as $$
    declare items bigint[] := array(select i.id from item i where i.message_id = new.id); begin
    if cardinality(items) = 0 then return null; end if;
    if tg_op = 'UPDATE' then delete from search where id = any(items); end if;
    perform search_add(items);
    return null; end $$`,
  `create trigger search_items_added after insert on item referencing new table as added
    for each statement execute function search_items_added()`,
  `create trigger search_item_changed after update of ${deciding.join(", ")} on item
    for each row when (${hasChanged}) execute function search_item_changed()`,
  `create trigger search_item_removed after delete on item for each row execute function search_item_removed()`,
  `create trigger search_message_added after insert on message
    for each row when (new.words <> '') execute function search_message_changed()`,
  `create trigger search_message_changed after update of words on message
    for each row when (old.words <> new.words) execute function search_message_changed()`,
];

/**
 * Text in direct messages is found anywhere, be it in the middle of a word, so their index holds every three signs that are
 * next to one another (storage/mail-grams.ts), each in the scope of the channel that has the message.
 */
async function mailIndex(db: Kysely<unknown>, engine: Engine): Promise<void> {
  for (const step of engine === "postgres" ? postgresMail : sqliteMail) await sql.raw(step).execute(db);
}

const addMail = (mail: string) =>
  `insert into mail_search (rowid, grams) select ${mail}.id, mail_grams(${mail}.channel_id, ${mail}.body)`;

const sqliteMail = [
  "create virtual table mail_search using fts5(grams, content='', contentless_delete=1, tokenize='ascii', detail=none)",
  `${addMail("mail")} from mail where body <> ''`,
  `create trigger mail_search_added after insert on mail when new.body <> '' begin ${addMail("new")}; end`,
  `create trigger mail_search_changed after update of body on mail when old.body <> new.body begin
    delete from mail_search where rowid = old.id;
    ${addMail("new")} where new.body <> ''; end`,
  "create trigger mail_search_removed after delete on mail begin delete from mail_search where rowid = old.id; end",
];

/** An index of what a function says needs no table and no triggers. */
const postgresMail = [
  `create or replace function mail_grams(channel bigint, words text) returns bigint[]
    language sql immutable strict parallel safe cost 10000 as $$
    select coalesce(array_agg(distinct (channel << 24)
        | (((signs[at - 2]::bigint * 1000003 + signs[at - 1]) * 1000003 + signs[at]) & 16777215)), '{}')
    from (select array(select ascii(sign) from unnest(string_to_array(lower(words collate "und-x-icu"), null)) with ordinality as one (sign, place)
      order by place) as signs) as text, generate_series(3, cardinality(signs)) as at $$`,
  "create index mail_search on mail using gin (mail_grams(channel_id, body)) with (gin_pending_list_limit = 256) where body <> ''",
];
