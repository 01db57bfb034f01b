import { missing, refusal } from "../../../errors.ts";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { getConfig, getConfigs, removeConfig, setConfig } from "./channel-config.ts";
import { readComposite, writeComposite } from "../records/composite.ts";
import { changeChannelSettings, channelSetting, channelSettings, families } from "./channel-settings.ts";
import { permissionNames } from "./roles.ts";
import type { PermissionName } from "./roles.ts";

/** A named set of grants (config family `permcat`). */
export type PermissionSet = { name: string; granted: PermissionName[] };

const longestName = 64;

/** The channel's sets by name; a value that cannot be read is left out. */
export async function listPermissionSets(hub: Hub, uid: number): Promise<PermissionSet[]> {
  const rows = [...(await getConfigs(hub, uid, families.sets))];
  const sets = rows.flatMap(([name, v]) => {
    const granted = readSet(v);
    return granted ? [{ name, granted }] : [];
  });
  return sets.toSorted((one, other) => one.name.localeCompare(other.name, "en"));
}

/** One set of the channel. */
export async function findPermissionSet(hub: Hub, uid: number, name: string): Promise<PermissionSet | undefined> {
  const v = await getConfig(hub, uid, families.sets, name);
  const granted = v === undefined ? undefined : readSet(v);
  return granted && { name, granted };
}

/** What new connections get instead of the role's list, if the owner chose a set for that. */
export async function defaultSet(hub: Hub, uid: number): Promise<PermissionSet | undefined> {
  const name = await channelSetting(hub, uid, "defaultSet");
  return name ? findPermissionSet(hub, uid, name) : undefined;
}

/**
 * Makes or replaces a set; connections that it was applied to keep what they have. `isDefault` says whether new connections
 * get it from now on; left out, that stays as it is.
 */
export async function savePermissionSet(hub: Hub, uid: number, set: PermissionSet, isDefault?: boolean): Promise<void> {
  const name = set.name.trim();
  if (name === "" || [...name].length > longestName) {
    throw refusal("set_name_wrong", { most: longestName });
  }
  const granted = writeComposite(permissionNames.filter((one) => set.granted.includes(one)));
  await inTransaction(hub, async (hub) => {
    await setConfig(hub, uid, families.sets, name, granted);
    if (isDefault === undefined) return;
    const wasDefault = (await channelSetting(hub, uid, "defaultSet")) === name;
    if (wasDefault !== isDefault) await setDefaultSet(hub, uid, isDefault ? name : "");
  });
}

/** Deletes a set; new connections do not get it any more. */
export async function deletePermissionSet(hub: Hub, uid: number, name: string): Promise<void> {
  await inTransaction(hub, async (hub) => {
    if (!(await findPermissionSet(hub, uid, name))) throw missing("Permission set");
    await removeConfig(hub, uid, families.sets, name);
    if ((await channelSetting(hub, uid, "defaultSet")) === name) await setDefaultSet(hub, uid, "");
  });
}

/** Chooses the set that new connections get; empty for what the role says. */
export async function setDefaultSet(hub: Hub, uid: number, name: string): Promise<void> {
  if (name === "") return removeConfig(hub, uid, channelSettings.defaultSet.cat, channelSettings.defaultSet.k);
  if (!(await findPermissionSet(hub, uid, name))) {
    throw refusal("no_such_set");
  }
  await changeChannelSettings(hub, uid, { defaultSet: name });
}

/** A list of names, or names with 1 or 0, as other hubs have it. */
function readSet(v: string): PermissionName[] | undefined {
  const value = readComposite(v);
  if (typeof value !== "object" || value === null) return undefined;
  const names = Array.isArray(value)
    ? value
    : Object.entries(value).flatMap(([name, on]) => (Number(on) === 1 ? [name] : []));
  return permissionNames.filter((name) => names.includes(name));
}
