import type { Hono } from "hono";
import { keepChannel, selectChannel } from "../domain/identity/accounts/select-channel.ts";
import { refuseMoved } from "../domain/identity/channels/moved.ts";
import type { Caller } from "../domain/identity/accounts/caller.ts";
import { HubError } from "../errors.ts";
import type { Nonce } from "../domain/identity/applications/oauth-nonces.ts";
import { mayBeStale, writingBesides } from "../hub.ts";
import type { Hub } from "../hub.ts";
import { checkCallback, optionsResponse, toResponse, wrapJsonp, writeFailure, writeValue } from "./answer.ts";
import type { Written } from "./answer.ts";
import { addressOf, arrivalOf, cameInTheClear, targetOf } from "./arrival.ts";
import type { Arrival } from "./arrival.ts";
import { readBody, readFormText } from "./body.ts";
import {
  authenticate,
  authenticateBearer,
  challenges,
  checkBearer,
  nobody,
  noCredentials,
  readBasic,
  refuseApplications,
} from "./credentials.ts";
import type { Authenticated, Credentials } from "./credentials.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Exchange } from "./exchange.ts";
import type { Face } from "./face.ts";
import { letIn } from "./entrance.ts";
import { failureOf, isForTheLog, ProtocolError } from "./failure.ts";
import { rateLimits } from "./rate-limits.ts";
import type { Counted, RateLimits } from "./rate-limits.ts";
import { dropFiles } from "./multipart.ts";
import { speaksOauth } from "./oauth/protocol.ts";
import { verifyTokenRequest } from "./oauth/verify.ts";
import { packingFor } from "./packing.ts";
import { merge } from "./parameters.ts";
import type { Parameters } from "./parameters.ts";
import { readerOf } from "./reader.ts";
import { insecure, unreadable } from "./refusals.ts";
import { endRequest, requestIds } from "./request-log.ts";
import { selfUrl } from "./self-url.ts";
import { Routes } from "./routes.ts";
import type { Found, Route } from "./routes.ts";
import { asText, lastOf } from "./values.ts";

type Server = { hub: Hub; routes: Routes; limits: RateLimits; idOf: ReturnType<typeof requestIds> };

/** One request on its way: what is known so far, for the answer as much as for the refusal. */
type Call = {
  server: Server;
  arrival: Arrival;
  exchange: Exchange;
  query: string;
  found: Found;
  route: Route | undefined;
  credentials: Credentials | undefined;
  /** Of a signed request that changes something. */
  nonce: Nonce | undefined;
  callback: string | undefined;
};

/** Puts the faces on the app: every path below their prefixes is theirs. */
export function mountFaces(app: Hono, hub: Hub, faces: readonly Face[]): void {
  const server: Server = { hub, routes: new Routes(faces), limits: rateLimits(hub), idOf: requestIds(hub) };
  const places = faces.flatMap((face) => face.prefixes);
  const roots = places.filter((place) => !places.some((other) => place.startsWith(`${other}/`)));
  // Programs put a path behind an address that ends in a slash already, so two at the start are as good as one.
  for (const path of roots.flatMap((root) => [`${root}/*`, `/${root}/*`]))
    app.all(path, (context) => serve(server, arrivalOf(context)));
}

async function serve(server: Server, arrival: Arrival): Promise<Response> {
  const started = performance.now();
  const call = await receive(server, arrival);
  const response = await respond(call);
  const answering = { face: call.found.face.name, row: call.route?.row.path };
  endRequest(server.hub, call.exchange, answering, response.status, performance.now() - started);
  return response;
}

async function receive(server: Server, arrival: Arrival): Promise<Call> {
  const { path, query } = targetOf(arrival);
  const found = await server.routes.find(path);
  const exchange: Exchange = {
    id: server.idOf(arrival.request.headers.get("x-request-id")),
    method: arrival.request.method,
    path,
    format: found.format,
    alias: "",
    version11: false,
    userAgent: arrival.request.headers.get("user-agent") ?? "",
    baseUrl: server.hub.config.baseUrl,
    self: "",
    address: addressOf(arrival, server.hub.config),
    application: "",
    tokenRequest: undefined,
    bearer: undefined,
    basic: undefined,
    idempotencyKey: arrival.request.headers.get("idempotency-key") ?? "",
    files: [],
    rate: () => undefined,
  };
  const callback = callbackOf(found.face, exchange, query, arrival);
  const unknown = { route: undefined, credentials: undefined, nonce: undefined };
  return { server, arrival, exchange, query, found, ...unknown, callback };
}

async function respond(call: Call): Promise<Response> {
  const { exchange, arrival, found } = call;
  if (exchange.method === "OPTIONS") {
    const allow = found.entry?.allow ?? "OPTIONS";
    const asked = arrival.request.headers.get("access-control-request-headers");
    return optionsResponse(found.face, allow, asked, exchange);
  }
  let written: Written;
  try {
    written = await performOnce(call);
  } catch (error) {
    written = refuse(call, error);
  } finally {
    if (exchange.files.length > 0) await dropFiles(call.server.hub, exchange.files);
  }
  const asked = {
    ifNoneMatch: arrival.request.headers.get("if-none-match") ?? "",
    packing: packingFor(arrival.request),
  };
  return toResponse(found.face, wrapJsonp(written, call.callback), exchange, asked);
}

/** Nobody hears how a signed write went before its nonce is on disk; the first transaction has brought it there mostly. */
async function performOnce(call: Call): Promise<Written> {
  try {
    return await perform(call);
  } finally {
    await call.nonce?.keep(call.server.hub);
  }
}

/** The order of checks is that of both contracts: path, method, credentials, channel, parameters; the handler does the rest. */
async function perform(call: Call): Promise<Written> {
  const route = (call.route = chooseRoute(call));
  const { hub } = call.server;
  hub.nameWork(`${call.exchange.method} ${route.row.path} (${route.face.name})`);
  return letIn(hub, "requests", () => answer(call, route));
}

async function answer(call: Call, route: Route): Promise<Written> {
  const { hub } = call.server;
  const authenticated = await identify(call, route);
  const parameters = await readParameters(call, route);
  const acting = await act(hub, authenticated, parameters, route.face);
  const input = route.input(parameters, call.found);
  const { nonce } = call;
  const handle = (hub: Hub): unknown => route.row.handle(hub, acting, input, call.exchange);
  const isOpen = route.row.mayBeStale === true && authenticated === nobody;
  const value = await (isOpen ? mayBeStale(hub, handle) : handle(nonce ? writingBesides(hub, nonce.keep) : hub));
  return writeValue(route.face, route.row, value, call.exchange);
}

function chooseRoute({ found, exchange, query }: Call): Route {
  if (!found.entry) throw new ProtocolError("unknown");
  const route = found.entry.routes.find(
    ({ row, methods }) =>
      methods.some((method) => method === exchange.method) && (found.pathId === undefined || row.pathId !== undefined),
  );
  if (!route) throw new ProtocolError("method");
  exchange.alias = route.endpointPath.alias;
  exchange.version11 = route.endpointPath.version11;
  if (route.row.headers || exchange.format === "atom" || exchange.format === "rss")
    exchange.self = selfUrl(exchange, query, route.row);
  return route;
}

async function identify(call: Call, { face, row }: Route): Promise<Authenticated> {
  const { hub, limits } = call.server;
  const { exchange, arrival } = call;
  if (row.secure && cameInTheClear(arrival, hub.config)) throw insecure();
  const credentials = (call.credentials = await readCredentials(call, row));
  const authenticated = await admit(hub, face, row, credentials, exchange);
  const { caller } = authenticated;
  if (row.writes) call.nonce = authenticated.nonce;
  exchange.bearer = authenticated.bearer;
  if (face.credentials === "bearer") checkBearer(row, authenticated.bearer);
  else if (!caller && row.access === "channel") throw noCredentials();
  if (caller && row.writes && !row.whileMoved) refuseMoved(caller.channel);
  exchange.application = authenticated.application;
  const who: Counted = caller?.channel.channel_id ?? exchange.address;
  const token = authenticated.bearer?.id;
  exchange.rate = (kind) => {
    if (kind !== "token") return limits.rate(kind, who);
    return token === undefined ? undefined : limits.rate(kind, token);
  };
  if (!row.uncounted) {
    limits.count(row.writes ? "write" : "read", who);
    if (token !== undefined) limits.count("token", token);
  }
  return authenticated;
}

/** Whatever may tell who sends the request; of its body no more than that, until the sender is known. */
async function readCredentials({ arrival, exchange, server, query }: Call, row: Endpoint): Promise<Credentials> {
  const authorization = arrival.request.headers.get("authorization");
  const form = await readFormText(arrival, row, server.hub);
  const places = { authorization, query, form };
  const { address } = exchange;
  return { ...places, arrival, address, signed: speaksOauth(places) };
}

async function admit(
  hub: Hub,
  face: Face,
  row: Endpoint,
  credentials: Credentials,
  exchange: Exchange,
): Promise<Authenticated> {
  if (row.provesApp) {
    exchange.basic = readBasic(credentials.authorization);
    return nobody;
  }
  if (face.credentials === "bearer") return authenticateBearer(hub, credentials, row);
  if (row.ownPassword) refuseApplications(credentials);
  if (!row.givesToken) return authenticate(hub, credentials);
  exchange.tokenRequest = await verifyTokenRequest(hub, credentials, row.givesToken);
  return nobody;
}

async function readParameters(call: Call, { face, row }: Route): Promise<Parameters> {
  const { arrival, exchange, server } = call;
  const query = readerOf(face, row).pairs(call.query);
  if (exchange.method === "GET" || exchange.method === "HEAD") {
    if (call.callback !== undefined) checkCallback(call.callback);
    return query;
  }
  const body = await readBody(arrival, call.credentials?.form, face, row, server.hub);
  exchange.files = body.files;
  return merge(query, body.parameters);
}

/** JSONP is for GET without Basic credentials: a page of another site could send those that a browser remembers. */
function callbackOf(face: Face, { method, format }: Exchange, query: string, { request }: Arrival): string | undefined {
  if (!face.jsonp || method !== "GET" || format !== "json" || !query.includes("callback=")) return undefined;
  if (/^basic(\s|$)/i.test(request.headers.get("authorization") ?? "")) return undefined;
  return new URLSearchParams(query).getAll("callback").at(-1);
}

/** The channel that the request acts as; an application has one and no other. */
async function act(
  hub: Hub,
  { caller, application, byNick, bearer }: Authenticated,
  parameters: Parameters,
  { nickIsChannel }: Face,
): Promise<Caller | undefined> {
  // A bearer token is for one channel.
  const values = bearer ? undefined : parameters.get("channel");
  if (!caller || !values) return caller;
  const nick = asText(lastOf(values));
  if (nick === undefined) throw unreadable("The parameter channel must be a single value.");
  if (nick === "") return caller;
  const isBound = application !== "" || (byNick && nickIsChannel);
  return isBound ? keepChannel(caller, nick) : selectChannel(hub, caller, nick);
}

function refuse(call: Call, error: unknown): Written {
  const { hub } = call.server;
  const { exchange, found, route } = call;
  const failure = failureOf(error, route?.row, exchange.alias, found.face.messages);
  if (isForTheLog(error, failure))
    hub.log.error("Request {id} failed: {error}", { id: exchange.id, path: exchange.path, error });
  const { status, body } = found.face.failure(failure, exchange);
  const form = route?.row.ownForm;
  const written = form
    ? { status, type: form.type, text: form.writeFailure(failure) }
    : writeFailure(found.face, status, body, exchange);
  return { ...written, headers: headersOf(call, status, error) };
}

/** Says of a token that was sent that it is wrong (RFC 6750, 3). */
function bearerChallenge(error: unknown): string {
  const isWrong = error instanceof HubError && error.code === "token_invalid";
  return `Bearer realm="Hubbub"${isWrong ? ', error="invalid_token"' : ""}`;
}

function headersOf(
  { server, arrival, found, credentials }: Call,
  status: number,
  error: unknown,
): Record<string, string> {
  const headers: Record<string, string> = {};
  if (status === 401) {
    const fromBrowser = arrival.request.headers.has("sec-fetch-site");
    headers["www-authenticate"] =
      found.face.credentials === "bearer"
        ? bearerChallenge(error)
        : challenges(server.hub, { fromBrowser, signed: credentials?.signed ?? false });
  }
  if (status === 405 && found.entry) headers["allow"] = found.entry.allow;
  if (error instanceof HubError && error.retryAfter !== undefined) headers["retry-after"] = String(error.retryAfter);
  return headers;
}
