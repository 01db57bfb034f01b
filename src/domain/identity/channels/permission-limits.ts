import { refusal } from "../../../errors.ts";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { recordOf } from "../../../record-of.ts";
import { recordAppearance } from "../xchans/appearance.ts";
import { getConfigs, setConfigs } from "./channel-config.ts";
import { families } from "./channel-settings.ts";
import { isReading, limits, permissionNames } from "./roles.ts";
import type { PermissionName } from "./roles.ts";

/** For each permission, how far the circle of those who have it reaches (native contract 3.2). */
export type PermissionLimits = Record<PermissionName, number>;

/** The limits that the owner may choose for a permission, the narrowest first. */
export function choicesFor(permission: PermissionName): number[] {
  const all = [
    limits.self,
    limits.specific,
    limits.contacts,
    limits.anyConnections,
    limits.site,
    limits.network,
    limits.authenticated,
  ];
  return isReading(permission) ? [...all, limits.public] : all;
}

/** A limit from elsewhere: what is too wide for a write permission becomes the widest, what is unknown the narrowest. */
export function readLimit(permission: PermissionName, number: number): number {
  if (choicesFor(permission).includes(number)) return number;
  return number === limits.public ? limits.authenticated : limits.self;
}

/** All limits of a channel; what is not set is for the channel alone. */
export async function permissionLimitsOf(hub: Hub, uid: number): Promise<PermissionLimits> {
  const found = await getConfigs(hub, uid, families.limits);
  return recordOf(permissionNames, (name) => Number(found.get(name) ?? 0));
}

/** Sets limits one by one. Throws invalid for one that the permission cannot have. */
export async function setPermissionLimits(hub: Hub, uid: number, changes: Partial<PermissionLimits>): Promise<void> {
  for (const [name, limit] of Object.entries(changes) as [PermissionName, number][]) {
    if (!choicesFor(name).includes(limit)) {
      throw refusal("limit_too_wide", { field: `limit_${name}` });
    }
  }
  if (Object.keys(changes).length === 0) return;
  await inTransaction(hub, async (hub) => {
    await setConfigs(hub, uid, families.limits, changes);
    await recordAppearance(hub, uid);
  });
}
