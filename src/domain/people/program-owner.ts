import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { channelSettings } from "../identity/channels/channel-settings.ts";
import type { Channel } from "../identity/channels/channel.ts";

/**
 * To whom a program belongs: another channel of its account that is a person, and is shown in the directory; of several the oldest
 * (federation contract 1.2). Its nick.
 */
export async function ownerOfProgram(
  hub: Hub,
  { channel_id, channel_account_id }: Channel,
): Promise<string | undefined> {
  const { cat, k } = channelSettings.kind;
  const row = await hub.db
    .selectFrom("channel")
    .innerJoin("xchan", "xchan.xchan_hash", "channel.channel_hash")
    .leftJoin("config", (join) =>
      join
        .onRef("config.uid", "=", "channel.channel_id")
        .on("config.cat", "=", sql.lit(cat))
        .on("config.k", "=", sql.lit(k)),
    )
    .select("channel_address")
    .where("channel_account_id", "=", channel_account_id)
    .where("channel.channel_id", "<>", channel_id)
    .where("channel_removed", "=", sql.lit(0))
    .where("xchan_hidden", "=", sql.lit(0))
    .where("xchan_pubforum", "=", sql.lit(0))
    .where("xchan_system", "=", sql.lit(0))
    .where((eb) => eb.or([eb("config.v", "is", null), eb("config.v", "=", "person")]))
    .orderBy("channel.channel_id")
    .executeTakeFirst();
  return row?.channel_address;
}
