import { sql } from "kysely";
import { momentIn } from "../hub.ts";
import type { Hub } from "../hub.ts";
import { fromSqlDate } from "../storage/sql.ts";

/** Jobs of one kind: how many are due, for how many seconds the oldest has been, and how many were given up. */
export type JobBacklog = { job: string; due: number; oldest: number; dead: number };

/** More than that are not counted: whoever looks need not know whether it is 10,000 or 20,000. */
const mostCounted = 10_000;

/** What the queue of jobs holds, by kind; the oldest ones where there are very many. */
export async function jobBacklogs(hub: Pick<Hub, "db" | "clock">): Promise<JobBacklog[]> {
  const first = (dead: 0 | 1) =>
    hub.db
      .selectFrom("job")
      .select(["name", "run_at", "dead"])
      .where("dead", "=", dead)
      .orderBy("run_at")
      .orderBy("id")
      .limit(mostCounted);
  const counted = (some: ReturnType<typeof first>) =>
    hub.db
      .selectFrom(some.as("some"))
      .select(["name", sql<number>`count(*)`.as("count"), sql<string>`min(run_at)`.as("oldest")])
      .groupBy("name")
      .execute();
  const [due, dead] = await Promise.all([counted(first(0).where("run_at", "<=", momentIn(hub, 0))), counted(first(1))]);
  const names = new Set([...due, ...dead].map(({ name }) => name));
  return [...names].toSorted().map((job) => {
    const [waiting, given] = [due.find(({ name }) => name === job), dead.find(({ name }) => name === job)];
    const oldest = waiting ? (hub.clock().getTime() - fromSqlDate(waiting.oldest).getTime()) / 1000 : 0;
    return { job, due: Number(waiting?.count ?? 0), oldest, dead: Number(given?.count ?? 0) };
  });
}
