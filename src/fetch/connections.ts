import { lookup } from "node:dns/promises";
import { Agent as HttpAgent } from "node:http";
import type { RequestOptions } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { isIP } from "node:net";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { boundedMap } from "../caches.ts";
import type { Cache } from "../caches.ts";
import { detailOf } from "../errors.ts";
import { bareHost } from "./private-hosts.ts";
import type { Reach } from "./reach.ts";

export type Address = { address: string; family: number };

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<readonly Address[]>;

/** So long an unused connection is kept, and a name stands for the same addresses; in milliseconds. */
const longestIdle = 30_000;
const longestKnown = 60_000;
/** Where nobody says within so long what a name stands for, it goes on standing for what it did, a day at most; then it is looked up again. */
const longestLookUp = 2000;
const longestHeldOn = 24 * 3600_000;
const untilNextLookUp = 10_000;
const mostIdle = 2;
/** What is beyond that waits a moment for the next of several requests that end, and begin, together. */
const briefly = 1000;
const mostBriefly = 4;
const mostNames = 10_000;

/** Where a connection goes: what a request is given for that. */
export type Line = Required<Pick<RequestOptions, "agent" | "lookup">> & { addresses: string };

/** What is kept of a name. */
type Place = Omit<Line, "agent"> & { found: readonly Address[] };
type Known = { place: Place; since: number; until: number };

/**
 * Connections to other servers, kept for a while. Each goes to an address that was checked, of a name that was looked up within
 * the last minute: it does not matter what the name leads to at the moment of connecting.
 */
export class Connections {
  readonly #resolve: Resolve;
  readonly #clock: () => Date;
  readonly #known: Cache<string, Known> = boundedMap(mostNames);
  readonly #agents = { "http:": keptBy(new HttpAgent(keeping)), "https:": keptBy(new HttpsAgent(keeping)) };

  constructor(clock: () => Date, resolve: Resolve = (name) => lookup(name, { all: true })) {
    this.#clock = clock;
    this.#resolve = resolve;
  }

  /** The way to this server. Throws RefusedAddress where any of its addresses is refused. */
  async lineTo({ hostname, protocol }: URL, reach: Reach): Promise<Line> {
    const name = bareHost(hostname);
    const { found, ...where } = await this.#placeOf(name);
    for (const { address } of found) reach.checkAddress(address, name);
    return { ...where, agent: this.#agents[protocol as "http:" | "https:"] };
  }

  async #placeOf(name: string): Promise<Place> {
    const now = this.#clock().getTime();
    const known = this.#known.get(name);
    if (known && known.since <= now && now < known.until) return known.place;
    const lookUp = this.#lookUp(name, now);
    if (!known || now - known.since > longestHeldOn) return lookUp;
    const holdOn = (): Place => {
      if (this.#known.get(name) === known) this.#known.set(name, { ...known, until: now + untilNextLookUp });
      return known.place;
    };
    const answer = lookUp.catch((error: unknown) => {
      if (detailOf(error, "code") === "EAI_AGAIN") return holdOn();
      throw error;
    });
    return Promise.race([answer, sleep(longestLookUp, undefined, { ref: false }).then(holdOn)]);
  }

  async #lookUp(name: string, now: number): Promise<Place> {
    const family = isIP(name);
    const found = family === 0 ? await this.#resolve(name) : [{ address: name, family }];
    const place = placeOf(found.toSorted((one, other) => (one.address < other.address ? -1 : 1)));
    this.#known.set(name, { place, since: now, until: now + longestKnown });
    return place;
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

function placeOf(found: readonly Address[]): Place {
  const addresses = found.map(({ address }) => address).join();
  return {
    found,
    addresses,
    lookup: (_, { all }, callback) => {
      if (all) callback(null, [...found]);
      else callback(null, found[0]!.address, found[0]!.family);
    },
  };
}
