import { configure, defaultTextFormatter, getLogger, jsonLinesFormatter, reset } from "@logtape/logtape";
import type { Logger, Sink } from "@logtape/logtape";
import type { LogSettings } from "./config/watching.ts";
import { LogFile } from "./log-file.ts";

export type Log = Logger;

const secret = /pass|secret|token|authorization|cookie|prvkey|signature/i;

/** Values whose name says that they are secret never reach the log. */
function redact(properties: Record<string, unknown>): Record<string, unknown> {
  const clean: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(properties)) {
    clean[name] = secret.test(name) ? "[redacted]" : value;
  }
  return clean;
}

/**
 * Opens the log on standard error, so that commands keep standard output for their answers, or in a file.
 * An error-level line means that a person must act.
 */
export async function openLog(settings: LogSettings): Promise<Log> {
  const log = getLogger(settings.part === 0 ? ["hubbub"] : ["hubbub", String(settings.part)]);
  if (settings.level === "off") return log;
  const format = settings.format === "json" ? jsonLinesFormatter : defaultTextFormatter;
  const file = settings.file === undefined ? process.stderr : new LogFile(settings.file);
  // Not a stream sink: closing one would close standard error, and commands say there what went wrong.
  const sink: Sink = (record) => {
    file.write(format({ ...record, properties: redact(record.properties) }));
  };
  await configure({
    reset: true,
    sinks: { lines: sink },
    loggers: [
      { category: ["hubbub"], lowestLevel: settings.level, sinks: ["lines"] },
      { category: ["logtape", "meta"], lowestLevel: "warning", sinks: ["lines"] },
    ],
  });
  return log;
}

/** Writes out what is still in the log's buffers. */
export async function closeLog(): Promise<void> {
  await reset();
}
