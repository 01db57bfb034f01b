import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import { now } from "../hub.ts";
import type { Hub } from "../hub.ts";
import { extensionJobName, extensionJobs } from "../extensions/names.ts";
import { zeroDate } from "../storage/sql.ts";

/** Jobs of extensions that are not there: they are tried again now and then, however long that takes, and never given up. */

const away = "ExtensionAway";

export class ExtensionAway extends Error {
  constructor(name: string) {
    super(`No extension that HUBBUB_EXTENSIONS names has the job ${name}`);
    this.name = away;
  }
}

/** Those whose extension is there again are due. */
export async function wakeResting(hub: Hub): Promise<void> {
  const names = extensionJobs(hub.extensions).map(({ extension, job }) => extensionJobName(extension, job.name));
  if (names.length === 0) return;
  await hub.db
    .updateTable("job")
    .set({ run_at: now(hub), attempts: 0, last_error: "" })
    .where(isResting("x/"))
    .where("name", "in", names)
    .where("leased_until", "=", zeroDate)
    .execute();
}

/** How many rest, by name. */
export async function countResting(hub: Pick<Hub, "db">): Promise<{ name: string; count: number }[]> {
  const rows = await hub.db
    .selectFrom("job")
    .select(["name", (eb) => eb.fn.countAll<number>().as("count")])
    .where(isResting("x/"))
    .groupBy("name")
    .orderBy("name")
    .execute();
  return rows.map(({ name, count }) => ({ name, count: Number(count) }));
}

/** Removes all that rest of an extension, known or not. Answers how many. */
export async function forgetResting({ db }: Pick<Hub, "db">, extension: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("job")
    .where(isResting(`x/${extension}/`))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Does a job rest whose name begins so, up to a slash? In the words of the index (job_of_extensions). */
function isResting(beginning: `x/${string}`): RawBuilder<SqlBool> {
  const after = beginning.replace(/\/$/, "0");
  return sql`dead = 0 and substr(name, 1, 2) = 'x/' and name >= ${beginning} and name < ${after}
    and last_error like ${`${away}%`}`;
}
