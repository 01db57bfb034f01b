import { request as plainRequest, Agent as PlainAgent } from "node:http";
import type { IncomingMessage } from "node:http";
import { request as tlsRequest, Agent as TlsAgent } from "node:https";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** A signed request, ready to go out; its body has as many bytes as its headers say. */
export type Ready = {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body?: () => Readable;
  /** On a connection of its own: the others may lead nowhere. */
  alone?: boolean;
};

/** What came back: its body has to be read or destroyed. */
export type Answered = { status: number; header(name: string): string | undefined; body: Readable };

/** How long one waits who hears nothing. */
export type Patience = {
  /** After so many milliseconds without a word, and again after as many, `goOn` says whether it is of use to wait. */
  silence: number;
  /** Throws where it is not; `silent` are the milliseconds in all. */
  goOn: (silent: number) => Promise<void>;
};

/** Sends a request, and waits for the beginning of an answer. */
export type Send = (request: Ready, patience: Patience) => Promise<Answered>;

/** To the server that the operator has named, by whatever way leads there. */
export function sendDirectly(endpoint: string): Send {
  const isTls = endpoint.startsWith("https:");
  const agent = isTls ? new TlsAgent({ keepAlive: true }) : new PlainAgent({ keepAlive: true });
  return async ({ method, url, headers, body, alone }, { silence, goOn }) => {
    const connection = { agent: alone ? false : agent, timeout: silence };
    const request = (isTls ? tlsRequest : plainRequest)(url, { method, headers, ...connection });
    const { promise: answer, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    request.once("response", resolve).on("error", reject);
    let silent = 0;
    request.on("timeout", () => {
      const wait = (): unknown => request.socket?.setTimeout(silence);
      goOn((silent += silence)).then(wait, (error: Error) => request.destroy(error));
    });
    if (body) {
      // An answer that comes before everything is sent ends the sending as well, and says more than that.
      await Promise.race([answer, pipeline(body(), request)]).catch(() => undefined);
    } else request.end();
    const message = await answer;
    // From here on it is for the reader to say who is slow.
    message.socket.setTimeout(0);
    return {
      status: message.statusCode!,
      header: (name) => message.headers[name]?.toString(),
      body: message,
    };
  };
}
