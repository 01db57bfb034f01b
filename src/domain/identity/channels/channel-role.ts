import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { formatList } from "../records/access-list.ts";
import type { Channel } from "./channel.ts";
import { getConfig, setConfigs } from "./channel-config.ts";
import { addCustomGrants } from "./channel-rows.ts";
import { readRole } from "./channel-fields.ts";
import { changeChannelSettings, channelSetting, families } from "./channel-settings.ts";
import { friendsGroup } from "./friends-group.ts";
import { roles } from "./roles.ts";
import type { PermissionName, RoleName } from "./roles.ts";

type Subject = Pick<Channel, "channel_id" | "channel_hash">;

/** Gives the channel another role: limits, default audience, directory and online flags follow. */
export async function setRole(hub: Hub, channel: Subject, role: RoleName): Promise<void> {
  readRole(role);
  await inTransaction(hub, async (hub) => {
    // A custom channel keeps what it has until the owner changes it.
    if (role === "custom") {
      await changeChannelSettings(hub, channel.channel_id, { role });
      await addCustomGrants(hub, channel.channel_id, channel.channel_hash);
    } else await applyRole(hub, channel, role);
  });
}

/** The role of a channel. */
export async function roleOf(hub: Hub, uid: number): Promise<RoleName> {
  return channelSetting(hub, uid, "role");
}

/** How far the permission reaches: a number of `limits`; what has no limit is for the channel alone. */
export async function limitOf(hub: Hub, uid: number, permission: PermissionName): Promise<number> {
  return Number((await getConfig(hub, uid, families.limits, permission)) ?? 0);
}

/** Writes what the role says; part of a transaction. */
export async function applyRole(hub: Hub, { channel_id: uid, channel_hash }: Subject, name: RoleName): Promise<void> {
  const role = roles[name];
  await changeChannelSettings(hub, uid, { role: name, showsOnline: role.showsOnline });
  await setConfigs(hub, uid, families.limits, role.limits);
  const audience = role.audienceFriends ? formatList([await friendsGroup(hub, uid, channel_hash)]) : "";
  await hub.db.updateTable("channel").set({ channel_allow_gid: audience }).where("channel_id", "=", uid).execute();
  await hub.db
    .updateTable("profile")
    .set({ publish: role.inDirectory ? 1 : 0 })
    .where("uid", "=", uid)
    .where("is_default", "=", 1)
    .execute();
  await hub.db
    .updateTable("xchan")
    .set({ xchan_hidden: role.inDirectory ? 0 : 1, xchan_pubforum: role.forum ? 1 : 0 })
    .where("xchan_hash", "=", channel_hash)
    .execute();
}
