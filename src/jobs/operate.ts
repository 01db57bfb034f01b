import { sql } from "kysely";
import type { Selectable } from "kysely";
import { missing } from "../errors.ts";
import { now } from "../hub.ts";
import type { Hub } from "../hub.ts";
import { cutPage } from "../storage/key-page.ts";
import { isOneOf, zeroDate } from "../storage/sql.ts";
import { storedJson } from "../stored-json.ts";
import type { JobTable } from "../storage/tables/jobs.ts";

/** What operators do about jobs: those that wait, and those that were given up. */

export type JobSummary = Omit<Selectable<JobTable>, "payload"> & { payload: unknown };

/** Jobs that wait, or with `dead` those given up, oldest first. */
export async function listJobs(hub: Hub, dead: boolean): Promise<JobSummary[]> {
  const rows = await hub.db
    .selectFrom("job")
    .selectAll()
    .where("dead", "=", dead ? 1 : 0)
    .orderBy("run_at")
    .orderBy("id")
    .limit(1000)
    .execute();
  return rows.map(summaryOf);
}

/** A page of those that were given up, the newest first. */
export async function pageOfFailedJobs(
  hub: Hub,
  { before, count }: { before?: number | undefined; count: number },
): Promise<{ jobs: JobSummary[]; next: number | undefined }> {
  const rows = await hub.db
    .selectFrom("job")
    .selectAll()
    .where("dead", "=", sql.lit(1))
    .where("id", "<", before ?? Number.MAX_SAFE_INTEGER)
    .orderBy("id", "desc")
    .limit(count + 1)
    .execute();
  const { page, next } = cutPage(rows, count, ({ id }) => id);
  return { jobs: page.map(summaryOf), next };
}

function summaryOf(row: Selectable<JobTable>): JobSummary {
  return { ...row, payload: storedJson<unknown>(row.payload) };
}

/** Gives given-up jobs another round of attempts; all of them when no ids are named. Answers how many. */
export async function retryJobs(hub: Hub, ids?: readonly number[]): Promise<number> {
  let q = hub.db
    .updateTable("job")
    .set({ dead: 0, attempts: 0, run_at: now(hub), leased_until: zeroDate })
    .where("dead", "=", 1);
  if (ids) q = q.where(isOneOf(hub.engine, sql.ref("id"), ids));
  const result = await q.executeTakeFirst();
  hub.wake();
  return Number(result.numUpdatedRows);
}

/** Nobody wants the result of this job any more. Throws missing for one that was not given up. */
export async function dropJob(hub: Hub, id: number): Promise<void> {
  const { numDeletedRows } = await hub.db
    .deleteFrom("job")
    .where("id", "=", id)
    .where("dead", "=", 1)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) throw missing("Page");
}
