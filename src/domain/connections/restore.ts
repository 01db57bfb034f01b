import { sql } from "kysely";
import type { Insertable, RawBuilder, SqlBool } from "kysely";
import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { addJob } from "../../jobs/queue.ts";
import { inPieces, isOneOf, zeroDate } from "../../storage/sql.ts";
import type { AbookTable } from "../../storage/tables/connections.ts";
import { countConnections } from "../identity/channels/connection-counts.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { directionsOf, isDirection } from "./directions.ts";
import { findXchan } from "../identity/xchans/xchans.ts";
import { follows } from "./follows.ts";
import { withdrawGrants } from "./grants.ts";
import { changeRow, deleteRow, findRow } from "./rows.ts";

type Columns = Omit<
  Insertable<AbookTable>,
  "abook_id" | "abook_account" | "abook_channel" | "follow_out" | "follow_in" | "abook_created" | "abook_updated"
> & { abook_created: string; abook_updated: string };

/** A connection with its metadata, as an export has it. */
export type RestoredConnection = { row: Columns; abconfig: readonly { cat: string; k: string; v: string }[] };

const together = 50;

/**
 * Adds connections that the channel does not have, with what both sides grant (native contract 7.5, step 6). One that it
 * has stays as it is. Answers the identities that were added. Part of a transaction.
 */
export async function addConnections(
  hub: Hub,
  channel: Channel,
  connections: readonly RestoredConnection[],
): Promise<Set<string>> {
  const added = new Set<string>();
  for (let from = 0; from < connections.length; from += together) {
    const batch = connections.slice(from, from + together);
    for (const hash of await addBatch(hub, channel, batch)) added.add(hash);
    await addMetadata(
      hub,
      channel,
      batch.filter(({ row }) => added.has(row.abook_xchan)),
    );
  }
  await countConnections(hub, [channel.channel_id]);
  return added;
}

async function addBatch(hub: Hub, channel: Channel, batch: readonly RestoredConnection[]): Promise<string[]> {
  const rows = await hub.db
    .insertInto("abook")
    .values(
      batch.map((connection) => ({
        ...connection.row,
        ...datesOf(hub, connection.row),
        ...directionsOf(connection.row, connection.abconfig),
        abook_account: channel.channel_account_id,
        abook_channel: channel.channel_id,
      })),
    )
    .onConflict((conflict) => conflict.columns(["abook_channel", "abook_xchan"]).doNothing())
    .returning(["abook_xchan", "mute_ends"])
    .execute();
  for (const { abook_xchan: person, mute_ends: at } of rows)
    if (at !== zeroDate) await addJob(hub, "end-mute", { channel: channel.channel_id, person }, { at });
  return rows.map((row) => row.abook_xchan);
}

/**
 * Of connections that came with an export, those with people of elsewhere whom the channel follows: their hubs know of that at the
 * place where it was. They count as asked for and not asked yet. Answers their ids. Part of a transaction.
 */
export async function forgetFollows(hub: Hub, uid: number, hashes: Iterable<string>): Promise<string[]> {
  const people: string[] = [];
  for (const piece of inPieces([...hashes])) {
    const rows = await hub.db
      .updateTable("abook")
      .set({ follow_out: "requested", follow_out_id: "" })
      .where(isOfElsewhere(hub, uid, piece))
      .where("follow_out", "in", ["requested", "accepted"])
      .where("abook_pending", "=", 0)
      .returning("abook_xchan")
      .execute();
    people.push(...rows.map((row) => row.abook_xchan));
  }
  return people;
}

/**
 * The same of people of this hub, who know the channel by its former place alone: neither has anything of the other here. Answers the
 * addresses of those whom it follows.
 */
export async function forgetNeighbours(hub: Hub, uid: number, hashes: readonly string[]): Promise<string[]> {
  const addresses: string[] = [];
  for (const hash of hashes) {
    const row = await findRow(hub, uid, hash);
    const person = await findXchan(hub, { hash });
    if (!row || !person) continue;
    if (follows(row) && row.abook_blocked + row.abook_archived === 0) addresses.push(person.xchan_addr);
    // Whoever waits to be let in asks again, at this place.
    if (row.abook_pending === 1) await deleteRow(hub, uid, hash);
    else
      await changeRow(hub, uid, hash, { follow_out: "none", follow_out_id: "", follow_in: "none", follow_in_id: "" });
    await withdrawGrants(hub, uid, hash);
  }
  await countConnections(hub, [uid]);
  return addresses;
}

/**
 * Of those connections the requests of people of elsewhere name the channel's former place: an answer from here would be none to them.
 * They wait without an id, until they ask at this place. Part of a transaction.
 */
export async function forgetRequests(hub: Hub, uid: number, hashes: Iterable<string>): Promise<void> {
  for (const piece of inPieces([...hashes]))
    await hub.db
      .updateTable("abook")
      .set({ follow_in_id: "" })
      .where(isOfElsewhere(hub, uid, piece))
      .where("follow_in", "=", "pending")
      .execute();
}

/** Those of them who follow the channel, or have asked to, with the same exceptions, by their ids. */
export async function followersAmong(hub: Hub, uid: number, hashes: Iterable<string>): Promise<string[]> {
  const people: string[] = [];
  for (const piece of inPieces([...hashes])) {
    const rows = await hub.db
      .selectFrom("abook")
      .select("abook_xchan")
      .where(isOfElsewhere(hub, uid, piece))
      .where("follow_in", "in", ["pending", "accepted"])
      .orderBy("abook_id")
      .execute();
    people.push(...rows.map((row) => row.abook_xchan));
  }
  return people;
}

/** The channel's connections with those of these people who are of elsewhere, and whom it has neither blocked nor archived. */
function isOfElsewhere(hub: Hub, uid: number, hashes: readonly string[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`abook_channel = ${uid} and ${isOneOf(hub.engine, sql.ref("abook_xchan"), hashes, "text")}
    and abook_blocked = 0 and abook_archived = 0 and exists (
      select 1 from xchan where xchan_hash = abook_xchan and xchan_network = 'activitypub' and xchan_deleted = 0
    )`;
}

/** Does this person follow the channel, or wait to, and has it neither blocked nor archived them? */
export async function isFollower(hub: Hub, uid: number, hash: string): Promise<boolean> {
  const row = await findRow(hub, uid, hash);
  return (
    row !== undefined && row.follow_in !== "none" && row.abook_blocked + row.abook_archived + row.abook_shut_out === 0
  );
}

/** Has the channel yet to ask this person, whom it followed at another place? */
export async function hasYetToAsk(hub: Hub, uid: number, hash: string): Promise<boolean> {
  const row = await findRow(hub, uid, hash);
  return row?.follow_out === "requested" && row.follow_out_id === "";
}

function datesOf(hub: Hub, { abook_created, abook_updated }: Columns) {
  const created = abook_created === zeroDate ? now(hub) : abook_created;
  return { abook_created: created, abook_updated: abook_updated === zeroDate ? created : abook_updated };
}

async function addMetadata(hub: Hub, channel: Channel, batch: readonly RestoredConnection[]): Promise<void> {
  const rows = batch.flatMap(({ row, abconfig }) =>
    abconfig
      .filter((entry) => !isDirection(entry))
      .map((entry) => ({ ...entry, chan: channel.channel_id, xchan: row.abook_xchan })),
  );
  for (const piece of inPieces(rows))
    await hub.db
      .insertInto("abconfig")
      .values(piece)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}
