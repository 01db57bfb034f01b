import { Caches } from "../../caches.ts";
import type { Config } from "../../config/config.ts";
import { backupState } from "../../domain/backups/state.ts";
import { isSealKey } from "../../domain/backups/seal.ts";
import type { Database } from "../../storage/engine.ts";
import { nameOfPlace, openPlace } from "../../storage/places/open.ts";
import { tryPlace } from "../../storage/places/place.ts";
import type { BackupsPlace } from "../../config/storage-places.ts";
import { errorMessageOf } from "../error-message.ts";
import { adviceOnS3 } from "./blobs.ts";
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
  const reason = await whyNot(to);
  if (reason !== undefined)
    return failed(check, `${nameOfPlace(to)} cannot be used: ${reason}; ${last}`, adviceFor(to));
  if (!state.isLate) return ok(check, last);
  return warning(check, last, "Is a `serve` or `work` running? `hubbub jobs list --dead` shows why one failed.");
}

async function whyNot(to: BackupsPlace): Promise<string | undefined> {
  try {
    await tryPlace(openPlace(to));
    return undefined;
  } catch (error) {
    return errorMessageOf(error) ?? String(error);
  }
}

function adviceFor({ kind }: BackupsPlace): string {
  return kind === "folder" ? "Make the folder, or mount it, for the user of the hub." : adviceOnS3;
}
