import { access, constants } from "node:fs/promises";
import { Caches } from "../../caches.ts";
import type { Config } from "../../config.ts";
import { backupState } from "../../domain/backups/state.ts";
import { isSealKey } from "../../domain/backups/seal.ts";
import type { Database } from "../../storage/engine.ts";
import { failed, ok, warning } from "./finding.ts";
import type { Finding } from "./finding.ts";

const check = "backups";

/** When was the last backup made, and can the next one be? */
export async function findBackups(db: Database, config: Config): Promise<Finding> {
  const { to, key } = config.backups;
  if (key !== undefined && !(await isSealKey(key)))
    return failed(check, "HUBBUB_BACKUP_KEY is no key of age", "Copy it anew; `hubbub backup key` makes one.");
  const { engine } = config.database;
  const state = await backupState({ db, engine, config, caches: new Caches(), clock: () => new Date() });
  const last = state.last === undefined ? "none was made yet" : `the last one is from ${state.last} UTC`;
  if (to === undefined) return ok(check, `${last}; HUBBUB_BACKUP_TO has the hub make them by itself`);
  if (!(await isWritable(to)))
    return failed(check, `${to} cannot be written; ${last}`, "Make the folder, or mount it, for the user of the hub.");
  if (!state.isLate) return ok(check, last);
  return warning(check, last, "Is a `serve` or `work` running? `hubbub jobs list --dead` shows why one failed.");
}

function isWritable(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}
