import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { zeroDate } from "../sql.ts";
import { createIndexes } from "./columns.ts";

/** Texts of profiles and notices are stored as HTML beside their source; lists that had no index have one. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await laidOutTexts(db, engine);
  await lists(db);
  await countArticles(db);
}

const profileTexts = "about likes dislikes interest music book tv film romance employment education contact".split(" ");

/** What is here already is laid out by and by, by jobs: null says that it is still to come. */
async function laidOutTexts(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const run = (step: string) => sql.raw(step).execute(db);
  const text = engine === "postgres" ? 'text collate "C"' : "text";
  await run(`alter table profile add column html ${text} default '{}'`);
  await run(`update profile set html = null where ${profileTexts.map((name) => `${name} <> ''`).join(" or ")}`);
  await run(`alter table notify add column html ${text}`);
  await run(`alter table notify add column plain ${text}`);
  await createIndexes(db, {
    profile_old: "profile (id) where html is null",
    notify_old: "notify (id) where html is null",
  });
  for (const [table, job] of [
    ["profile", "lay-out-profiles"],
    ["notify", "lay-out-notices"],
  ])
    await sql`insert into job (name, payload, unique_key, run_at, created)
      select ${sql.lit(job)}, '{}', ${sql.lit(job)}, ${zeroDate}, ${zeroDate}
      where exists (select 1 from ${sql.table(table!)} where html is null)`.execute(db);
}

/** Imports look for each notice, streams for cards and articles, and quotas add up what was drawn. */
async function lists(db: Kysely<unknown>): Promise<void> {
  await createIndexes(db, {
    notify_hash: "notify (uid, hash)",
    item_kinds: "item (uid, item_kind, commented, id) where item_kind > 0 and item_thread_top = 1",
    photo_quota: "photo (uid, blob, filesize)",
  });
}

/** Cards and articles are statuses since they are posts; those that became some were not counted then. */
async function countArticles(db: Kysely<unknown>): Promise<void> {
  await sql`update xchan set statuses_count = (select count(distinct item.message_id) from item where item.author_id = xchan_id
      and item_origin = 1 and item_private = 0 and item_type = 0 and item_notshown = 0 and item_deleted = 0
      and item_hidden = 0 and item_unpublished = 0 and item_delayed = 0
      and not exists (select 1 from item b where b.message_id = item.message_id and b.item_blocked > 0))
    where xchan_id in (select author_id from item where item_kind > 0)`.execute(db);
}
