import { connect } from "node:net";
import type { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { bearerOf, bearersOfEach } from "./bearers.ts";
import type { World } from "./dataset.ts";
import type { Options } from "./options.ts";
import { postStatus } from "./post-status.ts";
import { cpuTime, ownMemory } from "./processes.ts";
import type { Server } from "./processes.ts";
import { sessionOf } from "./sessions.ts";

/** What open streams cost and how long they wait; times in milliseconds, memory in megabytes. */
export type StreamsRun = {
  /** How long it takes from the answer to a post until the last of so many streams of applications has heard of it. */
  streams: number;
  median: number;
  longest: number;
  /** Processor time of the hub for one such post. */
  cpu: number;
  /** What the process has more with so many open pages that hear nothing, and processor time in ten seconds of that. */
  pages: number;
  memory: number;
  idleCpu: number;
};

export const streamsCase = "an event to 1,000 streams";

const streams = 1000;
const pages = 5000;
/** The hub takes so many streams of one address, and of one account. */
const streamsOfAddress = 250;
const streamsOfAccount = 30;
const posts = 9;
/** For so many seconds nothing happens. */
const idle = 10;
/** So many seconds after a busy time a process has given back what that has left behind. */
const settling = 25;

/** Opens streams from many addresses of this machine, and posts for everybody. */
export async function benchStreams(world: World, hub: Server, { brief }: Pick<Options, "brief">): Promise<StreamsRun> {
  const held = await benchHeld(world, hub, brief ? { settling: 0, idle: 1 } : { settling, idle });
  return { ...held, ...(await benchDelay(world, hub)) };
}

async function benchDelay(
  world: World,
  hub: Server,
): Promise<Pick<StreamsRun, "streams" | "median" | "longest" | "cpu">> {
  const tokens = world.residents.flatMap((who) => Array.from({ length: bearersOfEach }, (_, n) => bearerOf(who, n)));
  const most = Math.min(streams, tokens.length * 10);
  const ears = await openAll(hub, most, (n) => ({
    path: `/api/v1/streaming/public/local?access_token=${tokens[n % tokens.length]!}`,
    header: "",
  }));
  const [times, cpu]: number[][] = [[], []];
  for (let n = 0; n < posts; n++) {
    const word = `stream-${n}-${Date.now()}`;
    const before = cpuTime(hub.process);
    const heard = Promise.all(ears.map((ear) => ear.hears(word)));
    await postStatus(hub, world.lonely[2]!.nick, word);
    const from = performance.now();
    await heard;
    times!.push(performance.now() - from);
    await wait(500);
    cpu!.push((cpuTime(hub.process) - before) / 1000);
  }
  for (const { close } of ears) close();
  return { streams: ears.length, median: medianOf(times!), longest: Math.max(...times!), cpu: medianOf(cpu!) };
}

async function benchHeld(
  { residents }: World,
  hub: Server,
  { settling, idle }: { settling: number; idle: number },
): Promise<Pick<StreamsRun, "pages" | "memory" | "idleCpu">> {
  await wait(settling * 1000);
  const before = ownMemory(hub.process);
  const most = Math.min(pages, residents.length * streamsOfAccount);
  const ears = await openAll(hub, most, (n) => ({
    path: "/live",
    header: `accept: text/event-stream\r\ncookie: hubbub=${sessionOf(residents[n % residents.length]!)}\r\n${browserHeaders}`,
  }));
  await wait(settling * 1000);
  const memory = ownMemory(hub.process) - before;
  const spent = cpuTime(hub.process);
  await wait(idle * 1000);
  const idleCpu = (cpuTime(hub.process) - spent) / 1000;
  for (const { close } of ears) close();
  return { pages: ears.length, memory, idleCpu };
}

/** What browsers send besides. */
const browserHeaders = [
  "user-agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  "accept-language: en-US,en;q=0.5",
  "accept-encoding: gzip, deflate, br, zstd",
  "sec-fetch-dest: empty",
  "sec-fetch-mode: cors",
  "sec-fetch-site: same-origin",
  "pragma: no-cache",
  "cache-control: no-cache",
  "",
].join("\r\n");

function medianOf(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;
}

type Ear = { hears(word: string): Promise<void>; close(): void };

/** A few at a time, as people come. */
async function openAll(
  { port }: Server,
  count: number,
  what: (n: number) => { path: string; header: string },
): Promise<Ear[]> {
  const ears: Ear[] = [];
  for (let n = 0; n < count; n += 20) {
    const few = Array.from({ length: Math.min(20, count - n) }, (_, m) => n + m);
    ears.push(
      ...(await Promise.all(few.map((n) => listen(port, what(n), `127.0.0.${2 + Math.floor(n / streamsOfAddress)}`)))),
    );
  }
  return ears;
}

/** Reads with as little as can be: what this process does takes from what it measures. */
async function listen(port: number, { path, header }: { path: string; header: string }, from: string): Promise<Ear> {
  const socket: Socket = connect({ host: "127.0.0.1", port, localAddress: from });
  let told = (_piece: string): void => undefined;
  const begun = new Promise<void>((resolve, reject) => {
    socket.once("error", reject);
    told = (piece) => (piece.startsWith("HTTP/1.1 200") ? resolve() : reject(new Error(piece)));
  });
  socket.setEncoding("latin1").on("data", (piece: string) => told(piece));
  socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${header}\r\n`);
  await begun;
  socket.on("error", () => undefined);
  told = () => undefined;
  return {
    hears(word) {
      return new Promise((resolve) => {
        let text = "";
        told = (piece) => {
          text += piece;
          if (text.includes(word)) resolve();
        };
      });
    },
    close: () => void socket.destroy(),
  };
}
