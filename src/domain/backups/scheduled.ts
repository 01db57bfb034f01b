import type { Hub } from "../../hub.ts";
import { backUpTo } from "./back-up.ts";
import { openPlace } from "../../storage/places/open.ts";
import { backupState } from "./state.ts";

/** Makes a backup where the operator wants one and it is time; a scheduled job. */
export async function backUpWhenDue(hub: Hub): Promise<void> {
  const { isDue } = await backupState(hub);
  if (isDue) await backUpTo(hub, openPlace(hub.config.backups.to!, hub.counters.ofS3("backups")));
}
