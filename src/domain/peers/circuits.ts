import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";

/**
 * How it is with a host: whether requests to it are tried at all (federation contract 12.2). `good` ones answered the last
 * request, `doubtful` ones did not, `open` ones are only probed, and `dead` ones have been given up.
 */
export type Standing = "good" | "doubtful" | "open" | "dead";

/** How it is with these hosts; those of whom nothing is known are not among them. */
export async function standings(hub: Hub, hosts: readonly string[]): Promise<Map<string, Standing>> {
  const rows = await hub.db
    .selectFrom("peer")
    .select(["host", "circuit", "failures"])
    .where(isOneOf(hub.engine, sql.ref("host"), hosts, "text"))
    .execute();
  return new Map(rows.map((row) => [row.host, standingOf(row)]));
}

function standingOf({ circuit, failures }: { circuit: string; failures: number }): Standing {
  if (circuit === "open" || circuit === "dead") return circuit;
  return failures === 0 ? "good" : "doubtful";
}
