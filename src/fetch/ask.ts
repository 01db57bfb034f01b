import { request as httpRequest } from "node:http";
import type { ClientRequest, IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Connections } from "./connections.ts";
import type { Outgoing } from "./fetch.ts";
import { connectSeconds, headerSeconds } from "./purposes.ts";
import type { Reach } from "./reach.ts";

/** One request to one server: its answer, of which nothing but the headers has been read. Throws RefusedAddress. */
export async function ask(
  connections: Connections,
  reach: Reach,
  request: Outgoing,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const url = reach.checkUrl(request.url);
  const timer = timerOf(signal);
  try {
    timer.within(connectSeconds, "It takes too long to connect");
    const line = await timer.race(connections.lineTo(url, reach));
    const send = (): Promise<IncomingMessage> =>
      new Promise((resolve, reject) => {
        const { method, headers, body } = request;
        const start = url.protocol === "https:" ? httpsRequest : httpRequest;
        const sent = start(url, { ...line, method, headers, signal: timer.signal }, resolve);
        sent.once("error", (cause) => reject(isStale(sent, cause) ? new StaleConnection() : cause));
        onceConnected(sent, () => timer.within(headerSeconds, "The answer takes too long"));
        sent.end(body);
      });
    // Of connections that the other side has just closed there are no more than were kept.
    return await again(send);
  } finally {
    timer.stop();
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

/** One step after the other in so many seconds, ended by the signal as well. */
function timerOf(outer: AbortSignal) {
  const controller = new AbortController();
  const end = (): void => controller.abort(outer.reason);
  if (outer.aborted) end();
  outer.addEventListener("abort", end, { once: true });
  let timeout: NodeJS.Timeout | undefined;
  return {
    signal: controller.signal,
    within(seconds: number, otherwise: string): void {
      clearTimeout(timeout);
      timeout = setTimeout(() => controller.abort(new Error(otherwise)), seconds * 1000);
    },
    /** The work, or the end of the time that it has. */
    race: <T>(work: Promise<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        const give = (): void => reject(controller.signal.reason as Error);
        if (controller.signal.aborted) return give();
        controller.signal.addEventListener("abort", give, { once: true });
        work.then(resolve, reject);
      }),
    /** The answer has begun: from now on only the signal ends it. */
    stop: (): void => clearTimeout(timeout),
  };
}
