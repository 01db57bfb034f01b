import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Kysely } from "kysely";
import { remoteKey } from "../remote-key.ts";
import type { Engine } from "../database.ts";
import { createIndexes, createTable } from "./columns.ts";

/** Things of other services stand for one item each; files whose bytes were lost are known; forms are signed from the start. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await remoteItems(db, engine);
  await lostBlobs(db, engine);
  await formSecret(db);
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
        and pair.k not in ('BUILDBLOCK', 'PDL', 'WEBPAGE', 'docfile') and ${isLive("pair")}
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
