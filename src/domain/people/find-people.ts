import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import type { Channel } from "../identity/channels/channel.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";
import { isGuestNetwork } from "../identity/xchans/guest-hash.ts";
import { findXchans } from "../identity/xchans/xchans.ts";
import { observerOf } from "../identity/channels/observer.ts";
import { findByNick } from "./find-person.ts";
import { isKnownTo } from "./known-person.ts";

/** The people with these ids that the channel may know of, by id; unknown and deleted ones are left out. */
export async function findPeopleById(
  hub: Hub,
  channel: Pick<Channel, "channel_id">,
  ids: readonly number[],
): Promise<Map<number, Xchan>> {
  const found = new Map<number, Xchan>();
  for (const person of await findXchans(hub, ids)) {
    if (person.xchan_deleted === 1) continue;
    const known = !isGuestNetwork(person.xchan_network) || (await isKnownTo(hub, channel.channel_id, person));
    if (known) found.set(person.xchan_id, person);
  }
  return found;
}

/**
 * The people with these nicknames or addresses, by the name that was asked for. Those of this hub are found together,
 * the others one by one.
 */
export async function findPeopleByNick(
  hub: Hub,
  channel: Channel,
  names: readonly string[],
): Promise<Map<string, Xchan>> {
  const found = new Map<string, Xchan>();
  const addressOf = (name: string): string => (name.includes("@") ? name : `${name}@${hub.config.host}`).toLowerCase();
  const here = await channelsWithAddress(hub, names.map(addressOf));
  for (const name of names) {
    const person = here.get(addressOf(name)) ?? (await findByNick(hub, observerOf(channel), name));
    if (person && person.xchan_deleted === 0) found.set(name, person);
  }
  return found;
}

async function channelsWithAddress(hub: Hub, addresses: readonly string[]): Promise<Map<string, Xchan>> {
  if (addresses.length === 0) return new Map();
  const rows = await hub.db
    .selectFrom("xchan")
    .innerJoin("channel", "channel_hash", "xchan_hash")
    .selectAll("xchan")
    .where(isOneOf(hub.engine, sql`lower(xchan_addr)`, addresses))
    .where("channel_removed", "=", 0)
    .where("xchan_deleted", "=", 0)
    .execute();
  return new Map(rows.map((row) => [row.xchan_addr.toLowerCase(), row]));
}
