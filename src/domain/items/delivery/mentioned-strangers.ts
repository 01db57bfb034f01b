import { sql } from "kysely";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import type { Item } from "../types.ts";
import type { Recipient } from "./recipients.ts";
import { takersAmong } from "./takers.ts";

/** Of a post that names more people than this only those hear who follow its author (federation contract 13). */
export const mostMentions = 50;

/**
 * Whom something public of this hub mentions: they get it as they do what mentions them from elsewhere (federation contract 6.4),
 * connected or not (decision 171). A forum takes over what it takes (forum.ts). `wall`: the channel of this hub on whose wall its
 * thread is.
 */
export async function mentionedStrangers(
  hub: Hub,
  item: Item,
  mentioned: readonly (Recipient & { forum: number })[],
  wall: number | undefined,
): Promise<Recipient[]> {
  const people = mentioned.filter(({ forum, xchan_id }) => forum === 0 && xchan_id !== item.author_id);
  if (people.length === 0 || mentioned.length > mostMentions) return [];
  if (item.item_private !== 0 || item.item_notshown !== 0) return [];
  const ids = people.map(({ channel_id }) => channel_id);
  return takersAmong(hub, isOneOf(hub.engine, sql.ref("channel.channel_id"), ids), item, wall);
}
