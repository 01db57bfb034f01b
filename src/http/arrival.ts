import type { IncomingMessage } from "node:http";
import type { Context } from "hono";
import type { Config } from "../config/config.ts";

/** A request as it arrives: from a socket, or in memory when there is none. */
export type Arrival = { request: Request; incoming: IncomingMessage | undefined };

/** The request that a Hono handler was called for. */
export function arrivalOf(context: Context): Arrival {
  const env = context.env as { incoming?: IncomingMessage } | undefined;
  return { request: context.req.raw, incoming: env?.incoming };
}

/** Path and query as they were sent, escapes and all. */
export function targetOf({ request: { url } }: Arrival): { path: string; query: string } {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const fragment = url.indexOf("#", start);
  const end = fragment < 0 ? url.length : fragment;
  const mark = url.indexOf("?", start);
  if (mark < 0 || mark > end) return { path: url.slice(start, end), query: "" };
  return { path: url.slice(start, mark), query: url.slice(mark + 1, end) };
}

/** The path letter by letter as the client has written it, which is what it has signed. */
export function signedPathOf(arrival: Arrival): string {
  const written = arrival.incoming?.url;
  if (!written?.startsWith("/")) return targetOf(arrival).path;
  const end = written.search(/[?#]/);
  return end < 0 ? written : written.slice(0, end);
}

/** The client's address: the socket's, or the one that the operator's own proxy has added last. */
export function addressOf({ request, incoming }: Arrival, config: Config): string {
  return addressBehind(request.headers.get("x-forwarded-for"), incoming, config);
}

/** The same of a request of which there is only what came over the socket; `forwarded` is its `X-Forwarded-For`. */
export function addressBehind(
  forwarded: string | null,
  incoming: IncomingMessage | undefined,
  { trustProxy }: Config,
): string {
  const last = trustProxy ? forwarded?.split(",").at(-1)?.trim() : undefined;
  return last || (incoming?.socket.remoteAddress ?? "");
}

/**
 * Did the request cross a network in the clear, though the site has HTTPS? The operator's own proxy says how it came;
 * without one, only what comes from this machine has not left it.
 */
export function cameInTheClear(arrival: Arrival, config: Config): boolean {
  if (!config.baseUrl.startsWith("https:")) return false;
  const forwarded = config.trustProxy ? arrival.request.headers.get("x-forwarded-proto") : null;
  if (forwarded) return forwarded.replace(/,.*$/, "").trim().toLowerCase() !== "https";
  return !isFromThisMachine(arrival);
}

/** Has the request come from this machine, or from no socket at all? */
export function isFromThisMachine({ incoming }: Arrival): boolean {
  return incoming === undefined || /^(::1|(::ffff:)?127\..*)$/.test(incoming.socket.remoteAddress ?? "");
}
