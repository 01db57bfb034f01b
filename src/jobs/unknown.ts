import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import { momentIn } from "../hub.ts";
import type { Hub } from "../hub.ts";
import { isOneOf } from "../storage/sql.ts";
import { isExtensionJobName } from "../extensions/names.ts";
import { jobBacklogs } from "./backlog.ts";
import { payloadSchemas } from "./kinds.ts";
import type { JobKind } from "./kinds.ts";

/** Jobs of kinds that only other versions of the program know: one of those does them, beside this one or after it. */

/** May this program do the job? Those of extensions it may, which rest where their extension is not there. */
export function isKnown({ engine }: Pick<Hub, "engine">): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${isOneOf(engine, sql.ref("name"), Object.keys(payloadSchemas))} or substr(name, 1, 2) = 'x/')`;
}

export function isJobKind(name: string): name is JobKind {
  return Object.hasOwn(payloadSchemas, name);
}

export type UnknownJobs = { name: string; count: number; since: string };

/** Those that are due, by kind, and since when the oldest of each is. */
export async function findUnknown(hub: Pick<Hub, "db" | "clock">): Promise<UnknownJobs[]> {
  const backlogs = await jobBacklogs(hub);
  return backlogs
    .filter(({ job, due }) => due > 0 && !isJobKind(job) && !isExtensionJobName(job))
    .map(({ job, due, oldest }) => ({ name: job, count: due, since: momentIn(hub, -1000 * oldest) }));
}

/** Removes all of a kind, unless this program knows it. Answers how many. */
export async function forgetUnknown({ db }: Pick<Hub, "db">, kind: string): Promise<number> {
  if (isJobKind(kind)) return 0;
  const { numDeletedRows } = await db
    .deleteFrom("job")
    .where("dead", "=", 0)
    .where("name", "=", kind)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
