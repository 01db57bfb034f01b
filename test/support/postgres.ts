import { execFileSync, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

/** Where the PostgreSQL for the tests is: a server that runs, or programs to start one with. */
type Postgres = { url: string } | { programs: string };

const banner = `
${"#".repeat(100)}
##
##  THERE IS NO POSTGRESQL ON THIS MACHINE: THE TESTS RUN ON SQLITE ONLY, HALF OF THE SUITE IS SKIPPED.
##
##  Install it (Debian: apt-get install postgresql) or name a server in HUBBUB_TEST_POSTGRES_URL.
##
${"#".repeat(100)}
`;

/** The server that HUBBUB_TEST_POSTGRES_URL names, else the newest PostgreSQL of this machine, else nothing. */
export function findPostgres(): Postgres | undefined {
  const url = process.env["HUBBUB_TEST_POSTGRES_URL"];
  if (url) return { url };
  const age = (folder: string): number => Number(/\d+/.exec(folder)![0]);
  const [programs] = globSync("/usr/lib/postgresql/*/bin").toSorted((a, b) => age(b) - age(a));
  return programs !== undefined && existsSync(join(programs, "initdb")) ? { programs } : undefined;
}

/** Says so that nobody overlooks it that the run on PostgreSQL is skipped; where machines read, it is a failure. */
export function announceWithoutPostgres(): void {
  if (process.env["CI"]) throw new Error("CI runs the tests on PostgreSQL too, and there is none on this machine.");
  process.stderr.write(banner);
  process.once("exit", () => process.stderr.write(banner));
}

/** Set-up of the run on PostgreSQL: the workers find a server in HUBBUB_TEST_POSTGRES_URL. */
export default async function setUp(): Promise<(() => Promise<void>) | undefined> {
  const found = findPostgres()!;
  if ("url" in found) return undefined;
  const { url, stop } = await startCluster(found.programs);
  process.env["HUBBUB_TEST_POSTGRES_URL"] = url;
  return stop;
}

/** A cluster for this run alone. What tests keep in it may be lost, so with their settings it never waits for the disk. */
export async function startCluster(
  programs: string,
  extra: Record<string, string | number> = quick,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "hubbub-postgres-"));
  const user = await otherUser();
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const options = { ...user, cwd: folder, stdio: "ignore" } as const;
  execFileSync(
    join(programs, "initdb"),
    ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"],
    options,
  );
  const port = await freePort();
  const settings = { port, unix_socket_directories: folder, listen_addresses: "127.0.0.1", ...extra };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = spawn(join(programs, "postgres"), ["-D", data, ...flags], options);
  // Also when the run is cut off.
  process.once("exit", () => server.kill("SIGQUIT"));
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await untilReady(url, server);
  return { url, stop: () => stopCluster(server, folder) };
}

const quick = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: 200 };

/** PostgreSQL refuses to run as root; Debian's package brings a user for it. */
async function otherUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const number = (flag: string): number => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return Promise.resolve({ uid: number("-u"), gid: number("-g") });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function untilReady(url: string, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 200 && server.exitCode === null; attempt++) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await sleep(100);
    }
  }
  throw new Error("The PostgreSQL for the tests does not start.");
}

async function stopCluster(server: ChildProcess, folder: string): Promise<void> {
  const gone = new Promise((resolve) => server.once("exit", resolve));
  server.kill("SIGQUIT");
  await gone;
  rmSync(folder, { recursive: true, force: true });
}
