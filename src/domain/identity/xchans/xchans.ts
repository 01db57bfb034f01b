import { sql } from "kysely";
import type { Selectable } from "kysely";
import type { Hub } from "../../../hub.ts";
import { compiled } from "../../../storage/compiled-query.ts";
import { isOneOf } from "../../../storage/sql.ts";
import type { XchanTable } from "../../../storage/tables/identity.ts";

/** A network identity, of this hub or of elsewhere. */
export type Xchan = Selectable<XchanTable>;

/** What an identity may be asked for by. */
export type XchanKey = { hash: string } | { guid: string } | { address: string } | { url: string } | { id: number };

/**
 * The identity that the hub knows under this name; addresses compare in any case. Where several claim the same guid,
 * address or URL, the channels of this hub come first, then those that are alive and whose network is known. Whom the
 * hub knows from hearsay alone is found by hash and id only (decision 27).
 */
export async function findXchan(hub: Hub, key: XchanKey): Promise<Xchan | undefined> {
  let query = hub.db.selectFrom("xchan").selectAll("xchan");
  if ("id" in key) return query.where("xchan_id", "=", key.id).executeTakeFirst();
  if ("hash" in key) return query.where("xchan_hash", "=", key.hash).executeTakeFirst();
  if ("guid" in key) query = query.where("xchan_guid", "=", key.guid);
  else if ("url" in key) query = query.where("xchan_url", "=", key.url);
  else query = query.where(sql`lower(xchan_addr)`, "=", sql`lower(${key.address})`);
  return query
    .where("xchan_hearsay", "=", sql.lit(0))
    .leftJoin("channel", "channel_hash", "xchan_hash")
    .orderBy((eb) => eb.case().when("channel_id", "is", null).then(1).else(0).end())
    .orderBy("xchan_deleted")
    .orderBy((eb) => eb.case().when("xchan_network", "=", "unknown").then(1).else(0).end())
    .orderBy("xchan_id")
    .limit(1)
    .executeTakeFirst();
}

/** The identities with these ids, in no particular order; unknown ids are left out. */
export async function findXchans(hub: Hub, ids: readonly number[]): Promise<Xchan[]> {
  if (ids.length === 0) return [];
  return compiled(hub, "xchans by id", { ids }, (slots) =>
    hub.db
      .selectFrom("xchan")
      .selectAll()
      .where((eb) => isOneOf(hub.engine, eb.ref("xchan_id"), slots.ids)),
  );
}

/** The identities with these hashes, in no particular order; unknown hashes are left out. */
export async function findXchansByHash(hub: Hub, hashes: readonly string[]): Promise<Xchan[]> {
  if (hashes.length === 0) return [];
  return hub.db
    .selectFrom("xchan")
    .selectAll()
    .where((eb) => isOneOf(hub.engine, eb.ref("xchan_hash"), hashes))
    .execute();
}
