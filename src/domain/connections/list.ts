import { sql } from "kysely";
import type { RawBuilder, SelectQueryBuilder } from "kysely";
import type { Hub } from "../../hub.ts";
import { compiled } from "../../storage/compiled-query.ts";
import { asFlag, isOneOf } from "../../storage/sql.ts";
import type { Tables } from "../../storage/tables/index.ts";
import { isNotAtBlockedHost } from "./blocked-hosts.ts";
import { addPermissions } from "./permission-sums.ts";
import type { Connection } from "./types.ts";
import { isUnreached } from "./unreached.ts";

export type ConnectionFilter = {
  abookId?: number | undefined;
  /** Only requests, or only what is no request. */
  pending?: boolean | undefined;
  /** Leave out the channel's own row, and those of strangers whom it has blocked or muted. */
  others?: boolean | undefined;
};

/** The channel's connections joined with their identities, by id; its own row and requests included. */
export async function listConnections(hub: Hub, uid: number, filter: ConnectionFilter = {}): Promise<Connection[]> {
  let query = joined(hub, uid).orderBy("abook_id");
  if (filter.abookId !== undefined) query = query.where("abook_id", "=", filter.abookId);
  if (filter.pending !== undefined) query = query.where("abook_pending", "=", filter.pending ? 1 : 0);
  if (filter.others) query = query.where("abook_self", "=", 0).where("abook_unconnected", "=", 0);
  return addPermissions(hub, uid, await query.execute());
}

/** One connection of the channel. */
export async function findConnection(hub: Hub, uid: number, abookId: number): Promise<Connection | undefined> {
  return (await listConnections(hub, uid, { abookId }))[0];
}

/** What the channel's row about somebody says of how they are connected. */
export type HowConnected = Pick<
  Connection,
  "abook_id" | "abook_pending" | "abook_blocked" | "abook_ignored" | "abook_unconnected" | "follow_out" | "follow_in"
>;

/** How the channel is connected with these identities, by hash, in one query; strangers are left out. */
export async function howConnected(
  hub: Hub,
  uid: number,
  hashes: readonly string[],
): Promise<Map<string, HowConnected>> {
  if (hashes.length === 0) return new Map();
  const rows = await hub.db
    .selectFrom("abook")
    .select(["abook_id", "abook_pending", "abook_blocked", "abook_ignored", "abook_unconnected"])
    .select(["follow_out", "follow_in", "abook_xchan"])
    .where("abook_channel", "=", uid)
    .where(isOneOf(hub.engine, sql.ref("abook_xchan"), hashes, "text"))
    .execute();
  return new Map(rows.map(({ abook_xchan, ...row }) => [abook_xchan, row]));
}

/** The channel's connection with this identity. */
export async function findConnectionTo(hub: Hub, uid: number, hash: string): Promise<Connection | undefined> {
  return (await addPermissions(hub, uid, await joined(hub, uid).where("abook_xchan", "=", hash).execute()))[0];
}

/** Somebody whom the channel may choose for an audience or a group. */
export type Person = {
  abook_id: number;
  xchan_hash: string;
  xchan_name: string;
  xchan_addr: string;
  xchan_photo_s: string;
};

/** The same, and 1 for somebody whom nothing reaches that is posted here. */
export type ListedPerson = Person & { unreached: number };

/** Approved connections of the channel, without those it has archived, or blocked, also with their server, and who is gone; in no order. */
export function peopleOf(hub: Hub, uid: number): SelectQueryBuilder<Tables, "abook" | "xchan", ListedPerson> {
  return hub.db
    .selectFrom("abook")
    .innerJoin("xchan", "xchan_hash", "abook_xchan")
    .select(["abook_id", "xchan_hash", "xchan_name", "xchan_addr", "xchan_photo_s"])
    .select(asFlag(isUnreached).as("unreached"))
    .where("abook_channel", "=", uid)
    .where("abook_self", "=", 0)
    .where("abook_pending", "=", 0)
    .where("abook_blocked", "=", 0)
    .where("abook_archived", "=", 0)
    .where("abook_unconnected", "=", 0)
    .where("xchan_deleted", "=", 0)
    .where(isNotAtBlockedHost(uid));
}

/** How many requests wait for the channel's owner. */
export async function countRequests(hub: Hub, uid: number): Promise<number> {
  const [row] = await compiled(hub, "count requests", { uid }, (slots) =>
    hub.db
      .selectFrom("abook")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("abook_channel", "=", slots.uid)
      .where("abook_pending", "=", sql.lit(1)),
  );
  return Number(row!.count);
}

function joined(hub: Hub, uid: number) {
  return hub.db
    .selectFrom("abook")
    .innerJoin("xchan", "xchan_hash", "abook_xchan")
    .selectAll(["abook", "xchan"])
    .where("abook_channel", "=", uid);
}

/** Is somebody of elsewhere a connection of any channel here, and not only one that asks or is blocked? */
export async function isConnection(hub: Hub, hash: string): Promise<boolean> {
  const [row] = await compiled(hub, "is connection", { hash }, (slots) =>
    hub.db
      .selectFrom("abook")
      .select("abook_id")
      .where("abook_xchan", "=", slots.hash)
      .where("abook_unconnected", "=", sql.lit(0))
      .where("abook_pending", "=", sql.lit(0))
      .where("abook_blocked", "=", sql.lit(0))
      .limit(sql.lit(1)),
  );
  return row !== undefined;
}

/** Is anybody else connected with the channel? Without, there is nothing to deliver. */
export async function hasConnections(hub: Hub, uid: number): Promise<boolean> {
  return (await connectionsOf(hub, sql`${uid}`).executeTakeFirst()) !== undefined;
}

/** The connections of a channel with anybody else. */
export function connectionsOf(
  hub: Hub,
  uid: RawBuilder<number>,
): SelectQueryBuilder<Tables, "abook", { abook_id: number }> {
  return hub.db
    .selectFrom("abook")
    .select("abook_id")
    .where("abook_channel", "=", uid)
    .where("abook_self", "=", sql.lit(0));
}
