import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";

/** An entry has come to the directory or left it; nothing to do at the top level. */
export async function touchFolder(hub: Hub, uid: number, folder: string): Promise<void> {
  if (folder === "") return;
  await hub.db
    .updateTable("attach")
    .set({ edited: now(hub) })
    .where("uid", "=", uid)
    .where("hash", "=", folder)
    .execute();
}
