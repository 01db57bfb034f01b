import type { Hub } from "../../hub.ts";
import { siteNick } from "../../domain/identity/site/site-actor.ts";

export type ActorIds = Record<"actor" | "inbox" | "outbox" | "followers" | "following", string>;

/** The addresses of what belongs to a channel (federation contract 3). */
export function idsOf({ config: { baseUrl } }: Hub, nick: string): ActorIds {
  return {
    actor: `${baseUrl}/channel/${nick}`,
    inbox: `${baseUrl}/inbox/${nick}`,
    outbox: `${baseUrl}/outbox/${nick}`,
    followers: `${baseUrl}/followers/${nick}`,
    following: `${baseUrl}/following/${nick}`,
  };
}

/** Those of the site; `address` is for people to read. */
export function siteIds({ config: { baseUrl, host } }: Hub): Record<"actor" | "inbox" | "outbox" | "address", string> {
  return {
    actor: `${baseUrl}/actor`,
    inbox: `${baseUrl}/inbox`,
    outbox: `${baseUrl}/actor/outbox`,
    address: `${siteNick}@${host}`,
  };
}
