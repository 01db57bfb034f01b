import { sql } from "kysely";
import type { SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";
import { inPieces, isOneOf } from "../../storage/sql.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { hostOf } from "../identity/xchans/web-url.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";
import { block } from "./block.ts";
import { removeConnection } from "./connect.ts";
import { takePlace } from "./follow-moved.ts";
import type { Abook } from "./types.ts";
import { isNotHere } from "./unreached.ts";

/**
 * People who stayed at the hub from which a channel has come: what its export says of them are identities of another network here,
 * which nothing reaches, until they are found at their hub (decision 152).
 */

/** Whom the channel follows or has blocked. What it has muted or archived stays as it is, as with whoever moves. */
const stayed = sql<SqlBool>`abook_self = 0 and abook_pending = 0 and abook_archived = 0
  and ((abook_ignored = 0 and follow_out in ('requested', 'accepted')) or abook_blocked = 1)
  and xchan_network = 'zot' and xchan_deleted = 0
  and ${isNotHere}`;

/** The addresses at this host of those among the channel's connections. */
export async function stayedAt(
  hub: Hub,
  uid: number,
  host: string | undefined,
  hashes: Iterable<string>,
): Promise<string[]> {
  const addresses: string[] = [];
  for (const piece of inPieces([...hashes])) {
    const rows = await connectedWith(hub, uid)
      .select("xchan_addr")
      .where(isOneOf(hub.engine, sql.ref("abook_xchan"), piece, "text"))
      .execute();
    addresses.push(...rows.map((row) => row.xchan_addr).filter((address) => hostOf(address) === host));
  }
  return [...new Set(addresses)];
}

/** The connection with whoever has this address; undefined when there is none such any more. */
export async function findStayed(hub: Hub, uid: number, address: string): Promise<Abook | undefined> {
  return connectedWith(hub, uid).selectAll("abook").where("xchan_addr", "=", address).limit(1).executeTakeFirst();
}

function connectedWith(hub: Hub, uid: number) {
  return hub.db
    .selectFrom("abook")
    .innerJoin("xchan", "xchan_hash", "abook_xchan")
    .where("abook_channel", "=", uid)
    .where(stayed)
    .orderBy("abook_id");
}

/**
 * Whoever has this address has been found: that one is the connection from now on, in groups and lists as well, and asked as anybody
 * else; or is blocked. Part of a transaction. Throws what `connect` throws.
 */
export async function reunite(hub: Hub, channel: Channel, address: string, found: Xchan): Promise<void> {
  const former = await findStayed(hub, channel.channel_id, address);
  if (!former || former.abook_xchan === found.xchan_hash) return;
  if (former.abook_blocked === 1) return block(hub, channel, found);
  await takePlace(hub, channel, former.abook_xchan, found);
  await removeConnection(hub, channel, former.abook_id);
}
