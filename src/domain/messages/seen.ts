import { sql } from "kysely";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { emitToChannels } from "../live/emit.ts";
import { markMailsSeen } from "../notifications/seen.ts";
import { findMessage } from "./list.ts";
import type { Mail } from "./types.ts";

/** Marks one of the channel's messages as read or as unread. Throws missing. */
export async function setMessageSeen(hub: Hub, channel: Channel, id: number, seen: boolean): Promise<Mail> {
  return inTransaction(hub, async (hub) => {
    const mail = await findMessage(hub, channel, id);
    if (seen) await markMessagesSeen(hub, channel, [mail]);
    else if (mail.from_xchan !== channel.channel_hash) {
      await hub.db.updateTable("mail").set({ mail_seen: 0 }).where("id", "=", mail.id).execute();
      await emitToChannels(hub, "messages", [channel.channel_id]);
    }
    return findMessage(hub, channel, id);
  });
}

/** Marks those of these messages of the channel as read that were not, and what was told of them. */
export async function markMessagesSeen(hub: Hub, channel: Channel, messages: readonly Mail[]): Promise<void> {
  const ids = messages.filter((mail) => mail.mail_seen === 0).map((mail) => mail.id);
  if (ids.length === 0) return;
  await inTransaction(hub, async (hub) => {
    await hub.db
      .updateTable("mail")
      .set({ mail_seen: 1 })
      .where("channel_id", "=", channel.channel_id)
      .where(isOneOf(hub.engine, sql.ref("id"), ids))
      .execute();
    await markMailsSeen(hub, channel.channel_id, ids);
    await emitToChannels(hub, "messages", [channel.channel_id]);
  });
}
