import { readConfig } from "../config.ts";
import type { Config, Environment } from "../config.ts";
import { openHub } from "../hub.ts";
import type { Hub } from "../hub.ts";
import type { Call } from "./command.ts";

/** The settings of a command that ends by itself: its log shows only what is unusual, unless the operator wants more. */
export function quietConfig(env: Environment): Config {
  return readConfig({ ...env, HUBBUB_LOG_LEVEL: env["HUBBUB_LOG_LEVEL"] || "warning" });
}

/** Does the work on the hub that the settings name. Harmless while that hub is running. */
export async function withHub<T>(call: Call, work: (hub: Hub) => Promise<T>): Promise<T> {
  const hub = await openHub(quietConfig(call.env));
  try {
    return await work(hub);
  } finally {
    await hub.close();
  }
}
