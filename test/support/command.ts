import { execFileSync, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { readConfig } from "../../src/config/config.ts";
import type { Environment } from "../../src/config/read.ts";
import { openHub } from "../../src/hub.ts";
import type { Hub, Overrides } from "../../src/hub.ts";
import { basic } from "./client.ts";
import { runHere } from "./command-here.ts";
import { freePort } from "./free-port.ts";
import { databaseWithTables, freshDatabase, makeChannel, password, takeKeys } from "./hub.ts";
import { befriend } from "./people.ts";

/** The command as operators call it, and hubs as processes of their own. */

const ourLauncher = resolve(import.meta.dirname, "../../bin/hubbub.js");

/** The launcher starts Node once more with these unless they are there: half of what a short command costs. */
const settled = ["--max-semi-space-size=16", "--min-semi-space-size=16", "--expose-gc"];
/** Without the collector a hub gives no memory back when it starts, which is a sixth of what starting costs. */
const withoutCollector = "--no-expose-gc";

export type Outcome = { code: number | null; signal: string | null; stdout: string; stderr: string };

/** Where one hub lives: what the environment says for it. */
export type Place = { env: Environment; folder: string; url: string; remove(): Promise<void> };

/** A place for a hub that nobody has started yet; its database has its tables already. */
export function newPlace(env: Environment = {}): Promise<Place> {
  return placeWith(databaseWithTables, env);
}

/** One whose database has nothing in it: making the tables takes longer than most tests. */
export function emptyPlace(env: Environment = {}): Promise<Place> {
  return placeWith(freshDatabase, env);
}

async function placeWith(make: typeof freshDatabase, env: Environment): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), "hubbub-test-"));
  const database = await make(folder);
  const port = await freePort();
  return {
    env: {
      HUBBUB_DATA: folder,
      HUBBUB_DATABASE_URL: database.url,
      HUBBUB_PORT: String(port),
      HUBBUB_PROCESSES: "1",
      HUBBUB_RATE_LIMITS: "off",
      HUBBUB_LOG_LEVEL: "warning",
      // On a busy machine any statement may take long, and what is logged would be taken for a fault.
      HUBBUB_SLOW_STATEMENT: "0",
      ...env,
    },
    folder,
    url: `http://127.0.0.1:${port}`,
    async remove() {
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs one command to its end, in this process; `serve` and `work` have one of their own. */
export function hubbub(place: Pick<Place, "env">, args: string[]): Promise<Outcome> {
  return args[0] === "serve" || args[0] === "work" ? hubbubProcess(place, args) : runHere(place.env, args);
}

type CallOptions = { node?: string; launcher?: string; input?: string };

/** Runs one command as a process, as operators and scripts do. */
export async function hubbubProcess(
  place: Pick<Place, "env">,
  args: string[],
  options: CallOptions = {},
): Promise<Outcome> {
  const child = start(place, args, options);
  const output = collect(child);
  child.stdin!.end(options.input ?? "");
  return { ...(await ended(child)), stdout: output.stdout, stderr: output.stderr };
}

/** Runs one command that must succeed, and answers its JSON value. */
export async function hubbubJson<T>(place: Pick<Place, "env">, ...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await hubbub(place, [...args, "--json"]);
  if (code !== 0) throw new Error(`hubbub ${args.join(" ")} failed: ${stderr}`);
  return JSON.parse(stdout) as T;
}

type ServeOptions = {
  node?: string;
  /** That of another version. */
  launcher?: string;
  command?: "serve" | "work";
  args?: string[];
  /** For tests of how much memory it takes: it gives back what it does not need. */
  isLight?: boolean;
};

export type Serving = {
  child: ChildProcess;
  /** What it printed until it was ready. */
  printed: string;
  stderr(): string;
  /** Sends the signal and waits for the end of the process. */
  stop(signal?: NodeJS.Signals): Promise<Omit<Outcome, "stdout" | "stderr">>;
};

/** Starts `hubbub serve` (or `work`) and waits until it says that it is ready. */
export async function serve(place: Place, options: ServeOptions = {}): Promise<Serving> {
  const begun = beginServing(place, options);
  await begun.ready;
  return begun;
}

/** Starts it and waits for nothing; `ready` fails when it ends before. */
export function beginServing(place: Place, options: ServeOptions = {}): Serving & { ready: Promise<void> } {
  const child = start(place, [options.command ?? "serve", ...(options.args ?? [])], options);
  const output = collect(child);
  const end = ended(child);
  const ready = new Promise<void>((ready, fail) => {
    child.stdout!.on("data", () => output.stdout.includes("ready") && ready());
    void end.then(() => fail(new Error(`hubbub serve ended: ${output.stderr}`)));
  });
  // Not everybody waits for it.
  ready.catch(() => undefined);
  return {
    child,
    ready,
    get printed() {
      return output.stdout;
    },
    stderr: () => output.stderr,
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      return end;
    },
  };
}

function start(
  { env }: Pick<Place, "env">,
  args: string[],
  { node = process.execPath, launcher = ourLauncher, isLight = false }: ServeOptions,
): ChildProcess {
  const flags = node === process.execPath ? [...settled, ...(isLight ? [] : [withoutCollector])] : [];
  const all = { PATH: process.env["PATH"], ...env };
  const child = spawn(node, [...flags, launcher, ...args], { env: all, stdio: "pipe" });
  // A hub must not outlive a test run that is cut off.
  const kill = (): boolean => child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("close", () => process.off("exit", kill));
  return child;
}

function collect(child: ChildProcess): { stdout: string; stderr: string } {
  const output = { stdout: "", stderr: "" };
  child.stdout!.on("data", (chunk) => (output.stdout += String(chunk)));
  child.stderr!.on("data", (chunk) => (output.stderr += String(chunk)));
  return output;
}

function ended(child: ChildProcess): Promise<{ code: number | null; signal: string | null }> {
  return new Promise((resolve) => child.once("close", (code, signal) => resolve({ code, signal })));
}

/**
 * Makes channels that are connected with the first of them; the password of all is `password`. In this process: each command
 * takes seconds on a machine that is busy.
 */
export async function makePeople(place: Place, first: string, ...others: string[]): Promise<void> {
  const hub = await openPlace(place);
  const one = await makeChannel(hub, first, { name: first });
  for (const nick of others) await befriend(hub, one, await makeChannel(hub, nick, { name: nick }));
  await hub.close();
}

/** Posts over HTTP; answers the item's id once the hub has acknowledged it, and nothing when it could not. */
export async function post(place: Place, nick: string, body: string): Promise<number | undefined> {
  try {
    const response = await fetch(`${place.url}/api/z/1.0/item/update`, {
      method: "POST",
      headers: { authorization: basic(`${nick}:${password}`) },
      body: new URLSearchParams({ body }),
    });
    const answer = (await response.json()) as { success?: boolean; item_id?: string };
    return response.ok && answer.success ? Number(answer.item_id) : undefined;
  } catch {
    return undefined;
  }
}

/** Opens the hub of a place in this process, optionally at another time. */
export async function openPlace(place: Place, secondsLater = 0, onQuery?: Overrides["onQuery"]): Promise<Hub> {
  const config = readConfig({ ...place.env, HUBBUB_LOG_LEVEL: "off" });
  const clock = () => new Date(Date.now() + secondsLater * 1000);
  return openHub(config, { clock, makeKeys: takeKeys, ...(onQuery && { onQuery }) });
}

/** The texts of a channel's items with this beginning, each as often as the channel has it. */
export async function textsOf(hub: Hub, nick: string, beginning: string): Promise<string[]> {
  const rows = await hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .innerJoin("channel", "channel_id", "item.uid")
    .select("message.body")
    .where("channel_address", "=", nick)
    .where("item_thread_top", "=", 1)
    .orderBy("item.id")
    .execute();
  return rows.map((row) => row.body).filter((body) => body.startsWith(beginning));
}

/** A Node of this machine that is older than the one that the hub needs, and not older than what the launcher supports. */
export function findOldNode(): string | undefined {
  const folders = ["/usr/local/bin", "/usr/bin", ...(process.env["PATH"] ?? "").split(delimiter)];
  return folders.map((folder) => join(folder, "node")).find((node) => isOld(node));
}

function isOld(node: string): boolean {
  try {
    const major = Number(/^v(\d+)/.exec(execFileSync(node, ["--version"], { encoding: "utf8" }))?.[1]);
    return major >= 20 && major < 24;
  } catch {
    return false;
  }
}

/** The processes that this one has started. */
export function childrenOf(pid: number): number[] {
  const found = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  return found === "" ? [] : found.split(" ").map(Number);
}

/** Does a process with this number exist? */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
