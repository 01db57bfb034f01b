import { lookup } from "node:dns";
import { request as httpRequest } from "node:http";
import type { IncomingMessage, RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { BlockList, isIP } from "node:net";
import type { LookupFunction } from "node:net";
import { Readable } from "node:stream";
import { version } from "./version.ts";

export type FetchOptions = {
  method?: string;
  headers?: Record<string, string>;
  body?: Buffer | string;
  /** Ends the request, also while the answer is read. */
  signal?: AbortSignal;
  /** Host names, addresses and networks that are asked although they are private: what the operator says, nobody else. */
  within?: readonly string[];
};

/** Asks another server. Only http and https, and never an address of a private network. */
export type Fetch = (url: string, options?: FetchOptions) => Promise<Response>;

/** Why a request was not even tried; trying again is of no use. */
export class RefusedAddress extends Error {}

const mostRedirects = 5;

/** Hosts and addresses that are not asked; `name` is the host that an address was found for. */
type Refuses = (host: string, name?: string) => boolean;

/**
 * Requests that refuse some hosts. Redirects are followed, each checked like the first address. Names are resolved here
 * and the connection goes to the very address that was checked, so that no name points elsewhere once it has been looked at.
 */
export function fetchExcept(refuses: Refuses): Fetch {
  return (url, { within = [], ...options } = {}) =>
    follow(within.length === 0 ? refuses : unlessWithin(refuses, within), url, options);
}

/** A name stands for whatever it resolves to, a network for the addresses in it, by whatever name they are found. */
function unlessWithin(refuses: Refuses, within: readonly string[]): Refuses {
  return (host, name = host) => refuses(host, name) && !isWithin(host, within) && !isWithin(name, within);
}

/** Is the host one of these, or the address in one of these networks? */
export function isWithin(hostname: string, within: readonly string[]): boolean {
  const host = bareHost(hostname).replace(/\.$/, "").toLowerCase();
  const version = isIP(host);
  if (version === 0) return within.includes(host);
  const list = new BlockList();
  for (const [address = "", length] of within.map((entry) => entry.split("/"))) {
    const of = isIP(address);
    if (of !== 0) list.addSubnet(address, Number(length ?? (of === 4 ? 32 : 128)), of === 4 ? "ipv4" : "ipv6");
  }
  return list.check(host, version === 4 ? "ipv4" : "ipv6");
}

async function follow(refuses: Refuses, url: string, options: FetchOptions): Promise<Response> {
  let [target, sent] = [url, options];
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const answer = await ask(refuses, target, sent);
    const { location } = answer.headers;
    const status = answer.statusCode ?? 0;
    if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return responseOf(answer, status);
    answer.destroy();
    const next = URL.canParse(location, target) ? new URL(location, target) : undefined;
    if (!next) throw new RefusedAddress("The redirect leads nowhere");
    sent = redirected(sent, status, next.origin === new URL(target).origin);
    target = next.href;
  }
  throw new RefusedAddress("There are too many redirects");
}

/** What was meant for one server is not told to another. */
function redirected(sent: FetchOptions, status: number, sameOrigin: boolean): FetchOptions {
  const { body: _, headers = {}, method, ...rest } = sent;
  const kept = sameOrigin
    ? headers
    : Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(authorization|cookie)$/i.test(name)));
  if (status === 307 || status === 308) return { ...sent, headers: kept };
  return { ...rest, headers: kept, ...(method === "HEAD" && { method }) };
}

function ask(
  refuses: Refuses,
  url: string,
  { method = "GET", headers = {}, body, signal }: FetchOptions,
): Promise<IncomingMessage> {
  const { protocol, hostname } = allowedUrl(refuses, url);
  const options: RequestOptions = {
    method,
    headers: { "user-agent": `Hubbub/${version}`, "accept-encoding": "identity", ...headers },
    lookup: checkedLookup(refuses),
    agent: false,
    ...(signal && { signal }),
  };
  return new Promise((resolve, reject) => {
    const request = (protocol === "https:" ? httpsRequest : httpRequest)(url, options, resolve);
    request.on("error", (cause) =>
      reject(cause instanceof RefusedAddress ? cause : new Error(`${hostname} does not answer`, { cause })),
    );
    request.end(body);
  });
}

function allowedUrl(refuses: Refuses, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new RefusedAddress("This is not an http or https address");
  if (refuses(bareHost(url.hostname))) throw new RefusedAddress("This address is not public");
  return url;
}

/** Name resolution as the connection asks for it; a name with any refused address is refused. */
export function checkedLookup(refuses: Refuses): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const refused = error ? undefined : addresses.find(({ address }) => refuses(address, hostname));
      if (error || refused) callback(error ?? new RefusedAddress("This address is not public"), "", 0);
      else if (options.all) callback(null, addresses);
      else callback(null, addresses[0]!.address, addresses[0]!.family);
    });
  };
}

function responseOf(answer: IncomingMessage, status: number): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) {
    for (const one of Array.isArray(value) ? value : value === undefined ? [] : [value]) headers.append(name, one);
  }
  const empty = status === 204 || status === 304 || status < 200;
  if (empty) answer.resume();
  const body = empty ? null : (Readable.toWeb(answer) as ReadableStream);
  return new Response(body, { status: status < 200 || status > 599 ? 502 : status, headers });
}

/** Networks that are not the public Internet (the registries of special-purpose addresses, RFC 6890). */
const privateNetworks = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const;

/** Of version 6 only the addresses that are given out to the world are public, without those that hold one of version 4. */
const publicNetwork = ["2000::", 3] as const;
const tunnels = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const;

/** What is no address counts as one. */
function isPrivateAddress(address: string): boolean {
  const bare = address.replace(/%.*$/, "");
  switch (isIP(bare)) {
    case 4:
      return listOf(privateNetworks, "ipv4").check(bare, "ipv4");
    case 6:
      return !listOf([publicNetwork], "ipv6").check(bare, "ipv6") || listOf(tunnels, "ipv6").check(bare, "ipv6");
    default:
      return true;
  }
}

/** Is this host or address inside somebody's own network? Names that only resolve to such addresses are found out when connecting. */
export function isPrivateHost(hostname: string): boolean {
  const host = bareHost(hostname).replace(/\.$/, "");
  if (isIP(host) !== 0) return isPrivateAddress(host);
  return !host.includes(".") || /(^|\.)(localhost|local|internal|home\.arpa|onion)$/i.test(host);
}

function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "");
}

function listOf(networks: readonly (readonly [string, number])[], type: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const [network, length] of networks) list.addSubnet(network, length, type);
  return list;
}
