import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { observerOf } from "../identity/channels/observer.ts";
import type { Channel } from "../identity/channels/channel.ts";
import type { Person } from "../connections/connections.ts";
import { allowed } from "../permissions/allowed.ts";

/** Connections of the channel that take messages from it, and those of other hubs, by name; at most `most`. */
export async function listRecipients(hub: Hub, channel: Channel, most = 1000): Promise<Person[]> {
  const takesMail = allowed(observerOf(channel), "post_mail", sql.ref<number>("channel.channel_id"));
  return hub.db
    .selectFrom("abook")
    .innerJoin("xchan", "xchan_hash", "abook_xchan")
    .leftJoin("channel", "channel_hash", "abook_xchan")
    .leftJoin("actor", "actor.xchan_id", "xchan.xchan_id")
    .select(["abook_id", "xchan_hash", "xchan_name", "xchan_addr", "xchan_photo_s"])
    .where("abook_channel", "=", channel.channel_id)
    .where("abook_self", "=", 0)
    .where("abook_blocked", "=", 0)
    .where("abook_unconnected", "=", 0)
    .where("abook_archived", "=", 0)
    .where((x) =>
      x.or([
        x.and([x("channel_removed", "=", 0), takesMail]),
        x.and([x("actor.id", ">", 0), x("xchan_deleted", "=", 0)]),
      ]),
    )
    .orderBy("xchan_name")
    .orderBy("abook_id")
    .limit(most)
    .execute();
}
