import { sql } from "kysely";
import type { SqlBool } from "kysely";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { observerOf } from "../../identity/channels/observer.ts";
import { allowed } from "../../permissions/allowed.ts";
import { audienceIn } from "../audience.ts";
import type { Item } from "../types.ts";
import type { Recipient } from "./recipients.ts";
import { takersAmong } from "./takers.ts";

/** The channels of this hub that a direct post names and that let its author write to them, connected or not. */
export async function writtenTo(hub: Hub, author: Channel, item: Item): Promise<Recipient[]> {
  if (item.item_direct === 0 || item.item_thread_top === 0) return [];
  const named = isOneOf(hub.engine, sql.ref("channel.channel_hash"), audienceIn(item).allow_cid, "text");
  const mayWrite = allowed(observerOf(author), "post_mail", sql.ref<number>("channel.channel_id"));
  const isAuthor = sql<SqlBool>`channel.channel_id = ${author.channel_id}`;
  return takersAmong(hub, sql<SqlBool>`(${named} and ${mayWrite} and not ${isAuthor})`, item, undefined);
}
