import { hash } from "node:crypto";
import type { Hub } from "../../hub.ts";
import type { MessageName } from "../../domain/items/timelines/message-names.ts";
import { siteNick } from "../../domain/identity/channels/site-actor.ts";
import type { User } from "../../domain/people/users.ts";

export type ActorIds = Record<
  "actor" | "inbox" | "outbox" | "followers" | "following" | "featured" | "featuredTags",
  string
>;

/** The addresses of what belongs to a channel (federation contract 3). */
export function idsOf({ config: { baseUrl } }: Hub, nick: string): ActorIds {
  return {
    actor: `${baseUrl}/channel/${nick}`,
    inbox: `${baseUrl}/inbox/${nick}`,
    outbox: `${baseUrl}/outbox/${nick}`,
    followers: `${baseUrl}/followers/${nick}`,
    following: `${baseUrl}/following/${nick}`,
    featured: `${baseUrl}/featured/${nick}`,
    featuredTags: `${baseUrl}/featured/${nick}/tags`,
  };
}

/** Those of the site; `address` is for people to read. */
export function siteIds({
  config: { baseUrl, host },
}: Pick<Hub, "config">): Record<"actor" | "inbox" | "outbox" | "address", string> {
  return {
    actor: `${baseUrl}/actor`,
    inbox: `${baseUrl}/inbox`,
    outbox: `${baseUrl}/actor/outbox`,
    address: `${siteNick}@${host}`,
  };
}

/** The id of something that was written here, whatever its mid (federation contract 3.1). */
export function itemId({ config }: Hub, uuid: string): string {
  return `${config.baseUrl}/item/${uuid}`;
}

/** The id of what somebody did here: of a reaction, or of having written `itemId`. */
export function activityId({ config }: Hub, uuid: string): string {
  return `${config.baseUrl}/activity/${uuid}`;
}

/** The id of a stamp that lets somebody quote something. */
export function approvalId({ config }: Pick<Hub, "config">, uuid: string): string {
  return `${config.baseUrl}/approval/${uuid}`;
}

/** The id of a thread that began here. */
export function conversationId({ config }: Hub, uuid: string): string {
  return `${config.baseUrl}/conversation/${uuid}`;
}

/** The id of what people did in such a thread, as its owner hands it on. */
export function historyId(hub: Hub, uuid: string): string {
  return `${conversationId(hub, uuid)}/history`;
}

/** The id by which a message goes out: a mid that is no address never does. Of what is purely shared nothing but the sharing is known elsewhere. */
export function objectId(hub: Hub, { mid, uuid, plink, nick, pure }: MessageName): string {
  if (nick !== null) return pure === 1 ? activityId(hub, uuid) : itemId(hub, uuid);
  return /^https?:\/\//.test(mid) ? mid : plink;
}

/** The id of a person who is known here: people of networks without ids go by their page. */
export function actorId(
  { config }: Hub,
  person: Pick<User, "local" | "xchan_addr" | "xchan_hash" | "xchan_network" | "xchan_url">,
): string {
  return person.local ? `${config.baseUrl}/channel/${person.xchan_addr.split("@")[0]}` : personId(person);
}

/** The same for somebody who is not of this hub. */
export function personId(person: Pick<User, "xchan_hash" | "xchan_network" | "xchan_url">): string {
  return person.xchan_network === "activitypub" ? person.xchan_hash : person.xchan_url;
}

/** The name here of what somebody did without giving it an id: by the hash of how they said so, so that it counts once. */
export function idOfUnnamed(actor: string, bytes: Uint8Array): string {
  return `${actor}#sha256:${hash("sha256", bytes, "hex")}`;
}

/** Is it such a name, which says nothing to whoever did it? */
export function isUnnamed(id: string): boolean {
  return /#sha256:[0-9a-f]{64}$/.test(id);
}
