import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { zeroDate } from "../sql.ts";
import { createIndexes } from "./columns.ts";

/** Texts of profiles and notices are stored as HTML beside their source. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await laidOutTexts(db, engine);
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
