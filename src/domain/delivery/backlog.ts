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

/** At how many times too much something is left out: filling in what is missing comes before asking again and previews. */
const timesTooMuch = { "back-fill": 1, "asking again": 2, previews: 2 } as const;

/** What can be left out while there is more to send or to take in than the hub can do. */
type Spare = keyof typeof timesTooMuch;

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
    .limit(timesTooMuch.previews * mostDue);
  const { count, oldest } = await hub.db
    .selectFrom(due.as("due"))
    .select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.min("next_at").as("oldest")])
    .executeTakeFirstOrThrow();
  const since = (oldest as string | null) ?? sqlDate(now);
  return { due: Number(count), oldest: Math.floor((now.getTime() - fromSqlDate(since).getTime()) / 1000) };
}

export function isTooMuch({ due, oldest }: Backlog, times = 1): boolean {
  return due >= times * mostDue || oldest > times * longestSeconds;
}

const known = cache<"queues", { at: number; backlogs: Backlog[] }>(1);
const knownFor = 10_000;

/** Has this to wait, or not to be done at all, because there is too much else? Deliveries never have. Looked at every ten seconds. */
export async function isLeftOut(hub: Hub, what: Spare): Promise<boolean> {
  const backlogs = await backlogsLately(hub);
  return backlogs.some((backlog) => isTooMuch(backlog, timesTooMuch[what]));
}

async function backlogsLately(hub: Hub): Promise<Backlog[]> {
  const at = hub.clock().getTime();
  const last = known(hub).get("queues");
  if (last && last.at + knownFor > at) return last.backlogs;
  const backlogs = await Promise.all([backlogOf(hub, "delivery"), backlogOf(hub, "inbox_activity")]);
  known(hub).set("queues", { at, backlogs });
  return backlogs;
}
