import { sql } from "kysely";
import { refusal } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import { isGuestNetwork } from "../identity/xchans/guest-hash.ts";
import { findXchansByHash } from "../identity/xchans/xchans.ts";
import { guestsAmong } from "./guests.ts";

/**
 * The hashes of people that an access list names by the channel's connection ids or by their hashes. Throws invalid
 * (`unknown_audience`) for an entry that is neither: left out it could make a private post public.
 */
export async function hashesOfPeople(
  hub: Hub,
  uid: number,
  entries: readonly string[],
  field: string,
): Promise<string[]> {
  if (entries.length === 0) return [];
  const ids = entries.filter((entry) => /^\d{1,15}$/.test(entry)).map(Number);
  const connections = ids.length > 0 ? await connectionHashes(hub, uid, ids) : new Map<string, string>();
  const hashes = await knownHashes(hub, uid, entries);
  return entries.map((entry) => {
    const hash = hashes.has(entry) ? entry : connections.get(String(Number(entry)));
    if (hash === undefined) throw refusal("unknown_audience", { what: "connection", field });
    return hash;
  });
}

/** Everybody the hub knows, but of guests only those of the channel. */
async function knownHashes(hub: Hub, uid: number, entries: readonly string[]): Promise<Set<string>> {
  const people = (await findXchansByHash(hub, entries)).filter((xchan) => !isGuestNetwork(xchan.xchan_network));
  return new Set([...people.map((xchan) => xchan.xchan_hash), ...(await guestsAmong(hub, uid, entries))]);
}

async function connectionHashes(hub: Hub, uid: number, ids: number[]): Promise<Map<string, string>> {
  const rows = await hub.db
    .selectFrom("abook")
    .select(["abook_id", "abook_xchan"])
    .where("abook_channel", "=", uid)
    .where(isOneOf(hub.engine, sql.ref("abook_id"), ids))
    .execute();
  return new Map(rows.map((row) => [String(row.abook_id), row.abook_xchan]));
}

/** The connection ids of these people, as far as the channel has connections with them; its own is among them. */
export async function connectionIdsOf(hub: Hub, uid: number, hashes: readonly string[]): Promise<Map<string, number>> {
  if (hashes.length === 0) return new Map();
  const rows = await hub.db
    .selectFrom("abook")
    .select(["abook_id", "abook_xchan"])
    .where("abook_channel", "=", uid)
    .where(isOneOf(hub.engine, sql.ref("abook_xchan"), hashes))
    .execute();
  return new Map(rows.map((row) => [row.abook_xchan, row.abook_id]));
}
