import type { Hub } from "../../hub.ts";
import { followersAddressOf } from "../identity/xchans/actors.ts";
import { comparableId, isSameOrigin } from "../identity/xchans/foreign-ids.ts";
import { findXchan } from "../identity/xchans/xchans.ts";
import { findThread } from "../items/receiving/place.ts";
import type { Thread } from "../items/receiving/place.ts";
import { audienceHere } from "../items/receiving/readers.ts";
import type { Audience } from "../items/receiving/readers.ts";
import type { ReceivedPost } from "../items/receiving/received.ts";

/**
 * Is something from elsewhere a direct message, or a post or comment? (federation contract 5) What is for persons alone never becomes
 * visible to a whole thread, unless that is what its author means.
 */
export async function isMessage(hub: Hub, post: ReceivedPost): Promise<boolean> {
  if (post.audience.for !== "named" || (post.isForGroup && post.directMessage !== true)) return false;
  const audience = await audienceHere(hub, post.author, post.audience);
  if (audience.followers) return false;
  const thread = post.inReplyTo === undefined ? undefined : await findThread(hub, post.inReplyTo);
  return thread ? !(await isComment(hub, post, audience, thread)) : post.direct;
}

async function isComment(hub: Hub, post: ReceivedPost, audience: Audience, { top, owner }: Thread): Promise<boolean> {
  if (top.item_private === 0 || post.directMessage === true) return false;
  if (top.owner_id === post.author.xchan_id) return !post.direct;
  const person = (await findXchan(hub, { id: top.owner_id }))!;
  const collection = await followersAddressOf(hub, person.xchan_id);
  if (collection !== "" && audience.addresses.has(comparableId(collection))) return true;
  const id = owner ? `${hub.config.baseUrl}/channel/${owner.channel_address}` : person.xchan_hash;
  const isToOwner = audience.addresses.has(comparableId(id));
  // What neighbours of the owner say comes from their hub to each of the readers.
  const isFromThere = !owner && isSameOrigin(post.author.xchan_hash, person.xchan_hash);
  if (post.directMessage === false && (isToOwner || isFromThere)) return true;
  if (!isToOwner) return false;
  const hasLists = [top.allow_cid, top.allow_gid, top.deny_cid, top.deny_gid].some((list) => list !== "");
  const mentionsOwner = post.mentions.some(({ href }) => comparableId(href) === comparableId(id));
  const context = `${hub.config.baseUrl}/conversation/${top.uuid}`;
  const all = [context, ...(owner ? [`${hub.config.baseUrl}/followers/${owner.channel_address}`] : [])];
  const namesThread = post.context === context || all.some((address) => audience.addresses.has(comparableId(address)));
  // Of a thread elsewhere the hub knows neither lists nor collection.
  return hasLists || ((namesThread || !owner) && !mentionsOwner);
}
