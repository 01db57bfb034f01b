import { sql } from "kysely";
import type { Insertable, Selectable, SqlBool } from "kysely";
import { now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { addJobs } from "../../../jobs/queue.ts";
import { isOneOf } from "../../../storage/sql.ts";
import type { HublocTable, XchanTable } from "../../../storage/tables/identity.ts";
import { avatarUrls } from "../xchans/avatar-urls.ts";
import { becomeKnown } from "../xchans/become-known.ts";
import type { Channel } from "../channels/channel.ts";
import { hublocAddresses, xchanAddresses } from "../xchans/addresses.ts";
import { hasValues } from "../records/portable-fields.ts";
import { isHere } from "../xchans/web-url.ts";

/** Identities and locations that an import brings (native contract 7.5, steps 4 and 5). Parts of a transaction. */

export type RestoredXchan = Omit<Insertable<XchanTable>, "xchan_created"> & { xchan_hash: string };
export type RestoredHubloc = Insertable<HublocTable> & { hubloc_hash: string; hubloc_url: string };

const together = 200;

/**
 * Adds identities that are not known, as hearsay; what is known stays as it is. Answers the ids of those that were added, by
 * hash.
 */
export async function addXchans(hub: Hub, xchans: readonly RestoredXchan[]): Promise<Map<string, number>> {
  const added = new Map<string, number>();
  const xchan_created = now(hub);
  for (let from = 0; from < xchans.length; from += together) {
    const rows = await hub.db
      .insertInto("xchan")
      .values(xchans.slice(from, from + together).map((xchan) => ({ ...xchan, xchan_created, xchan_hearsay: 1 })))
      .onConflict((conflict) =>
        // Somebody whom only a post named, without a key, becomes who they are.
        conflict
          .column("xchan_hash")
          .doUpdateSet((x) => ({
            xchan_guid: x.ref("excluded.xchan_guid"),
            xchan_guid_sig: x.ref("excluded.xchan_guid_sig"),
            xchan_pubkey: x.ref("excluded.xchan_pubkey"),
            xchan_network: x.ref("excluded.xchan_network"),
            xchan_addr: x.ref("excluded.xchan_addr"),
            xchan_url: x.ref("excluded.xchan_url"),
            xchan_connurl: x.ref("excluded.xchan_connurl"),
            xchan_follow: x.ref("excluded.xchan_follow"),
          }))
          .where(
            sql<SqlBool>`xchan.xchan_hearsay = 1 and xchan.xchan_network = 'zot' and xchan.xchan_pubkey = '' and excluded.xchan_pubkey <> ''
              and xchan.xchan_guid = excluded.xchan_guid and xchan.xchan_guid_sig = excluded.xchan_guid_sig`,
          ),
      )
      .returning(["xchan_hash", "xchan_id"])
      .execute();
    for (const row of rows) added.set(row.xchan_hash, row.xchan_id);
  }
  return added;
}

/** Has their pictures copied to this hub: one's visitors should not be known all over the world. */
export async function fetchAvatars(
  hub: Hub,
  xchans: readonly RestoredXchan[],
  added: ReadonlyMap<string, number>,
): Promise<void> {
  const jobs = xchans.flatMap(({ xchan_hash, xchan_photo_l: url = "" }) => {
    const xchan = added.get(xchan_hash);
    const isElsewhere = /^https?:\/\//.test(url) && !url.startsWith(`${hub.config.baseUrl}/`);
    return xchan !== undefined && isElsewhere ? [{ xchan, url }] : [];
  });
  for (let from = 0; from < jobs.length; from += together)
    await addJobs(hub, "fetch-avatar", jobs.slice(from, from + together));
}

/** The identity of a channel that comes to live here: its own key proves it, whatever was heard of it before. */
export async function addOwnXchan(hub: Hub, xchan: RestoredXchan): Promise<void> {
  if (await becomeKnown(hub, xchan)) return;
  await hub.db
    .insertInto("xchan")
    .values({ ...xchan, xchan_created: now(hub) })
    .onConflict((conflict) => conflict.column("xchan_hash").doNothing())
    .execute();
}

/** A channel that lives here is shown with its own nick, host and URL, wherever else it may be at home. */
export async function bringXchanHome(
  hub: Hub,
  { channel_id, channel_address, channel_hash }: Pick<Channel, "channel_id" | "channel_address" | "channel_hash">,
  columns: Partial<Insertable<XchanTable>>,
): Promise<void> {
  await hub.db
    .updateTable("xchan")
    .set({ ...columns, ...xchanAddresses(hub, channel_address, avatarUrls(hub, channel_id)) })
    .where("xchan_hash", "=", channel_hash)
    .execute();
}

type OwnLocation = {
  nick: string;
  hash: string;
  guid: string;
  guidSignature: string;
  urlSignature: string;
  siteKey: string;
  primary: boolean;
};

/** The channel's location on this hub, as primary or as one more; one that is so already stays, with its dates. */
export async function addOwnHubloc(hub: Hub, own: OwnLocation): Promise<void> {
  const columns = {
    hubloc_guid: own.guid,
    hubloc_guid_sig: own.guidSignature,
    ...hublocAddresses(hub, own.nick),
    hubloc_network: "zot",
    hubloc_url_sig: own.urlSignature,
    hubloc_sitekey: own.siteKey,
    hubloc_primary: own.primary ? 1 : 0,
    hubloc_deleted: 0,
  };
  const known = await hub.db
    .selectFrom("hubloc")
    .selectAll()
    .where("hubloc_hash", "=", own.hash)
    .where("hubloc_url", "=", hub.config.baseUrl)
    .executeTakeFirst();
  if (known && hasValues(known, columns)) return;
  const moment = now(hub);
  const values = { ...columns, hubloc_updated: moment, hubloc_connected: moment };
  if (known) await hub.db.updateTable("hubloc").set(values).where("hubloc_id", "=", known.hubloc_id).execute();
  else
    await hub.db
      .insertInto("hubloc")
      .values({ ...values, hubloc_hash: own.hash })
      .execute();
}

/** Takes primacy from the identity's other locations, or marks them as left. */
export async function leaveOtherHublocs(hub: Hub, hash: string, moving: boolean): Promise<void> {
  await hub.db
    .updateTable("hubloc")
    .set({ hubloc_primary: 0, ...(moving && { hubloc_deleted: 1 }) })
    .where("hubloc_hash", "=", hash)
    .where("hubloc_url", "<>", hub.config.baseUrl)
    .execute();
}

/**
 * Adds locations that are not known. Of known ones only those of `own` take over what is primary and what is gone: the
 * import speaks for its own identity and for nobody else. Locations on this hub are this hub's own affair.
 */
export async function addHublocs(hub: Hub, hublocs: readonly RestoredHubloc[], own: string): Promise<Set<string>> {
  const known = await knownHublocs(
    hub,
    hublocs.map((hubloc) => hubloc.hubloc_hash),
  );
  const added = new Set<string>();
  for (const hubloc of hublocs) {
    if (isHere(hub, hubloc.hubloc_url)) continue;
    const key = `${hubloc.hubloc_hash} ${hubloc.hubloc_url}`;
    const id = known.get(key);
    if (id === undefined) {
      await hub.db.insertInto("hubloc").values(hubloc).execute();
      known.set(key, 0);
      added.add(key);
    } else if (hubloc.hubloc_hash === own && id > 0) {
      const { hubloc_primary, hubloc_deleted } = hubloc;
      await hub.db.updateTable("hubloc").set({ hubloc_primary, hubloc_deleted }).where("hubloc_id", "=", id).execute();
    }
  }
  return added;
}

async function knownHublocs(hub: Hub, hashes: readonly string[]): Promise<Map<string, number>> {
  if (hashes.length === 0) return new Map();
  const rows: Pick<Selectable<HublocTable>, "hubloc_id" | "hubloc_hash" | "hubloc_url">[] = await hub.db
    .selectFrom("hubloc")
    .select(["hubloc_id", "hubloc_hash", "hubloc_url"])
    .where(isOneOf(hub.engine, sql.ref("hubloc_hash"), hashes))
    .execute();
  return new Map(rows.map((row) => [`${row.hubloc_hash} ${row.hubloc_url}`, row.hubloc_id]));
}
