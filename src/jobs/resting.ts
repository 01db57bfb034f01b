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
    .where("name", "in", names)
    .where("dead", "=", 0)
    .where("leased_until", "=", zeroDate)
    .where("last_error", "like", `${away}%`)
    .execute();
}

/** How many rest, by name. */
export async function countResting(hub: Pick<Hub, "db">): Promise<{ name: string; count: number }[]> {
  const rows = await resting(hub)
    .select(["name", (eb) => eb.fn.countAll<number>().as("count")])
    .groupBy("name")
    .orderBy("name")
    .execute();
  return rows.map(({ name, count }) => ({ name, count: Number(count) }));
}

function resting({ db }: Pick<Hub, "db">) {
  return db
    .selectFrom("job")
    .where("name", "like", "x/%")
    .where("dead", "=", 0)
    .where("last_error", "like", `${away}%`);
}

/** Removes all that rest of an extension, known or not. Answers how many. */
export async function forgetResting({ db }: Pick<Hub, "db">, extension: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("job")
    .where("name", "like", `x/${extension.replaceAll(/[^a-z0-9-]/g, "")}/%`)
    .where("last_error", "like", `${away}%`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
