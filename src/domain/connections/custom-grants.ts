import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { setConfigs } from "../identity/channels/channel-config.ts";
import { roleOf, setRole } from "../identity/channels/channel-role.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { setPermissionLimits } from "../identity/channels/permission-limits.ts";
import type { PermissionLimits } from "../identity/channels/permission-limits.ts";
import { grantRecord } from "../identity/channels/roles.ts";
import type { PermissionName } from "../identity/channels/roles.ts";
import { changeChannelSettings, families } from "../identity/channels/channel-settings.ts";
import { grantsFor, writeGrantRows } from "./grants.ts";

export type OwnRules = {
  limits?: Partial<PermissionLimits>;
  /** What new connections may do. */
  granted?: readonly PermissionName[];
  /** Are requests approved without the owner? */
  autoApprove?: boolean;
  showsOnline?: boolean;
};

/**
 * Sets permissions one by one, which makes the channel a custom one. What is absent stays as it is, also what the role
 * that it had granted new connections.
 */
export async function setOwnRules(hub: Hub, channel: Channel, rules: OwnRules): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const uid = channel.channel_id;
    const granted = rules.granted ? grantRecord(rules.granted) : await grantsFor(hub, channel);
    if ((await roleOf(hub, uid)) !== "custom") await setRole(hub, channel, "custom");
    if (rules.limits) await setPermissionLimits(hub, uid, rules.limits);
    await writeGrantRows(hub, uid, channel.channel_hash, granted);
    await setConfigs(hub, uid, families.grants, granted);
    await changeChannelSettings(hub, uid, { autoApprove: rules.autoApprove, showsOnline: rules.showsOnline });
  });
}
