import { targetOf } from "../../http/arrival.ts";
import type { Arrival } from "../../http/arrival.ts";
import { isKnownVersion } from "../../http/file-answer.ts";
import type { Hub } from "../../hub.ts";
import type { Address } from "./address.ts";
import type { Document } from "./document.ts";
import { failure } from "./failure.ts";

/** A request to this face; `path` as it was sent. */
export type Request = Arrival & { id: string; method: string; path: string };

/** What of an address every answer from there has. */
type Open = Pick<Address, "open">;

/** Sends a document, or says that it is known. */
export function send(request: Request, address: Open, document: Document, more: Record<string, string> = {}): Response {
  const { status, type, bytes, etag } = document;
  const kept = status === 200 || status === 410;
  const headers = {
    ...commonHeaders(request, address),
    "cache-control": kept ? "public, max-age=180" : "no-store",
    ...(kept && { etag }),
    ...more,
  };
  if (status === 200 && isKnownVersion(request.request.headers.get("if-none-match") ?? "", etag))
    return new Response(null, { status: 304, headers });
  const own = { ...headers, "content-type": type, "content-length": String(bytes.length) };
  return new Response(request.method === "HEAD" ? null : bytes, { status, headers: own });
}

/** An answer without a document. */
export function bare(
  request: Request,
  address: Open,
  status: number,
  more: Readonly<Record<string, string>> = {},
): Response {
  return new Response(null, { status, headers: { ...commonHeaders(request, address), ...more } });
}

/** Leads to the address without the slash at its end. */
export function moved(request: Request, address: Open): Response {
  const { path, query } = targetOf(request);
  return bare(request, address, 308, { location: `${path.slice(0, -1)}${query && `?${query}`}` });
}

/** The answer to what has failed; faults of the hub are in the log. */
export function failed(hub: Hub, request: Request, address: Open, error: unknown): Response {
  const { document, headers, isFault } = failure(error);
  if (isFault) hub.log.error("Request {id} failed: {error}", { id: request.id, path: request.path, error });
  return send(request, address, document, headers);
}

function commonHeaders({ id }: Request, { open }: Open): Record<string, string> {
  return {
    vary: "Accept",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-request-id": id,
    ...(open && { "access-control-allow-origin": "*" }),
  };
}
