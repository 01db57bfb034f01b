import type { Hub } from "../../hub.ts";
import { backupState } from "./state.ts";

/** Makes a backup where the operator wants one and it is time; a scheduled job. */
export async function backUpWhenDue(hub: Hub): Promise<void> {
  const { isDue } = await backupState(hub);
  if (!isDue) return;
  const [{ backUpTo }, { openPlace }] = await Promise.all([
    import("./back-up.ts"),
    import("../../storage/places/open.ts"),
  ]);
  await backUpTo(hub, openPlace(hub.config.backups.to!, hub.counters.ofS3("backups")));
}
