import type { Config } from "../config/config.ts";
import type { Log } from "../log.ts";
import type { Traces } from "./traces.ts";

/** The traces that the operator asks for; what makes them is loaded by then only. */
export async function openTraces(config: Config, log: Log): Promise<Traces | undefined> {
  return config.traces && (await import("./open-telemetry.ts")).openTelemetry(config, config.traces, log);
}
