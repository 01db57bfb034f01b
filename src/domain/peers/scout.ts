import { oncePerHub } from "../../caches.ts";
import type { FetchOptions } from "../../fetch/fetch.ts";
import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";

/**
 * Why nothing came of a look-up: nobody has that address, the other side does not let the hub look (or the site has nothing to do
 * with it), it does not answer, or there is nothing that can be read.
 */
export type LookFault = "unknown" | "refused" | "silent" | "unusable";

/** Whom or what was found elsewhere; it is stored, and a post is there for the channel that asked: by its mid. */
export type Looked = { person: Xchan } | { post: string } | { fault: LookFault };

/** One step of looking somebody or something up, and what came of it. */
export type ProbeStep = {
  step: "webfinger" | "document" | "actor" | "keys" | "address" | "inbox";
  /** What was asked for, if anything was. */
  url: string;
  /** 0 where nothing was asked for, or nobody answered. */
  status: number;
  type: string;
  milliseconds: number;
  result: string;
};

/** Asks other servers while somebody here waits for it: what that takes of signatures and documents only a face knows. */
export type Scout = {
  /** Asks for what a server shows to this channel, and may not show to everybody. */
  askAs(hub: Hub, url: string, channel: Channel, options: FetchOptions): Promise<Response>;
  /** Asks in the name of a channel who has an address, or what is there. */
  lookUp(hub: Hub, channel: Channel, address: string, signal: AbortSignal): Promise<Looked>;
  /** Goes through what has to work to reach somebody or something. */
  probe(hub: Hub, text: string, signal: AbortSignal): Promise<ProbeStep[]>;
};

const scouts = oncePerHub((): { scout: Scout } => ({
  // Whoever is not known how to ask is asked as anybody, and nobody is found.
  scout: {
    askAs: (hub, url, _channel, options) => hub.fetch(url, options),
    lookUp: () => Promise.resolve({ fault: "unknown" }),
    probe: () => Promise.resolve([]),
  },
}));

/** Says who asks for a hub; whoever puts the hub together does. */
export function appoint(hub: Hub, scout: Scout): void {
  scouts(hub).scout = scout;
}

export function scoutOf(hub: Hub): Scout {
  return scouts(hub).scout;
}

const longestProbe = 20_000;

/** Goes through what has to work to reach somebody or something elsewhere (federation contract 17), for 20 seconds at the most. */
export function probeElsewhere(hub: Hub, text: string): Promise<ProbeStep[]> {
  return scoutOf(hub).probe(hub, text, AbortSignal.timeout(longestProbe));
}
