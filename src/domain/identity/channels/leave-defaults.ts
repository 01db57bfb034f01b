import type { Hub } from "../../../hub.ts";
import { formatList, parseList } from "../records/access-list.ts";

/**
 * Takes a group out of the channel's default audience and out of its place for new connections. An audience that loses
 * its last name becomes the channel alone: empty lists would mean everybody.
 */
export async function leaveDefaults(hub: Hub, uid: number, hash: string): Promise<void> {
  const channel = await hub.db
    .selectFrom("channel")
    .select(["channel_hash", "channel_default_group", "channel_allow_cid", "channel_allow_gid", "channel_deny_gid"])
    .where("channel_id", "=", uid)
    .executeTakeFirstOrThrow();
  const without = (list: string): string => formatList(parseList(list).filter((other) => other !== hash));
  const groups = without(channel.channel_allow_gid);
  const emptied = channel.channel_allow_gid !== "" && groups === "" && channel.channel_allow_cid === "";
  await hub.db
    .updateTable("channel")
    .set({
      channel_default_group: channel.channel_default_group === hash ? "" : channel.channel_default_group,
      channel_allow_cid: emptied ? formatList([channel.channel_hash]) : channel.channel_allow_cid,
      channel_allow_gid: groups,
      channel_deny_gid: without(channel.channel_deny_gid),
    })
    .where("channel_id", "=", uid)
    .execute();
}
