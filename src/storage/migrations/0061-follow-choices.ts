import type { Kysely } from "kysely";
import { createIndexes } from "./columns.ts";

/** What channels want of those whom they follow (decision 85) is found without reading all that they grant. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createIndexes(db, {
    abconfig_mastodon: "abconfig (chan, k) where cat = 'mastodon'",
    abconfig_by_person: "abconfig (xchan, k) where cat = 'mastodon'",
  });
}
