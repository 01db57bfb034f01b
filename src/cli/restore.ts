import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import type { Config } from "../config/config.ts";
import { strangePair } from "../domain/files/own-folder.ts";
import { setSetting, siteTable } from "../domain/identity/site/site-settings.ts";
import { blobFolder, openBlobs } from "../storage/blobs/open.ts";
import { openDatabase } from "../storage/database.ts";
import type { Database } from "../storage/engine.ts";
import type { BlobStore } from "../storage/blobs/store.ts";
import { holdFile, takeHold } from "../storage/hold.ts";
import { sqlDate } from "../storage/sql.ts";
import { openSnapshot } from "../storage/snapshot.ts";
import type { TableShape } from "../storage/snapshot.ts";
import { openArchive, restoreArchive } from "./archive/read.ts";
import type { Archive } from "./archive/read.ts";
import { backupsFrom, identityOption, readIdentities } from "./backup.ts";
import { command } from "./command.ts";
import { CommandError } from "./error-message.ts";
import { quietConfig } from "./with-hub.ts";

export const commands = [
  command({
    name: "restore",
    summary: "bring back what a backup holds; stop the hub first",
    arguments: { from: backupsFrom },
    options: { force: { meaning: "replace a hub that is not empty" }, identity: identityOption },
    run: async ({ env }, { from, force, identity }) =>
      restore(quietConfig(env), await openArchive(from, await readIdentities(identity)), force === true),
    print: ({ file, rows, blobs, base_url, warning }) => {
      const count = Object.values(rows).reduce((total, rows) => total + rows, 0);
      return `${file}: ${count} rows and ${blobs} files of ${base_url} are back.${warning ? `\nBeware: ${warning}` : ""}`;
    },
  }),
];

async function restore(config: Config, archive: Archive, force: boolean) {
  const undo = undoFolders(config);
  const hold = await takeHold(config.database, "alone");
  if (!hold)
    throw new CommandError("A hub is running on this database: stop it (every `serve` and `work`), then restore.");
  try {
    const counts = await replaceAll(config, archive, force);
    const { base_url } = archive.header;
    return {
      file: archive.from,
      base_url,
      ...counts,
      ...(base_url !== config.baseUrl && { warning: addressWarning(base_url, config) }),
    };
  } catch (error) {
    await undo();
    throw error;
  } finally {
    await hold.release();
  }
}

/** The folders and the database that were not there before are gone again after a restore that fails. */
function undoFolders(config: Config): () => Promise<void> {
  const { dataDir, database } = config;
  const files = database.engine === "sqlite" ? filesOf(database.file) : [];
  const made = [...files, blobFolder(config), dataDir].filter((path) => !existsSync(path));
  const isNew = files.length === 0 || made.includes(files[0]!);
  return async () => {
    for (const path of made) if (isNew || !files.includes(path)) await rm(path, { recursive: true, force: true });
  };
}

function filesOf(database: string): string[] {
  return [database, `${database}-wal`, `${database}-shm`, holdFile(database)];
}

async function replaceAll(config: Config, archive: Archive, force: boolean) {
  const before = await tablesNow(config);
  const { engine } = config.database;
  const db = openDatabase(config.database);
  const blobs = openBlobs(config);
  const kept: string[] = [];
  let mark = "";
  try {
    if (!force) await refuseAccounts(db, before);
    mark = await markFor(db, before, blobs);
    const counts = await db.transaction().execute(async (db) => {
      const counts = await restoreArchive({ db, engine, blobs, before, kept }, archive);
      await setSetting({ db }, "dataFolder", mark);
      await setSetting({ db }, "restoredFrom", sqlDate(new Date(archive.header.created)));
      await setSetting({ db }, "hasMissed", true);
      return counts;
    });
    await blobs.mark.settle(mark);
    return counts;
  } catch (error) {
    for (const name of kept) await blobs.remove(name);
    if (mark !== "") await blobs.mark.withdraw(mark);
    throw error;
  } finally {
    await db.destroy();
  }
}

/** The mark of the blob store, which the restored database gets in the place of that of the one it comes from. */
async function markFor(db: Database, before: readonly TableShape[], blobs: BlobStore): Promise<string> {
  const ours = await blobs.mark.read();
  const hasSettings = before.some((shape) => shape.table === "setting");
  const row =
    hasSettings &&
    (await db.selectFrom("setting").select("v").where("k", "=", siteTable.dataFolder.k).executeTakeFirst());
  if (ours !== (row ? row.v : undefined)) throw strangePair(blobs);
  return ours ?? blobs.mark.offer();
}

async function tablesNow({ database }: Config): Promise<TableShape[]> {
  if (database.engine === "sqlite" && !existsSync(database.file)) return [];
  const snapshot = await openSnapshot(database);
  try {
    return await snapshot.tables();
  } finally {
    await snapshot.close();
  }
}

async function refuseAccounts(db: Database, before: readonly TableShape[]): Promise<void> {
  if (!before.some((shape) => shape.table === "account")) return;
  if (!(await db.selectFrom("account").select("account_id").limit(1).executeTakeFirst())) return;
  throw new CommandError("This hub has accounts: restore into an empty one, or replace everything here with --force.");
}

function addressWarning(backup: string, { baseUrl }: Config): string {
  return `these identities belong to ${backup}, and HUBBUB_BASE_URL is ${baseUrl}.`;
}
