import { lookup } from "node:dns/promises";
import { Agent as HttpAgent } from "node:http";
import type { RequestOptions } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { isIP } from "node:net";
import type { LookupFunction, Socket } from "node:net";
import { boundedMap } from "../caches.ts";
import type { Cache } from "../caches.ts";
import { bareHost } from "./private-hosts.ts";
import type { Reach } from "./reach.ts";

export type Address = { address: string; family: number };

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<readonly Address[]>;

/** So long an unused connection is kept, and a name stands for the same addresses; in milliseconds. */
const longestIdle = 30_000;
const longestKnown = 60_000;
const mostIdle = 2;
/** What is beyond that waits a moment for the next of several requests that end, and begin, together. */
const briefly = 1000;
const mostBriefly = 4;
const mostNames = 10_000;

/** Where a connection goes: what a request is given for that. */
export type Line = Required<Pick<RequestOptions, "agent" | "lookup">> & { addresses: string };

/**
 * Connections to other servers, kept for a while. Each goes to an address that was checked, of a name that was looked up within
 * the last minute: it does not matter what the name leads to at the moment of connecting.
 */
export class Connections {
  readonly #resolve: Resolve;
  readonly #clock: () => Date;
  readonly #known: Cache<string, { addresses: readonly Address[]; until: number }> = boundedMap(mostNames);
  readonly #agents = { "http:": keptBy(new HttpAgent(keeping)), "https:": keptBy(new HttpsAgent(keeping)) };

  constructor(clock: () => Date, resolve: Resolve = (name) => lookup(name, { all: true })) {
    this.#clock = clock;
    this.#resolve = resolve;
  }

  /** The way to this server. Throws RefusedAddress where any of its addresses is refused. */
  async lineTo({ hostname, protocol }: URL, reach: Reach): Promise<Line> {
    const name = bareHost(hostname);
    const addresses = await this.#addressesOf(name);
    for (const { address } of addresses) reach.checkAddress(address, name);
    return {
      agent: this.#agents[protocol as "http:" | "https:"],
      lookup: answering(addresses),
      addresses: addresses.map(({ address }) => address).join(),
    };
  }

  async #addressesOf(name: string): Promise<readonly Address[]> {
    const family = isIP(name);
    if (family !== 0) return [{ address: name, family }];
    const now = this.#clock().getTime();
    const known = this.#known.get(name);
    if (known && known.until > now) return known.addresses;
    const addresses = (await this.#resolve(name)).toSorted((one, other) => (one.address < other.address ? -1 : 1));
    this.#known.set(name, { addresses, until: now + longestKnown });
    return addresses;
  }

  /** Closes those that nobody uses, and the others with their requests. */
  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }
}

const keeping = { keepAlive: true, maxFreeSockets: mostBriefly, timeout: longestIdle };

/** A kept connection is for those who would connect to the same addresses. */
function keptBy<A extends HttpAgent>(agent: A): A {
  const nameOf = agent.getName.bind(agent);
  agent.getName = (options) => `${nameOf(options)} ${(options as Partial<Line>).addresses ?? ""}`;
  agent.on("free", (socket: Socket, options: RequestOptions) => {
    const idle = agent.freeSockets[agent.getName(options)] ?? [];
    if (idle.indexOf(socket) >= mostIdle) socket.setTimeout(briefly);
  });
  return agent;
}

function answering(addresses: readonly Address[]): LookupFunction {
  return (_, { all }, callback) => {
    if (all) callback(null, [...addresses]);
    else callback(null, addresses[0]!.address, addresses[0]!.family);
  };
}
