import { request as httpRequest } from "node:http";
import type { ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { pipeline } from "node:stream/promises";
import type { Connections } from "./connections.ts";
import type { Outgoing } from "./fetch.ts";
import { bareHost } from "./private-hosts.ts";
import { connectSeconds } from "./purposes.ts";
import type { Reach } from "./reach.ts";
import type { Time } from "./time.ts";

/** One request to one server: its answer, of which nothing but the headers has been read; each step has so many seconds (`patience`). Throws RefusedAddress. */
export async function ask(
  connections: Connections,
  reach: Reach,
  request: Outgoing,
  { time, patience }: { time: Time; patience: number },
): Promise<IncomingMessage> {
  const url = reach.checkUrl(request.url);
  const line = await lineIn(time, connections.lineTo(url, reach));
  // Of connections that the other side has just closed there are no more than were kept.
  const answer = await again(() => send({ ...line, ...partsOf(url) }, request, { time, patience }));
  time.answered();
  return answer;
}

/** Looking up the name is a part of connecting, and has no time of its own. */
function lineIn<T>(time: Time, line: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    time.during(connectSeconds, "It takes too long to connect", reject);
    line.then(resolve, reject);
  });
}

function partsOf({ protocol, hostname, port, pathname, search }: URL): RequestOptions {
  return { protocol, host: bareHost(hostname), port, path: pathname + search };
}

function send(
  to: RequestOptions,
  { method, headers, body, stream }: Outgoing,
  { time, patience }: { time: Time; patience: number },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const start = to.protocol === "https:" ? httpsRequest : httpRequest;
    const sent = start({ ...to, method, headers }, resolve);
    sent.once("error", (cause) => reject(isStale(sent, cause) ? new StaleConnection() : cause));
    time.goesOn((reason) => sent.destroy(reason));
    const wait = (): void => time.within(patience, "The answer takes too long");
    onceConnected(sent, wait);
    if (stream) void sendAll(sent, stream, wait);
    else sent.end(body);
  });
}

/** Sends bytes as they are taken. */
async function sendAll(sent: ClientRequest, open: NonNullable<Outgoing["stream"]>, taken: () => void): Promise<void> {
  try {
    await pipeline(
      await open(),
      async function* (bytes: AsyncIterable<Buffer>) {
        for await (const piece of bytes) {
          taken();
          yield piece;
        }
      },
      sent,
    );
  } catch (error) {
    sent.destroy(error as Error);
  }
}

/** The other side closed a kept connection at the moment in which it was used again. */
class StaleConnection extends Error {}

const mostStale = 3;

async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let times = 0; ; times++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StaleConnection) || times >= mostStale) throw error;
    }
  }
}

function isStale(sent: ClientRequest, { code }: NodeJS.ErrnoException): boolean {
  return sent.reusedSocket && (code === "ECONNRESET" || code === "EPIPE");
}

/** A kept connection stands already. */
function onceConnected(sent: ClientRequest, then: () => void): void {
  sent.once("socket", (socket) => {
    if (!socket.connecting && sent.reusedSocket) then();
    else socket.once("encrypted" in socket ? "secureConnect" : "connect", then);
  });
}
