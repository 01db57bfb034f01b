import type { Hub } from "../../hub.ts";
import { backUpTo } from "./back-up.ts";
import { folderPlace } from "./place.ts";
import { backupState } from "./state.ts";

/** Makes a backup where the operator wants one and it is time; a scheduled job. */
export async function backUpWhenDue(hub: Hub): Promise<void> {
  const { isDue } = await backupState(hub);
  if (isDue) await backUpTo(hub, folderPlace(hub.config.backups.to!));
}
