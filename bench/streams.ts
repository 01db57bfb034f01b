import { get } from "node:http";
import type { IncomingMessage } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { bearerOf, bearersOfEach } from "./bearers.ts";
import type { World } from "./dataset.ts";
import { password } from "./dataset/people.ts";
import type { Server } from "./processes.ts";

/** How long it takes from the answer to a post until the last of so many open streams has heard of it, in milliseconds. */
export type StreamsRun = { streams: number; median: number; longest: number };

export const streamsCase = "an event to 1,000 streams";

const streams = 1000;
/** The hub takes so many streams of one address. */
const streamsOfAddress = 250;
const posts = 5;

/** Opens public streams from several addresses of this machine, and posts for everybody. */
export async function benchStreams(world: World, hub: Server, most = streams): Promise<StreamsRun> {
  const tokens = world.residents.flatMap((who) => Array.from({ length: bearersOfEach }, (_, n) => bearerOf(who, n)));
  const ears = await Promise.all(
    Array.from({ length: Math.min(most, tokens.length * 10) }, (_, n) =>
      listen(hub.port, tokens[n % tokens.length]!, `127.0.0.${2 + Math.floor(n / streamsOfAddress)}`),
    ),
  );
  const times: number[] = [];
  for (let n = 0; n < posts; n++) {
    const word = `stream-${n}-${Date.now()}`;
    const heard = Promise.all(ears.map((ear) => ear.hears(word)));
    await post(hub, world.lonely[2]!.nick, word);
    const from = performance.now();
    await heard;
    times.push(performance.now() - from);
    await wait(500);
  }
  for (const { close } of ears) close();
  const sorted = times.toSorted((one, other) => one - other);
  return { streams: ears.length, median: sorted[Math.floor(sorted.length / 2)]!, longest: sorted.at(-1)! };
}

type Ear = { hears(word: string): Promise<void>; close(): void };

async function listen(port: number, token: string, localAddress: string): Promise<Ear> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const path = `/api/v1/streaming/public/local?access_token=${token}`;
    get({ host: "127.0.0.1", port, path, localAddress, agent: false }, resolve).on("error", reject);
  });
  if (answer.statusCode !== 200) throw new Error(`A stream was answered ${answer.statusCode}`);
  let text = "";
  let told = (): void => undefined;
  answer.setEncoding("utf8").on("data", (piece: string) => {
    text += piece;
    told();
  });
  answer.on("error", () => undefined);
  return {
    hears: (word) =>
      new Promise((resolve) => {
        told = () => {
          if (!text.includes(word)) return;
          text = "";
          resolve();
        };
      }),
    close: () => void answer.destroy(),
  };
}

async function post({ port }: Server, nick: string, status: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/statuses/update.json`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(`${nick}:${password}`).toString("base64")}` },
    body: new URLSearchParams({ status }),
  });
  if (!answer.ok) throw new Error(`A post was answered ${answer.status}`);
}
