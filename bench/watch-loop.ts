import { writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

/**
 * Loaded into the hub's process by the bench alone: at SIGUSR2 it writes how long (milliseconds) the event loop was held
 * at the most since the last time, into the file that the environment names.
 */
const file = process.env["HUBBUB_BENCH_LOOP"];

if (file !== undefined) {
  const resolution = 2;
  const delays = monitorEventLoopDelay({ resolution });
  delays.enable();
  process.on("SIGUSR2", () => {
    writeFileSync(file, String(Math.max(0, delays.max / 1e6 - resolution)));
    delays.reset();
  });
}
