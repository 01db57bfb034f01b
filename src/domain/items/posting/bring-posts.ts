import { sql } from "kysely";
import type { SqlBool } from "kysely";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import type { JobPayload } from "../../../jobs/kinds.ts";
import { isUnwanted } from "../../connections/unwanted.ts";
import { findChannelById, findChannelByXchan } from "../../identity/channels/channels.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { observerOf } from "../../identity/channels/observer.ts";
import { allowedTo } from "../../permissions/allowed.ts";
import { visibleTo } from "../../permissions/visible.ts";
import { passesFilter } from "../delivery/connection-filter.ts";
import { fanOutAnswers, fanOutTop } from "../delivery/fan-out.ts";
import { lockThread, no, selectItems, yes } from "../queries.ts";
import type { Item } from "../types.ts";

/** So many of the newest posts of a new connection are there from the start; of people elsewhere as many are fetched. */
const mostPosts = 20;

/**
 * Gives the channel the newest public posts of somebody of this hub whom it reads now, with what is below them, as if it had seen them
 * already: nobody wants to begin with an empty page, and nobody has to be told of what is old. A job; it may run twice.
 */
export async function bringPosts(hub: Hub, { uid, person }: JobPayload<"bring-posts">): Promise<void> {
  const [reader, author] = await Promise.all([findChannelById(hub, uid), findChannelByXchan(hub, person)]);
  if (!reader || !author) return;
  for (const { id } of await newestPosts(hub, reader, author))
    await inTransaction(hub, (hub) => bringThread(hub, reader, id));
}

/** The oldest first, so that their copies stand in the same order. */
async function newestPosts(hub: Hub, reader: Channel, author: Channel): Promise<{ id: number }[]> {
  const connection = await hub.db
    .selectFrom("abook")
    .select(["abook_incl", "abook_excl", "abook_connected"])
    .where("abook_channel", "=", reader.channel_id)
    .where("abook_xchan", "=", author.channel_hash)
    .where("follow_out", "=", "accepted")
    .where(sql<SqlBool>`not ${isUnwanted()}`)
    .where(allowedTo(observerOf(author), "send_stream", reader.channel_id))
    .executeTakeFirst();
  if (!connection) return [];
  const posts = await selectItems(hub)
    .where("item.author_id", "=", author.xchan_id)
    .where("item.owner_id", "=", author.xchan_id)
    .where("item.item_private", "=", no)
    .where("item.item_wall", "=", yes)
    .where("item.item_thread_top", "=", yes)
    .where("item.item_normal", "=", yes)
    .where("item.item_notshown", "=", no)
    // What was written since comes by itself, as news.
    .where("item.created", "<", connection.abook_connected)
    .where(visibleTo(hub, observerOf(reader)))
    .orderBy("item.id", "desc")
    .limit(mostPosts)
    .execute();
  return posts.filter((post) => passesFilter(connection, post)).toReversed();
}

async function bringThread(hub: Hub, reader: Channel, id: number): Promise<void> {
  const found = await findTop(hub, id);
  if (!found) return;
  await lockThread(hub, found.message_id);
  const top = await findTop(hub, id);
  if (!top) return;
  const copy = (await fanOutTop(hub, top, [reader], [], "quietly")).get(reader.channel_id);
  if (copy === undefined) return;
  await fanOutAnswers(hub, top, [reader], { telling: "quietly" });
  await hub.db
    .updateTable("item")
    .set({ item_unseen: 0 })
    .where("parent", "=", copy)
    .where("item_unseen", "=", 1)
    .execute();
}

function findTop(hub: Hub, id: number): Promise<Item | undefined> {
  return selectItems(hub)
    .where("item.id", "=", id)
    .where("item.item_normal", "=", yes)
    .where("item.item_private", "=", no)
    .executeTakeFirst();
}
