import type { Config } from "./config/config.ts";
import { settleFolder } from "./domain/files/own-folder.ts";
import { refusal } from "./errors.ts";
import { openHub } from "./hub.ts";
import type { Hub, Overrides } from "./hub.ts";
import { takeHold } from "./storage/hold.ts";

/**
 * Opens a hub for a process that runs on it: nobody restores a backup over it meanwhile, and its data folder is the one that
 * belongs to the database. `role` says what it does. Throws conflict.
 */
export async function openOwnHub(config: Config, overrides: Overrides = {}, role = "serve"): Promise<Hub> {
  const { part, processes } = config;
  const hold = await takeHold(config.database, "shared", part === 0 ? role : `${role} ${part} of ${processes}`);
  if (!hold) throw refusal("restore_under_way");
  let hub: Hub | undefined;
  try {
    hub = await openHub(config, overrides);
    await settleFolder(hub);
    const { close } = hub;
    return {
      ...hub,
      async close() {
        await close();
        await hold.release();
      },
    };
  } catch (error) {
    await hub?.close();
    await hold.release();
    throw error;
  }
}
