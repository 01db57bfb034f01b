import { Hono } from "hono";
import type { Context, Next } from "hono";
import { isNobody } from "../../domain/identity/channels/observer.ts";
import type { Observer } from "../../domain/identity/channels/observer.ts";
import { onlySignedReads } from "../../domain/peers/signed-reads.ts";
import { mayBeStale } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { addressOf, arrivalOf, targetOf } from "../../http/arrival.ts";
import { letIn } from "../../http/entrance.ts";
import { rateLimits } from "../../http/rate-limits.ts";
import type { RateLimits } from "../../http/rate-limits.ts";
import { endRequest, requestIds } from "../../http/request-log.ts";
import { wantedBy } from "./accept.ts";
import type { Address, Question } from "./address.ts";
import { addresses } from "./addresses.ts";
import { bare, failed, moved, send } from "./answers.ts";
import type { Request } from "./answers.ts";
import { notAcceptable, unsigned } from "./failure.ts";
import { documentAt } from "./kept-documents.ts";
import { countReadOf } from "./rate-limits.ts";
import { readerOf } from "./signer.ts";

type Site = { hub: Hub; limits: RateLimits; idOf: ReturnType<typeof requestIds> };

/** The inbox of all, and those of each channel. */
const inboxes = ["/inbox", "/inbox/:nick"];

const methods = "GET, HEAD, OPTIONS";

/** What other hubs read of this one, and where they deliver. Mount it before the pages: requests for those pass through. */
export function federation(hub: Hub): Hono {
  const app = new Hono();
  const site: Site = { hub, limits: rateLimits(hub), idOf: requestIds(hub) };
  for (const inbox of inboxes)
    for (const path of [inbox, `${inbox}/`])
      app.all(path, (context) =>
        logged(site, inbox, context, async (request) => {
          const { receive } = await import("./inbox/receive.ts");
          return receive(hub, request, context.req.param("nick"));
        }),
      );
  for (const address of addresses)
    for (const path of [address.path, `${address.path}/`])
      app.all(path, (context, next) => serve(site, address, context, next));
  return app;
}

async function logged(
  { hub, idOf }: Site,
  row: string,
  context: Context,
  work: (request: Request) => Promise<Response> | Response,
): Promise<Response> {
  const arrival = arrivalOf(context);
  const started = performance.now();
  const { method, headers } = arrival.request;
  const request = { ...arrival, id: idOf(headers.get("x-request-id")), method, path: targetOf(arrival).path };
  hub.nameWork(`${method} ${row} (federation)`);
  const response = await work(request);
  endRequest(hub, request, { face: "federation", row }, response.status, performance.now() - started);
  return response;
}

async function serve(site: Site, address: Address, context: Context, next: Next): Promise<Response | undefined> {
  const { headers, method } = context.req.raw;
  const reads = method === "GET" || method === "HEAD";
  const wanted = wantedBy(headers.get("accept"), address.beside);
  if (address.beside && (!reads || wanted === "other")) return passOn(context, next);
  return logged(site, address.path, context, (request) => {
    if (!reads) return bare(request, address, method === "OPTIONS" ? 204 : 405, { allow: methods });
    return wanted === "neither" ? send(request, address, notAcceptable) : answer(site, address, request, context);
  });
}

/** The page or the file, which shared caches keep apart from the document. */
async function passOn(context: Context, next: Next): Promise<undefined> {
  await next();
  context.res.headers.append("vary", "Accept");
}

async function answer(site: Site, address: Address, request: Request, context: Context): Promise<Response> {
  try {
    return await letIn(site.hub, "requests", () => answerInTurn(site, address, request, context));
  } catch (error) {
    return failed(site.hub, request, address, error);
  }
}

async function answerInTurn(
  { hub, limits }: Site,
  address: Address,
  request: Request,
  context: Context,
): Promise<Response> {
  const { host, anybody, known, observer, signed, signingHost } = await readerOf(hub, request);
  if (host === undefined) limits.count("document", addressOf(request, hub.config));
  else countReadOf(hub, host);
  const forSigners = address.signed || (!address.forAll && (await onlySignedReads(hub)));
  if (forSigners && !(await signed())) return send(request, address, unsigned, { "accept-signature": coveringReads });
  if (request.path.endsWith("/")) return moved(request, address);
  const { query } = targetOf(request);
  let reader: Observer | undefined;
  const question = {
    hub,
    params: context.req.param() as Record<string, string>,
    query: new URLSearchParams(query),
    anybody,
    known,
    forSigners,
    signingHost,
    observer: async () => (reader = await observer()),
  };
  const read = (question: Question) => documentAt(address, question, `${request.path}?${query}`);
  const isOpen = address.mayBeStale === true && !forSigners;
  const document = await (isOpen ? mayBeStale(hub, (hub) => read(asAnybody(question, hub))) : read(question));
  return send(request, address, document, forSigners || (reader && !isNobody(reader)) ? forOne : {});
}

/** The question as nobody in particular asks it: who asks in a name of their own is told by the primary. */
function asAnybody(question: Question, hub: Hub): Question {
  if (hub === question.hub) return question;
  return { ...question, hub, known: undefined, observer: () => Promise.reject(new Error("It matters who asks.")) };
}

/** How a request for a document may be signed. */
const coveringReads = 'sig1=("@method" "@target-uri");created;keyid;alg="rsa-v1_5-sha256"';

/** What somebody gets in their own name, or because they have signed, is for nobody else. */
const forOne = { "cache-control": "private, no-store" };
