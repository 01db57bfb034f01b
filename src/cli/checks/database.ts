import { existsSync } from "node:fs";
import { sql } from "kysely";
import type { Config } from "../../config/config.ts";
import { countLost } from "../../domain/files/check-files.ts";
import { isOwnFolder, strangePair } from "../../domain/files/own-folder.ts";
import { BlobsAway } from "../../errors.ts";
import { Caches } from "../../caches.ts";
import { messageOf } from "../../refusals/messages.ts";
import { messages } from "../messages.ts";
import { openBlobs } from "../../storage/blobs/open.ts";
import { migrationSteps, openDatabases, newerStep } from "../../storage/database.ts";
import type { Database, Engine } from "../../storage/engine.ts";
import { errorMessageOf } from "../error-message.ts";
import { findBackups } from "./backups.ts";
import { findResting } from "./extensions.ts";
import { failed, ok, warning } from "./finding.ts";
import { findLongSteps } from "./long-steps.ts";
import { findProcesses } from "./processes.ts";
import { findQueues } from "./queues.ts";
import { findReplica } from "./replica.ts";
import type { Finding } from "./finding.ts";

/** More than this and the times in the database are wrong. */
const mostSecondsApart = 10;

/** Is the database there, are its tables up to date, does its clock agree? Changes nothing. */
export async function checkDatabase(config: Config): Promise<Finding[]> {
  const { database } = config;
  if (database.engine === "sqlite" && !existsSync(database.file)) {
    return [ok("database", `SQLite, ${database.file} will be made at the first start`)];
  }
  const { db, replica } = openDatabases(database);
  try {
    return [
      await findVersion(db, database.engine),
      await findSteps(db, database.engine),
      await findClock(db, database.engine),
      await findProcesses(db, database.engine),
      ...(await findReplica(replica)),
      ...(await findContent(db, config)),
    ];
  } catch (error) {
    const reason = errorMessageOf(error) ?? String(error);
    return [
      failed(
        "database",
        reason,
        "Check HUBBUB_DATABASE_URL, that the database server runs, and that this user may use it.",
      ),
    ];
  } finally {
    await replica?.close();
    await db.destroy();
  }
}

async function findVersion(db: Database, engine: Engine): Promise<Finding> {
  const query =
    engine === "sqlite" ? sql<Version>`select sqlite_version() as version` : sql<Version>`show server_version`;
  const { rows } = await query.execute(db);
  const found = rows[0]?.version ?? rows[0]?.server_version ?? "";
  if (engine === "postgres" && Number.parseInt(found, 10) < 14) {
    return failed("database", `PostgreSQL ${found}`, "Use PostgreSQL 14 or newer.");
  }
  return ok("database", `${engine === "sqlite" ? "SQLite" : "PostgreSQL"} ${found}`);
}

type Version = { version?: string; server_version?: string };

async function findSteps(db: Database, engine: Engine): Promise<Finding> {
  const steps = await migrationSteps(db, engine);
  const newer = steps.some(({ taken }) => taken) ? await newerStep(db) : undefined;
  if (newer) {
    const found = `belong to a newer version of Hubbub (${newer.name})`;
    return newer.takesAway
      ? failed("tables", found, "Update the program; an older one cannot use these tables.")
      : warning("tables", found, "This one may go on beside it. Update it, too, before the next version comes.");
  }
  const pending = steps.filter((step) => !step.taken).map((step) => step.name);
  if (pending.length === 0) return ok("tables", `up to date (${steps.at(-1)!.name})`);
  return warning(
    "tables",
    `waiting: ${pending.join(", ")}`,
    "The next start brings them up to date, or `hubbub migrate` does it now.",
  );
}

/** Only tables that are up to date can tell. */
async function findContent(db: Database, config: Config): Promise<Finding[]> {
  const { engine } = config.database;
  const steps = await migrationSteps(db, engine);
  if (steps.some(({ taken }) => !taken) || (await newerStep(db))?.takesAway) return [];
  return [
    ...(await findPair(db, config)),
    ...(await findQueues({ db, clock: () => new Date() })),
    ...(await findResting({ db })),
    ...(await findLongSteps({ db })),
    await findBackups(db, config),
  ];
}

async function findPair(db: Database, config: Config): Promise<Finding[]> {
  const { engine } = config.database;
  const lost = await countLost({ db });
  return [
    await findOwner({ db, engine, blobs: openBlobs(config), caches: new Caches() }),
    lost === 0
      ? ok("files", "none is known to be lost")
      : warning("files", `${lost} are lost`, "`hubbub files check` names them; a backup may have them."),
  ];
}

async function findOwner(hub: Parameters<typeof isOwnFolder>[0]): Promise<Finding> {
  const advice = "Nothing may be written before that is clear.";
  try {
    if (!(await isOwnFolder(hub))) return failed("pair", messageOf(messages, strangePair(hub.blobs)), advice);
    return ok("pair", `${hub.blobs.mark.place} belongs to this database`);
  } catch (error) {
    if (error instanceof BlobsAway) return failed("pair", "is not known while the blob store does not answer", advice);
    throw error;
  }
}

/** An embedded database has no clock of its own; the one of the file system is looked at with the folders. */
async function findClock(db: Database, engine: Engine): Promise<Finding> {
  if (engine === "sqlite") return ok("clock of the database", "is the clock of this machine");
  const before = Date.now();
  const { rows } = await sql<{
    seconds: string;
  }>`select extract(epoch from clock_timestamp())::text as seconds`.execute(db);
  return compareClocks("clock of the database", Number(rows[0]!.seconds), (before + Date.now()) / 2000);
}

/** Do two clocks say the same, in seconds? */
export function compareClocks(check: string, theirs: number, ours: number): Finding {
  const apart = Math.abs(theirs - ours);
  if (apart <= mostSecondsApart) return ok(check, "agrees with this machine");
  return failed(
    check,
    `${Math.round(apart)} seconds away from this machine's`,
    "Let both machines set their clocks by NTP.",
  );
}
