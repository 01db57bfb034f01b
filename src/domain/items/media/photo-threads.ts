import { sql } from "kysely";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { linkedMessages } from "../linked.ts";
import { no, selectItems, withoutUnwanted, yes } from "../queries.ts";
import type { Item } from "../types.ts";

/** The linked item of an image, hidden or not, and the comments on it by date. */
export type PhotoThread = { top: Item; comments: Item[] };

/** The threads of the channel's own images by their hashes, in three queries; an image may have none. */
export async function ownPhotoThreads(
  hub: Hub,
  { channel_id: uid }: Pick<Channel, "channel_id">,
  hashes: readonly string[],
): Promise<Map<string, PhotoThread>> {
  const messages = await linkedMessages(hub, "photo", hashes);
  if (messages.length === 0) return new Map();
  const tops = await selectItems(hub)
    .where(isOneOf(hub.engine, sql.ref("item.message_id"), messages))
    .where("item.uid", "=", uid)
    .where("item.item_deleted", "=", no)
    .execute();
  const comments = await commentsOn(hub, uid, tops);
  return new Map(tops.map((top) => [top.resource_id, { top, comments: comments.get(top.id) ?? [] }]));
}

async function commentsOn(hub: Hub, uid: number, tops: readonly Item[]): Promise<Map<number, Item[]>> {
  if (tops.length === 0) return new Map();
  const ids = tops.map((top) => top.id);
  const comments = selectItems(hub)
    .where(isOneOf(hub.engine, sql.ref("item.parent"), ids))
    .where("item.item_normal", "=", yes)
    .where("item.item_notshown", "=", no)
    .where("item.item_thread_top", "=", no);
  const rows = await withoutUnwanted(comments, uid, "only blocked")
    .orderBy("item.created")
    .orderBy("item.id")
    .execute();
  return Map.groupBy(rows, (row) => row.parent);
}
