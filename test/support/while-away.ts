import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import pg from "pg";
import { vi } from "vitest";
import type { Hub } from "../../src/hub.ts";
import { onPostgres } from "./hub.ts";

/** Does the work while the database takes no changes; a server is not even to be reached. */
export async function whileAway<T>(hub: Hub, work: () => Promise<T>): Promise<T> {
  const comeBack = await (onPostgres ? closeDoor(hub) : holdLock(hub));
  try {
    return await work();
  } finally {
    await comeBack();
  }
}

async function closeDoor({ config }: Hub): Promise<() => Promise<void>> {
  const name = new URL((config.database as { url: string }).url).pathname.slice(1);
  const server = new pg.Client({ connectionString: process.env["HUBBUB_TEST_POSTGRES_URL"]! });
  await server.connect();
  await server.query(`alter database ${name} with allow_connections false`);
  await server.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [name]);
  return async () => {
    await server.query(`alter database ${name} with allow_connections true`);
    await server.end();
  };
}

async function holdLock({ config, db }: Hub): Promise<() => Promise<void>> {
  await sql`pragma busy_timeout = 0`.execute(db);
  const other = new DatabaseSync((config.database as { file: string }).file);
  other.exec("begin immediate");
  // Who writes is patient for a minute; here it passes in half a second.
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() * 120);
  return async () => {
    clock.mockRestore();
    other.exec("rollback");
    other.close();
    await sql`pragma busy_timeout = 10000`.execute(db);
  };
}
