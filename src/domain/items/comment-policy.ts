import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { channelSettings, moderation } from "../identity/channels/channel-settings.ts";

/** How the owner of a thread takes what somebody writes in it, and how the writer wants to be kept from repeating. */
export type CommentPolicy = {
  /** The owner has blocked the writer, or ignores them. */
  unwelcome: boolean;
  /** Texts wait until the owner lets them in. */
  held: boolean;
  /** The writer wants no text twice within two minutes. */
  refusesRepeats: boolean;
};

/** Looks up everything that decides about an answer in one query. */
export async function commentPolicyOf(hub: Hub, ownerUid: number, writer: Channel): Promise<CommentPolicy> {
  const row = await hub.db
    .selectFrom("xchan")
    .leftJoin("abook", (join) =>
      join.onRef("abook.abook_xchan", "=", "xchan.xchan_hash").on("abook.abook_channel", "=", ownerUid),
    )
    .select(["abook_blocked", "abook_ignored", "abook_pending"])
    .select((x) => [
      x
        .selectFrom("config")
        .select("v")
        .where("uid", "=", ownerUid)
        .where("cat", "=", channelSettings.moderation.cat)
        .where("k", "=", channelSettings.moderation.k)
        .as("moderated"),
      x
        .selectFrom("config")
        .select("v")
        .where("uid", "=", writer.channel_id)
        .where("cat", "=", channelSettings.refusesRepeats.cat)
        .where("k", "=", channelSettings.refusesRepeats.k)
        .as("repeats"),
    ])
    .where("xchan.xchan_id", "=", writer.xchan_id)
    .executeTakeFirst();
  const own = ownerUid === writer.channel_id;
  const known = row?.abook_pending === 0;
  return {
    unwelcome: row?.abook_blocked === 1 || row?.abook_ignored === 1,
    held: !own && (row?.moderated === moderation.everybody || (row?.moderated === moderation.strangers && !known)),
    refusesRepeats: row?.repeats === "1",
  };
}
