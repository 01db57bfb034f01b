import { sql } from "kysely";
import type { AliasedRawBuilder, RawBuilder } from "kysely";
import { usualLanguage } from "../identity/accounts/accounts.ts";
import type { Scale, Use } from "../photos/scales.ts";
import { scales } from "../photos/scales.ts";
import { usages } from "../photos/types.ts";
import { asFlag } from "../../storage/sql.ts";

/**
 * What user objects show besides the columns of the tables; each a column of one statement with `xchan` and `channel`. The
 * offsets keep PostgreSQL from finding out about all channels first.
 */

export const pictured = photoOf("profileMedium", "profile").as("pictured");
export const covered = photoOf("coverLarge", "cover").as("covered");
export const hides = asFlag(
  sql`exists (select 1 from profile p where p.uid = channel.channel_id and p.hide_friends = 1 limit 1 offset 0)`,
).as("hides");

function photoOf(scale: Scale, use: Use): RawBuilder<number> {
  return asFlag(sql`exists (select 1 from photo f
    where f.uid = channel.channel_id and f.imgscale = ${sql.lit(scales[scale].number)} and f.photo_usage = ${sql.lit(usages[use])} limit 1 offset 0)`);
}

/** How many items the observer has starred; of others that is not shown. */
export function stars(uid: RawBuilder<number>): AliasedRawBuilder<number, "stars"> {
  return sql<number>`case when channel.channel_id = ${uid}
    then (select count(*) from item where item.uid = ${uid} and item.item_starred = 1) else 0 end`.as("stars");
}

/** What the observer's own account reads. */
export function language(uid: RawBuilder<number>): AliasedRawBuilder<string, "language"> {
  return sql<string>`case when channel.channel_id = ${uid}
    then (select case when account_language = '' then ${sql.lit(usualLanguage)} else account_language end from account
      where account_id = channel.channel_account_id) else '' end`.as("language");
}
