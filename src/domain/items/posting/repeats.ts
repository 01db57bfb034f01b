import { sql } from "kysely";
import { refusal } from "../../../errors.ts";
import { momentIn } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import type { Channel } from "../../identity/channels/channel.ts";

const twoMinutes = 120 * 1000;

/** How many of the newest items of the stream are looked at. */
const compared = 200;

/**
 * Refuses a text that the author has just written in this channel's stream, for authors who want that. Throws conflict.
 */
export async function refuseRepeat(hub: Hub, author: Channel, uid: number, body: string): Promise<void> {
  const latest = hub.db
    .selectFrom("item")
    .select(["message_id", "author_id", "received"])
    .where("uid", "=", uid)
    .where("item_normal", "=", sql.lit(1))
    .where("item_notshown", "=", sql.lit(0))
    .orderBy("id", "desc")
    .limit(compared);
  const repeated = await hub.db
    .selectFrom(latest.as("latest"))
    .innerJoin("message", "message.id", "latest.message_id")
    .select("message.id")
    .where("latest.author_id", "=", author.xchan_id)
    .where("latest.received", ">", momentIn(hub, -twoMinutes))
    .where("message.body", "=", body)
    .executeTakeFirst();
  if (repeated) throw refusal("repeated");
}
