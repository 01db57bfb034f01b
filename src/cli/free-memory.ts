/** How often, in milliseconds, somebody looks whether the process has become quiet. */
const interval = 10_000;
/** A process that used less than this of an interval, in microseconds of CPU time, is quiet. */
const quiet = 200_000;
/** After less work than this, in microseconds of CPU time, there is little to give back; opening thousands of streams takes more. */
const busy = 2_000_000;

/**
 * Gives back to the system what loading the program has left behind, a quarter of what the process has then, and later what
 * each busy time leaves. Everything stands still for a tenth of a second or two, so the first time is before anybody is
 * told that the process is ready, and the others are when it has had next to nothing to do for ten seconds.
 */
export function keepMemoryLow(): void {
  freeMemory();
  let freed = cpuTime();
  let seen = freed;
  setInterval(() => {
    const now = cpuTime();
    if (now - seen < quiet && now - freed > busy) {
      freeMemory();
      freed = cpuTime();
    }
    seen = cpuTime();
  }, interval).unref();
}

/** By itself V8 keeps the room. Without the flag of bin/hubbub.js that shows the collector this does nothing. */
function freeMemory(): void {
  globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
}

function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
