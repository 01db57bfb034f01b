import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { directoryBlobs } from "../storage/blobs.ts";
import { openDatabase } from "../storage/database.ts";
import type { Database } from "../storage/database.ts";
import { openSnapshot } from "../storage/snapshot.ts";
import type { TableShape } from "../storage/snapshot.ts";
import { openArchive, restoreArchive } from "./archive/read.ts";
import { command } from "./command.ts";
import { CommandError } from "./sentence.ts";
import { quietConfig } from "./with-hub.ts";

export const commands = [
  command({
    name: "restore",
    summary: "bring back what a backup holds; stop the hub first",
    arguments: { from: "the file that backup has written" },
    options: { force: { meaning: "replace a hub that is not empty" } },
    run: ({ env }, { from, force }) => restore(quietConfig(env), from, force === true),
    print: ({ file, rows, blobs, base_url, warning }) => {
      const count = Object.values(rows).reduce((total, rows) => total + rows, 0);
      return `${file}: ${count} rows and ${blobs} files of ${base_url} are back.${warning ? `\nBeware: ${warning}` : ""}`;
    },
  }),
];

async function restore(config: Config, from: string, force: boolean) {
  const archive = await openArchive(from);
  const before = await tablesNow(config);
  const { engine } = config.database;
  const db = openDatabase(config.database);
  try {
    if (!force) await refuseAccounts(db, before);
    const blobs = directoryBlobs(join(config.dataDir, "blobs"));
    const counts = await db.transaction().execute((db) => restoreArchive({ db, engine, blobs, before }, archive));
    const { base_url } = archive.header;
    return {
      file: from,
      base_url,
      ...counts,
      ...(base_url !== config.baseUrl && { warning: addressWarning(base_url, config) }),
    };
  } finally {
    await db.destroy();
  }
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
