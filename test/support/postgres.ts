import { execFileSync, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { migrate, openDatabase } from "../../src/storage/database.ts";
import { findPostgres } from "./find-postgres.ts";
import { freePort } from "./free-port.ts";
import { createDatabaseOn } from "./hub.ts";

/** Set-up of the run on PostgreSQL: the workers find a server, and a database with all tables to make theirs from. */
export default async function setUp({ config }: TestProject): Promise<() => Promise<void>> {
  const found = findPostgres()!;
  // A database is hundreds of files: in memory they are copied in a quarter of the time.
  const folder = config.env["TMPDIR"];
  const { url, stop } =
    "url" in found ? { url: found.url, stop: undefined } : await startCluster(found.programs, quick, folder);
  const template = await createDatabaseOn(url);
  const db = openDatabase({ engine: "postgres", url: template.url });
  await migrate(db, "postgres");
  await db.destroy();
  await connectOnce(template.url);
  process.env["HUBBUB_TEST_POSTGRES_URL"] = url;
  process.env["HUBBUB_TEST_POSTGRES_TEMPLATE"] = new URL(template.url).pathname.slice(1);
  return stop ?? template.drop;
}

/** Whoever connects first lists the tables, in a file of the database's own: its copies have that with them. */
async function connectOnce(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.end();
}

/** A cluster for this run alone. What tests keep in it may be lost, so with their settings it never waits for the disk. */
export async function startCluster(programs: string, extra: Settings = quick, parent = tmpdir()): Promise<Cluster> {
  const flags = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"];
  return startServer(programs, "initdb", flags, extra, parent);
}

/** A server that repeats what that one does. */
export function startReplica(programs: string, primary: string, extra: Settings): Promise<Cluster> {
  const flags = ["-d", primary, "-R", "-c", "fast", "--no-sync"];
  return startServer(programs, "pg_basebackup", flags, extra, tmpdir());
}

type Settings = Record<string, string | number>;
export type Cluster = {
  url: string;
  stop: () => Promise<void>;
  /** It ends as if killed, and after so many milliseconds comes back with what it has stored. */
  restart: (away: number) => Promise<void>;
};

/** Starts a server on the files that a program makes. */
async function startServer(
  programs: string,
  maker: string,
  makerFlags: string[],
  extra: Settings,
  parent: string,
): Promise<Cluster> {
  const folder = mkdtempSync(join(parent, "hubbub-postgres-"));
  const user = await otherUser();
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const options = { ...user, cwd: folder, stdio: "ignore" } as const;
  execFileSync(join(programs, maker), ["-D", data, ...makerFlags], options);
  const port = await freePort();
  const settings = { port, unix_socket_directories: folder, listen_addresses: "127.0.0.1", ...extra };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const begin = async (): Promise<ChildProcess> => {
    const server = spawn(join(programs, "postgres"), ["-D", data, ...flags], options);
    await untilReady(url, server);
    return server;
  };
  let server = await begin();
  // Also when the run is cut off.
  process.once("exit", () => server.kill("SIGQUIT"));
  return {
    url,
    async stop() {
      await kill(server);
      rmSync(folder, { recursive: true, force: true });
    },
    async restart(away) {
      await kill(server);
      await sleep(away);
      server = await begin();
    },
  };
}

/** For servers that may lose everything with the machine. */
export const quick = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  // Nobody reads the log of a cluster like this, and its databases are gone before they need tidying.
  wal_level: "minimal",
  max_wal_senders: 0,
  max_wal_size: "1GB",
  autovacuum: "off",
  max_connections: 200,
};

/** PostgreSQL refuses to run as root; Debian's package brings a user for it. */
async function otherUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const number = (flag: string): number => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return Promise.resolve({ uid: number("-u"), gid: number("-g") });
}

async function untilReady(url: string, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 600 && server.exitCode === null; attempt++) {
    try {
      return await connectOnce(url);
    } catch {
      await sleep(100);
    }
  }
  throw new Error("The PostgreSQL for the tests does not start.");
}

/** Harmless when it is gone. */
async function kill(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const gone = new Promise((resolve) => server.once("exit", resolve));
  server.kill("SIGQUIT");
  await gone;
}
