import { readConfig } from "../config/config.ts";
import type { Config } from "../config/config.ts";
import type { Environment } from "../config/read.ts";
import { settleFolder } from "../domain/files/own-folder.ts";
import { siteAddress } from "../domain/identity/site/site-address.ts";
import { openHub } from "../hub.ts";
import type { Hub } from "../hub.ts";
import type { Call } from "./command.ts";

/** The settings of a command that ends by itself: its log shows only what is unusual, unless the operator wants more. */
export function quietConfig(env: Environment): Config {
  return readConfig({ ...env, HUBBUB_LOG_LEVEL: env["HUBBUB_LOG_LEVEL"] || "warning" });
}

/**
 * Does the work on the hub that the settings name. Harmless while that hub is running. Commands know nothing of the
 * port that it serves on, so unless they are told the address they take the one that the hub has settled on.
 */
export async function withHub<T>(call: Call, work: (hub: Hub) => Promise<T>): Promise<T> {
  const hub = await openHub(quietConfig(call.env));
  try {
    const address = call.env["HUBBUB_BASE_URL"] ? undefined : await siteAddress(hub);
    const config = address === undefined ? hub.config : quietConfig({ ...call.env, HUBBUB_BASE_URL: address });
    return await work({ ...hub, config });
  } finally {
    await hub.close();
  }
}

/** The same for work that reads or writes files: the data folder must be the one that belongs to the database. */
export function withFiles<T>(call: Call, work: (hub: Hub) => Promise<T>): Promise<T> {
  return withHub(call, async (hub) => {
    await settleFolder(hub);
    return work(hub);
  });
}
