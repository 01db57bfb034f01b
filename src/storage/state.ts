import { sql } from "kysely";
import type { DatabaseSettings } from "../config/database.ts";
import { compiled } from "./compiled-query.ts";
import type { HubOfQueries } from "./compiled-query.ts";

/**
 * A name for what the database holds: while it stays the same, nobody has committed a change, neither this process nor
 * another. A replica names what it has repeated. Undefined for a SQLite database in memory, which can't tell.
 */
export async function databaseState(
  hub: HubOfQueries & { config: { database: DatabaseSettings } },
): Promise<string | undefined> {
  const settings = hub.config.database;
  // SQLite counts what other handles have changed than the one that asks, and here there is one for everything.
  if (settings.engine === "sqlite" && settings.file === ":memory:") return undefined;
  const [row] = await compiled(hub, "state of the database", {}, () =>
    settings.engine === "sqlite"
      ? hub.db
          .selectFrom(sql<{ data_version: number }>`pragma_data_version`.as("versions"))
          .select("data_version as state")
      : // Which transactions can be seen: of the whole server, so it changes too often rather than too rarely.
        // A replica does not say so which of them it has seen, but how far it has come in the log.
        hub.db.selectNoFrom(
          sql<string>`case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text
            else pg_current_snapshot()::text end`.as("state"),
        ),
  );
  return String(row!.state);
}
