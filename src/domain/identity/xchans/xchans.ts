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
 * address or URL, the channels of this hub come first, then those that are alive, those who have been met as actors, and
 * those whose network is known. Whom the hub knows from hearsay alone is found by hash and id only (decision 27).
 */
export async function findXchan(hub: Hub, key: XchanKey): Promise<Xchan | undefined> {
  const values: { id?: number; hash?: string; guid?: string; address?: string; url?: string } = key;
  const [xchan] = await compiled(hub, "xchan", values, (slots) => {
    const all = hub.db.selectFrom("xchan").selectAll("xchan");
    if (slots.id) return all.where("xchan_id", "=", slots.id);
    if (slots.hash) return all.where("xchan_hash", "=", slots.hash);
    const claimed = slots.guid
      ? all.where("xchan_guid", "=", slots.guid)
      : slots.url
        ? all.where("xchan_url", "=", slots.url)
        : all.where(sql`lower(xchan_addr)`, "=", sql`lower(${slots.address})`);
    return claimed
      .where("xchan_hearsay", "=", sql.lit(0))
      .leftJoin("channel", "channel_hash", "xchan_hash")
      .leftJoin("actor", "actor.xchan_id", "xchan.xchan_id")
      .orderBy((eb) => eb.case().when("channel_id", "is", null).then(sql.lit(1)).else(sql.lit(0)).end())
      .orderBy("xchan_deleted")
      .orderBy((eb) => eb.case().when("actor.id", "is", null).then(sql.lit(1)).else(sql.lit(0)).end())
      .orderBy((eb) => eb.case().when("xchan_network", "=", sql.lit("unknown")).then(sql.lit(1)).else(sql.lit(0)).end())
      .orderBy("xchan.xchan_id")
      .limit(sql.lit(1));
  });
  return xchan;
}

/** Is this somebody who does not want to be found, or whom the site does not show in public? */
export function isHidden({ xchan_hidden, xchan_censored }: Xchan): boolean {
  return xchan_hidden + xchan_censored > 0;
}

/** The same of the person with this id; of nobody where it is unknown. */
export async function isHiddenById(hub: Hub, id: number): Promise<boolean> {
  const xchan = await findXchan(hub, { id });
  return xchan !== undefined && isHidden(xchan);
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

/** Those who change what is said of this identity take turns until the end of their transactions; SQLite has one writer anyway. */
export async function lockXchan(hub: Hub, id: number): Promise<void> {
  if (hub.engine !== "postgres") return;
  await hub.db.selectFrom("xchan").select("xchan_id").where("xchan_id", "=", id).forNoKeyUpdate().execute();
}
