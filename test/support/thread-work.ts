import { readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";
import { threadId } from "node:worker_threads";
import { HubError } from "../../src/errors.ts";

/** Work for the threads of `src/threads.test.ts`. */

export type Place = { thread: number; system: string; nice: number; environment: string[] };

/** Where this runs: number of the thread, its number and priority for the system, and what it sees of the environment. */
export function where(): Place {
  const system = basename(readlinkSync("/proc/thread-self"));
  const nice = Number(readFileSync("/proc/thread-self/stat", "utf8").split(") ")[1]!.split(" ")[16]);
  return { thread: threadId, system, nice, environment: Object.keys(process.env) };
}

/** Waits until this shared number is no longer 0. */
export function waitFor(flag: Int32Array<SharedArrayBuffer>): number {
  Atomics.wait(flag, 0, 0);
  return threadId;
}

export function spin(): never {
  for (;;) Math.random();
}

export async function double(number: number): Promise<number> {
  await Promise.resolve();
  return number * 2;
}

export function refuse(): never {
  throw new HubError("invalid", "This cannot be.", { field: "body" });
}

export function fail(): never {
  throw new RangeError("out of range");
}

/** Ends its thread. */
export function leave(): never {
  process.exit(1);
}
