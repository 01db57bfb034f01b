import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes } from "./columns.ts";

/**
 * Mutes that end by themselves; of people elsewhere, when their list of followers was compared last and to whom they say they belong;
 * of their hubs, the actor that reads for all of them. What is needed to forget people.
 */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const text = engine === "postgres" ? 'text collate "C"' : "text";
  const unset = "not null default '0001-01-01 00:00:00'";
  for (const column of [
    `abook add column mute_ends ${text} ${unset}`,
    `actor add column followers_compared ${text} ${unset}`,
    `actor add column attributed_to ${text} not null default ''`,
    `peer add column application ${text} not null default ''`,
  ])
    await sql.raw(`alter table ${column}`).execute(db);
  await createIndexes(db, {
    actor_fetched: "actor (fetched)",
    actor_key_fetched: "actor_key (fetched)",
    // Without shares, whose order by author has an index of its own.
    message_author: "message (author_id) where shared_id = 0",
  });
}
