import { Hono } from "hono";
import type { Context, Next } from "hono";
import { isNobody } from "../../domain/identity/channels/observer.ts";
import type { Hub } from "../../hub.ts";
import { addressOf, arrivalOf, targetOf } from "../../http/arrival.ts";
import type { Arrival } from "../../http/arrival.ts";
import { isKnownVersion } from "../../http/file-answer.ts";
import { rateLimits } from "../../http/rate-limits.ts";
import type { RateLimits } from "../../http/rate-limits.ts";
import { logRequest, requestIds } from "../../http/request-log.ts";
import { wantedBy } from "./accept.ts";
import type { Address } from "./address.ts";
import { addresses } from "./addresses.ts";
import type { Document } from "./document.ts";
import { failure, notAcceptable } from "./failure.ts";
import { PublicKeys } from "./signatures/public-keys.ts";
import { signerOf } from "./signer.ts";

type Site = { hub: Hub; limits: RateLimits; nextId: () => string; keys: PublicKeys };
type Request = Arrival & { id: string; method: string; path: string };

const methods = "GET, HEAD, OPTIONS";

/** What other hubs read of this one. Mount it before the pages: requests for those pass through. */
export function federation(hub: Hub): Hono {
  const app = new Hono();
  const site: Site = { hub, limits: rateLimits(hub), nextId: requestIds(), keys: new PublicKeys() };
  for (const address of addresses)
    for (const path of [address.path, `${address.path}/`])
      app.all(path, (context, next) => serve(site, address, context, next));
  return app;
}

async function serve(site: Site, address: Address, context: Context, next: Next): Promise<Response | undefined> {
  const arrival = arrivalOf(context);
  const { method } = arrival.request;
  const reads = method === "GET" || method === "HEAD";
  const wanted = wantedBy(arrival.request.headers.get("accept"), address.hasPage === true);
  if (address.hasPage && (!reads || wanted === "page")) return passOn(context, next);
  const started = performance.now();
  const request = { ...arrival, id: site.nextId(), method, path: targetOf(arrival).path };
  const response = reads
    ? wanted === "neither"
      ? send(request, address, notAcceptable)
      : await answer(site, address, request, context)
    : other(address, request);
  logRequest(site.hub, request, response.status, performance.now() - started);
  return response;
}

/** The page, which shared caches keep apart from the document. */
async function passOn(context: Context, next: Next): Promise<undefined> {
  await next();
  context.res.headers.append("vary", "Accept");
}

async function answer(
  { hub, limits, keys }: Site,
  address: Address,
  request: Request,
  context: Context,
): Promise<Response> {
  try {
    limits.count("document", addressOf(request, hub.config));
    const { path, query } = targetOf(request);
    if (path.endsWith("/")) return moved(request, address, `${path.slice(0, -1)}${query && `?${query}`}`);
    const params = context.req.param() as Record<string, string>;
    const observer = await signerOf(hub, keys, request);
    const document = await address.get({ hub, params, query: new URLSearchParams(query), observer });
    return send(request, address, document, isNobody(observer) ? {} : forOne);
  } catch (error) {
    const { document, headers, isFault } = failure(error);
    if (isFault) hub.log.error("Request {id} failed: {error}", { id: request.id, path: request.path, error });
    return send(request, address, document, headers);
  }
}

/** What somebody gets in their own name is for nobody else. */
const forOne = { "cache-control": "private, no-store" };

function send(request: Request, address: Address, document: Document, more: Record<string, string> = {}): Response {
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

function moved(request: Request, address: Address, location: string): Response {
  return new Response(null, { status: 308, headers: { ...commonHeaders(request, address), location } });
}

function other(address: Address, request: Request): Response {
  const status = request.method === "OPTIONS" ? 204 : 405;
  return new Response(null, { status, headers: { ...commonHeaders(request, address), allow: methods } });
}

function commonHeaders({ id }: Request, { open }: Address): Record<string, string> {
  return {
    vary: "Accept",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-request-id": id,
    ...(open && { "access-control-allow-origin": "*" }),
  };
}
