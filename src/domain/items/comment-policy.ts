import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import { unwantedBy } from "../connections/unwanted.ts";
import type { Observer } from "../identity/channels/observer.ts";
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

/** Looks up everything that decides about answers in threads of these owners in one query. */
export async function commentPoliciesOf(
  hub: Hub,
  owners: readonly number[],
  writer: Observer,
): Promise<Map<number, CommentPolicy>> {
  if (owners.length === 0) return new Map();
  const rows = await hub.db
    .selectFrom("channel")
    .leftJoin("abook", (join) =>
      join.onRef("abook.abook_channel", "=", "channel_id").on("abook.abook_xchan", "=", writer.hash),
    )
    .select(["channel_id", "abook_pending"])
    .select((x) => [
      x
        .selectFrom("config")
        .select("v")
        .whereRef("uid", "=", "channel_id")
        .where("cat", "=", channelSettings.moderation.cat)
        .where("k", "=", channelSettings.moderation.k)
        .as("moderated"),
      x
        .selectFrom("config")
        .select("v")
        .where("uid", "=", writer.channelId)
        .where("cat", "=", channelSettings.refusesRepeats.cat)
        .where("k", "=", channelSettings.refusesRepeats.k)
        .as("repeats"),
    ])
    .select(
      sql<number>`case when ${writer.xchanId} in (${unwantedBy(sql.ref("channel_id"))}) then 1 else 0 end`.as(
        "unwanted",
      ),
    )
    .where(isOneOf(hub.engine, sql.ref("channel_id"), owners))
    .execute();
  return new Map(
    rows.map((row) => {
      const own = row.channel_id === writer.channelId;
      const known = row.abook_pending === 0;
      const policy = {
        unwelcome: row.unwanted === 1,
        held: !own && (row.moderated === moderation.everybody || (row.moderated === moderation.strangers && !known)),
        refusesRepeats: row.repeats === "1",
      };
      return [row.channel_id, policy];
    }),
  );
}
