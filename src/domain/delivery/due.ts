import { sql } from "kysely";
import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { compiled } from "../../storage/compiled-query.ts";
import { bigLimit, isOneOf, sqlDate } from "../../storage/sql.ts";
import type { Room } from "./worker.ts";

/** Rows that are due, in the order in which they should be done. */
type Candidates = (most: number, except: readonly string[]) => Promise<{ id: number; host: string }[]>;

/** As many of the rows that are due as there is room for. A host that has much waiting leaves room for the others. */
async function thatFit({ free, ofHost, full }: Omit<Room, "over">, find: Candidates): Promise<number[]> {
  const fits: number[] = [];
  const left = new Map<string, number>();
  const except = [...full];
  while (fits.length < free) {
    const found = await find(free, except);
    for (const { id, host } of found) {
      if (fits.includes(id)) continue;
      const room = left.get(host) ?? ofHost(host);
      if (room > 0) fits.push(id);
      if (room === 1) except.push(host);
      left.set(host, room - 1);
    }
    // They were all there is, or the others are behind those of a host that has enough.
    if (found.length < free) break;
  }
  return fits.slice(0, free);
}

/** How many rows may be under way that many get, or whose host did not answer the last time: others find room at any time. */
export type Shares = { bulk: number; doubtful: number };

/** Deliveries that are due: the first of each object and host, answers before what many get, and doubtful hosts last. */
export function dueDeliveries(hub: Hub, room: Room, { bulk, doubtful }: Shares): Promise<number[]> {
  return thatFit(room, async (most, except) => {
    const shares = { urgent: most, bulk: Math.min(most, bulk), doubtful: Math.min(most, doubtful) };
    return compiled(hub, "due deliveries", { moment: now(hub), over: room.over, except, ...shares }, (slots) => {
      const of = (priority: number, share: typeof slots.bulk) => sql`select id, host, priority from (
        select id, host, priority from delivery where state = 'waiting' and priority = ${sql.lit(priority)}
          and next_at <= ${slots.moment} and lease_until <= ${slots.over}
          and not ${isOneOf(hub.engine, sql.ref("host"), slots.except, "text")}
          and not exists (select 1 from delivery former where former.state = 'waiting'
            and former.object_id = delivery.object_id and former.host = delivery.host and former.id < delivery.id)
        order by next_at, id limit ${bigLimit(hub.engine, share)}) p${sql.lit(priority)}`;
      return {
        compile: () =>
          sql<{ id: number; host: string }>`${of(0, slots.urgent)} union all ${of(1, slots.bulk)}
            union all ${of(2, slots.doubtful)}`.compile(hub.db),
      };
    });
  });
}

/**
 * Arrivals that are due, oldest first. Those of one object or thread take effect one after the other; one that has to be tried
 * again holds up nobody until then.
 */
export function dueArrivals(hub: Hub, room: Room): Promise<number[]> {
  return thatFit(room, async (most, except) => {
    return compiled(hub, "due arrivals", { moment: now(hub), over: room.over, except, most }, (slots) => {
      // The offset keeps PostgreSQL from joining all that wait with each other, where only the first few are wanted.
      const isFirst = (column: string) => sql`not exists (select 1 from inbox_activity other
        where other.state = 'waiting' and other.${sql.ref(column)} = inbox_activity.${sql.ref(column)}
          and (other.lease_until > ${slots.over}
            or (other.id < inbox_activity.id and other.next_at <= ${slots.moment})) limit 1 offset 0)`;
      return {
        compile: () =>
          sql<{ id: number; host: string }>`select id, host from inbox_activity where state = 'waiting'
            and next_at <= ${slots.moment} and lease_until <= ${slots.over}
            and not ${isOneOf(hub.engine, sql.ref("host"), slots.except, "text")}
            and ${isFirst("object_id")} and (thread_id = '' or ${isFirst("thread_id")})
            order by next_at, id limit ${bigLimit(hub.engine, slots.most)}`.compile(hub.db),
      };
    });
  });
}

/** What was due by then is due now, though the clock has been set back since. */
export async function setBackQueues(hub: Hub, was: Date): Promise<void> {
  for (const table of ["delivery", "inbox_activity"] as const)
    await hub.db
      .updateTable(table as "delivery")
      .set({ next_at: now(hub) })
      .where(sql<boolean>`state = 'waiting'`)
      .where("next_at", ">", now(hub))
      .where("next_at", "<=", sqlDate(was))
      .execute();
}
