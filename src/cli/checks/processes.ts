import { sql } from "kysely";
import { holders } from "../../storage/hold.ts";
import type { Database, Engine } from "../../storage/engine.ts";
import { ok } from "./finding.ts";
import type { Finding } from "./finding.ts";

/** Which processes run on the database, by the part that each has; an embedded database does not know. */
export async function findProcesses(db: Database, engine: Engine): Promise<Finding> {
  if (engine === "sqlite") return ok("processes", "an embedded database does not know of them");
  const { rows } = await sql<{ name: string }>`select application_name as name from pg_stat_activity
    where datname = current_database() and starts_with(application_name, ${holders}) order by 1`.execute(db);
  const parts = rows.map(({ name }) => name.slice(holders.length));
  return ok("processes", parts.length === 0 ? "none is running" : parts.join(", "));
}
