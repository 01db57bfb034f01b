import { existsSync, globSync } from "node:fs";
import { join } from "node:path";

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
  const programs = findPrograms();
  return programs === undefined ? undefined : { programs };
}

/** The folder of the newest PostgreSQL of this machine. */
export function findPrograms(): string | undefined {
  const age = (folder: string): number => Number(/\d+/.exec(folder)![0]);
  const [programs] = globSync("/usr/lib/postgresql/*/bin").toSorted((a, b) => age(b) - age(a));
  return programs !== undefined && existsSync(join(programs, "initdb")) ? programs : undefined;
}

/** Says so that nobody overlooks it that the run on PostgreSQL is skipped; where machines read, it is a failure. */
export function announceWithoutPostgres(): void {
  if (process.env["CI"]) throw new Error("CI runs the tests on PostgreSQL too, and there is none on this machine.");
  process.stderr.write(banner);
  process.once("exit", () => process.stderr.write(banner));
}
