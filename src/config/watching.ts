import { resolve } from "node:path";
import type { LogLevel } from "@logtape/logtape";
import { networks, webUrl } from "./network.ts";
import { oneOf, refuse, text, whole } from "./read.ts";
import type { Environment } from "./read.ts";

/** `file`: where the log goes in place of standard error. */
export type LogSettings = Readonly<{
  level: LogLevel | "off";
  format: "text" | "json";
  file: string | undefined;
  part: number;
}>;

/** Where traces are sent (OTLP over HTTP), and of how many of a hundred requests and jobs. */
export type TraceSettings = Readonly<{ url: string; share: number }>;

/** Who may read what the hub measures; with neither nobody may. */
export type MetricsSettings = Readonly<{ token: string; from: readonly string[] }>;

const logLevels = ["debug", "info", "warning", "error", "off"] as const;

/** How the log of this process is written. */
export function logSettings(env: Environment, part: number): LogSettings {
  return Object.freeze({
    level: oneOf(env, "HUBBUB_LOG_LEVEL", logLevels),
    format: oneOf(env, "HUBBUB_LOG_FORMAT", ["text", "json"]),
    file: logFile(env),
    part,
  });
}

function logFile(env: Environment): string | undefined {
  const found = text(env, "HUBBUB_LOG_FILE");
  return found === "none" ? undefined : resolve(found);
}

/** Undefined: no traces are made. */
export function traceSettings(env: Environment): TraceSettings | undefined {
  const url = webUrl(env, "HUBBUB_TRACES_URL");
  return url === undefined ? undefined : Object.freeze({ url, share: whole(env, "HUBBUB_TRACES_SHARE", 1, 100) });
}

/** Who may read what the hub measures. */
export function metricsSettings(env: Environment): MetricsSettings {
  return Object.freeze({ token: metricsToken(env), from: networks(env, "HUBBUB_METRICS_FROM") });
}

/** A short one could be guessed. */
function metricsToken(env: Environment): string {
  const found = text(env, "HUBBUB_METRICS_TOKEN");
  if (found === "none") return "";
  return /^[\w.~+/=-]{16,}$/.test(found)
    ? found
    : refuse("HUBBUB_METRICS_TOKEN", "***", "16 or more letters, digits or signs of a bearer token");
}
