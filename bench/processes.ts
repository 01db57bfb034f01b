import { fork, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../test/support/free-port.ts";
import type { DatabasePlace } from "./databases.ts";
import type { ElsewhereStart } from "./elsewhere/main.ts";
import type { FloorStart } from "./floor/main.ts";
import type { LoadOrder, LoadResult } from "./load/main.ts";

/** A server under measurement. */
export type Server = {
  port: number;
  /** Milliseconds from the start of the process until it took requests. */ ready: number;
  process: ChildProcess;
  stop(): Promise<void>;
};

/** A hub that tells for how many milliseconds its event loop was held at the most since it was asked last. */
export type WatchedServer = Server & { longestHold(): Promise<number> };

const root = join(import.meta.dirname, "..");

/** Starts the hub as an operator would, on this database. */
export async function startHub(
  place: DatabasePlace,
  baseUrl: string,
  dataDir: string,
  profile?: string,
  env: Record<string, string> = {},
): Promise<Server> {
  return startProcess(place, baseUrl, dataDir, profiling(profile), env);
}

/** The same without the workers of what other hubs send and get: all of it waits. */
export async function startKeepingHub(
  place: DatabasePlace,
  baseUrl: string,
  dataDir: string,
  profile?: string,
): Promise<Server> {
  const flags = ["--import", join(import.meta.dirname, "only-keep.ts"), ...profiling(profile)];
  return startProcess(place, baseUrl, dataDir, flags);
}

function profiling(folder: string | undefined): string[] {
  return folder === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${folder}`];
}

/** The same with its event loop watched, which costs it a little. */
export async function startWatchedHub(
  place: DatabasePlace,
  baseUrl: string,
  dataDir: string,
  profile?: string,
): Promise<WatchedServer> {
  const file = join(dataDir, "longest-hold");
  const flags = ["--import", join(import.meta.dirname, "watch-loop.ts"), ...profiling(profile)];
  const server = await startProcess(place, baseUrl, dataDir, flags, { HUBBUB_BENCH_LOOP: file });
  return {
    ...server,
    async longestHold() {
      rmSync(file, { force: true });
      server.process.kill("SIGUSR2");
      while (!existsSync(file) || readFileSync(file, "utf8") === "") {
        if (hasEnded(server.process)) throw new Error("The hub ended while it was measured");
        await wait(10);
      }
      return Number(readFileSync(file, "utf8"));
    },
  };
}

async function startProcess(...how: Parameters<typeof beginHub>): Promise<Server> {
  const begun = await beginHub(...how);
  return { ...begun, ready: await begun.ready };
}

/** Starts it without waiting until it takes requests. */
export async function beginHub(
  place: DatabasePlace,
  baseUrl: string,
  dataDir: string,
  flags: string[] = [],
  env: Record<string, string> = {},
): Promise<Omit<Server, "ready"> & { ready: Promise<number> }> {
  const port = await freePort();
  const started = performance.now();
  const child = spawn(process.execPath, [...flags, join(root, "bin", "hubbub.js"), "serve"], {
    env: {
      ...process.env,
      HUBBUB_BASE_URL: baseUrl,
      HUBBUB_DATA: dataDir,
      HUBBUB_DATABASE_URL: place.url,
      HUBBUB_PORT: String(port),
      HUBBUB_PROCESSES: "1",
      HUBBUB_RATE_LIMITS: "off",
      HUBBUB_LOG_LEVEL: "warning",
      ...env,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ready = new Promise<number>((resolve, reject) => {
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes("ready")) resolve(performance.now() - started);
    });
    child.once("exit", (code) => reject(new Error(`The hub ended with ${code} before it was ready. ${said}`)));
  });
  // Not everybody waits for it.
  ready.catch(() => undefined);
  return { port, ready, process: child, stop: () => stop(child) };
}

/** Starts the floor in a process of its own. */
export function startFloor(start: FloorStart): Promise<Server> {
  return startChild("floor", start);
}

/** Starts other hubs, all of them in one process. */
export function startElsewhere(start: ElsewhereStart): Promise<Server> {
  return startChild("elsewhere", start);
}

async function startChild(folder: string, start: FloorStart | ElsewhereStart): Promise<Server> {
  const started = performance.now();
  const child = fork(join(import.meta.dirname, folder, "main.ts"));
  child.send(start);
  const { port } = await message<{ port: number }>(child);
  return { port, ready: performance.now() - started, process: child, stop: () => stop(child) };
}

/** A process that makes load when it is told to. */
export type Loader = {
  run(order: LoadOrder): Promise<LoadResult>;
  /** In microseconds, so far. */
  cpuTime(): number;
  stop(): Promise<void>;
};

/** Starts the process that sends the requests. */
export function startLoader(): Loader {
  const child = fork(join(import.meta.dirname, "load", "main.ts"));
  return {
    run(order) {
      child.send(order);
      return message<LoadResult>(child);
    },
    cpuTime: () => cpuTime(child),
    stop: () => stop(child),
  };
}

/** CPU time that a process has used so far, in microseconds, all its threads together. */
export function cpuTime({ pid }: ChildProcess): number {
  return timesOf(pid!).own * 1000;
}

/** Who has started a process, and the CPU time that it and those of its children which have ended have used so far, in milliseconds. */
export function timesOf(pid: number): { parent: number; own: number; children: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ")
    .map(Number);
  return { parent: fields[1]!, own: (fields[11]! + fields[12]!) * tick, children: (fields[13]! + fields[14]!) * tick };
}

/** In which the system counts CPU time, in milliseconds. */
export const tick = 10;

/** Resident memory of a process, in megabytes. */
export function memory({ pid }: ChildProcess): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024;
}

/** What a process has taken for itself, in megabytes: pages of the database file that it has mapped are the system's. */
export function ownMemory({ pid }: ChildProcess): number {
  return Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024;
}

/** Waits until a process has nothing to do any more, such as jobs that requests left behind; at most so many seconds. */
export async function untilIdle(child: ChildProcess, seconds = 30): Promise<void> {
  for (let n = 0; n < 4 * seconds; n++) {
    const before = cpuTime(child);
    await wait(250);
    if (cpuTime(child) - before <= 20_000) return;
  }
}

function message<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null): void => reject(new Error(`A process of the bench ended with ${code}`));
    child.once("exit", ended);
    child.once("message", (value) => {
      child.off("exit", ended);
      resolve(value as T);
    });
  });
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (hasEnded(child)) return resolve();
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
