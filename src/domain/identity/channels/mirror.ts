import { now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { recordAppearance } from "../xchans/appearance.ts";
import type { Channel } from "./channel.ts";

/** A channel's name stands in three tables; this writes all of them, as part of a transaction. */
export async function mirrorName(
  hub: Hub,
  channel: Pick<Channel, "channel_id" | "channel_hash">,
  name: string,
): Promise<void> {
  await hub.db
    .updateTable("channel")
    .set({ channel_name: name })
    .where("channel_id", "=", channel.channel_id)
    .execute();
  await hub.db
    .updateTable("profile")
    .set({ fullname: name })
    .where("uid", "=", channel.channel_id)
    .where("is_default", "=", 1)
    .execute();
  await hub.db
    .updateTable("xchan")
    .set({ xchan_name: name, xchan_name_date: now(hub) })
    .where("xchan_hash", "=", channel.channel_hash)
    .where("xchan_name", "!=", name)
    .execute();
  await recordAppearance(hub, channel.channel_id);
}
