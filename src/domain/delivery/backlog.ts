import { sql } from "kysely";
import type { SqlBool } from "kysely";
import { cache } from "../../caches.ts";
import type { Hub } from "../../hub.ts";
import { fromSqlDate, sqlDate } from "../../storage/sql.ts";

/** What has piled up in a queue: how much is due, counted up to a limit, and for how many seconds the oldest has been. */
export type Backlog = { due: number; oldest: number };

/** So much due, or for so long, is more than the hub can do (federation contract 12.2). */
const mostDue = 100_000;
const longestSeconds = 15 * 60;

/** What waits to be sent or to take effect although it is due. */
export async function backlogOf(
  hub: Pick<Hub, "db" | "clock">,
  table: "delivery" | "inbox_activity",
): Promise<Backlog> {
  const now = hub.clock();
  const due = hub.db
    .selectFrom(table as "delivery")
    .select("next_at")
    .where(sql<SqlBool>`state = 'waiting'`)
    .where("next_at", "<=", sqlDate(now))
    .orderBy("next_at")
    .orderBy("id")
    .limit(mostDue);
  const { count, oldest } = await hub.db
    .selectFrom(due.as("due"))
    .select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.min("next_at").as("oldest")])
    .executeTakeFirstOrThrow();
  const since = (oldest as string | null) ?? sqlDate(now);
  return { due: Number(count), oldest: Math.floor((now.getTime() - fromSqlDate(since).getTime()) / 1000) };
}

export function isTooMuch({ due, oldest }: Backlog): boolean {
  return due >= mostDue || oldest > longestSeconds;
}

const known = cache<"overload", { at: number; is: boolean }>(1);
const knownFor = 10_000;

/**
 * Is there more to send or to take in than the hub can do? What can be left out has to be then: filling in what is missing and
 * asking again; never deliveries. Looked at every ten seconds.
 */
export async function isOverloaded(hub: Hub): Promise<boolean> {
  const at = hub.clock().getTime();
  const last = known(hub).get("overload");
  if (last && last.at + knownFor > at) return last.is;
  const [out, into] = await Promise.all([backlogOf(hub, "delivery"), backlogOf(hub, "inbox_activity")]);
  const is = isTooMuch(out) || isTooMuch(into);
  known(hub).set("overload", { at, is });
  return is;
}
