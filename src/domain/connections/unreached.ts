import { sql } from "kysely";
import type { SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";

/** Of an identity: is it none of this hub's own? */
export const isNotHere = sql<SqlBool>`not exists (select 1 from channel where channel_hash = xchan_hash)`;

/**
 * Of an identity: does it live neither here nor where this hub delivers to? This hub knows it only by what an import said of it.
 * Feeds read nothing, and guests come by themselves.
 */
export const isUnreached = sql<SqlBool>`(xchan_network not in ('activitypub', 'rss', 'token')
  and ${isNotHere})`;

/** Does nothing reach this person? */
export async function isUnreachedPerson(hub: Hub, hash: string): Promise<boolean> {
  const row = await hub.db
    .selectFrom("xchan")
    .select("xchan_id")
    .where("xchan_hash", "=", hash)
    .where(isUnreached)
    .executeTakeFirst();
  return row !== undefined;
}
