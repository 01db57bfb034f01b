import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import { parked } from "./states.ts";
import { storedJson } from "../../stored-json.ts";

/** How far something has come on its way to one inbox (federation contract 17). */
export type Reported = {
  host: string;
  /** The addresses of those whom it reaches there. */
  people: string[];
  state: string;
  attempts: number;
  /** The status of the last answer; 0 when there was none. */
  status: number;
  /** Why it has not ended well, as a code; empty when it has, or was not tried yet. */
  reason: string;
  /** When it is tried again; empty when it is not. */
  nextAt: string;
};

const mostReported = 1000;

/** The deliveries of what was sent about an object, the latest activity first. */
export async function reportOn(hub: Hub, objectId: string): Promise<Reported[]> {
  const rows = await hub.db
    .selectFrom("outbox_activity")
    .innerJoin("delivery", "delivery.activity", "outbox_activity.id")
    .leftJoin("peer", "peer.host", "delivery.host")
    .select(["delivery.host", "recipients", "state", "attempts", "last_status", "delivery.last_error", "next_at"])
    .select("next_probe")
    .where("outbox_activity.object_id", "=", objectId)
    .orderBy("activity", "desc")
    .orderBy("delivery.id")
    .limit(mostReported)
    .execute();
  const lists = rows.map(({ recipients }) => storedJson<number[]>(recipients));
  const addresses = await addressesOf(hub, [...new Set(lists.flat())]);
  return rows.map(({ host, state, attempts, last_status, last_error, next_at, next_probe }, place) => ({
    host,
    people: lists[place]!.flatMap((id) => addresses.get(id) ?? []),
    state,
    attempts,
    status: last_status,
    reason: last_error,
    nextAt: state !== "waiting" ? "" : next_at === parked ? (next_probe ?? "") : next_at,
  }));
}

async function addressesOf(hub: Hub, people: readonly number[]): Promise<Map<number, string>> {
  const rows = await hub.db
    .selectFrom("xchan")
    .select(["xchan_id", "xchan_addr"])
    .where(isOneOf(hub.engine, sql.ref("xchan_id"), people))
    .execute();
  return new Map(rows.map(({ xchan_id, xchan_addr }) => [xchan_id, xchan_addr]));
}
