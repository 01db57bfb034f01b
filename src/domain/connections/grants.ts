import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { getConfigs } from "../identity/channels/channel-config.ts";
import { roleOf } from "../identity/channels/channel-role.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { defaultSet } from "../identity/channels/permission-sets.ts";
import { grantRecord, permissionNames, roles } from "../identity/channels/roles.ts";
import type { PermissionName } from "../identity/channels/roles.ts";
import { channelSetting, families } from "../identity/channels/channel-settings.ts";

type Owner = Pick<Channel, "channel_id" | "channel_hash">;

/** What the channel grants a connection from its approval on (native contract 3.3, last point). */
export async function grantsFor(
  hub: Hub,
  { channel_id: uid, channel_hash }: Owner,
): Promise<Record<PermissionName, 0 | 1>> {
  const set = await defaultSet(hub, uid);
  if (set) return grantRecord(set.granted);
  const { grants } = roles[await roleOf(hub, uid)];
  if (grants) return grantRecord(grants);
  if (await channelSetting(hub, uid, "autoApprove"))
    return grantRecord(granted(await getConfigs(hub, uid, families.grants)));
  return grantRecord(granted(await ownRows(hub, uid, channel_hash)));
}

/** Are requests approved without the owner? By the role, or for a custom channel by its own setting. */
export async function approvesByItself(hub: Hub, uid: number): Promise<boolean> {
  const role = await roleOf(hub, uid);
  return role === "custom" ? channelSetting(hub, uid, "autoApprove") : roles[role].autoApprove;
}

/** Gives a connection what every new one gets; part of a transaction. */
export async function writeGrants(hub: Hub, owner: Owner, xchan: string): Promise<void> {
  await writeGrantRows(hub, owner.channel_id, xchan, await grantsFor(hub, owner));
}

/** Writes all 18 grants of an identity, or those that it has given; part of a transaction. */
export async function writeGrantRows(
  hub: Hub,
  uid: number,
  xchan: string,
  grants: Record<PermissionName, 0 | 1>,
  cat: "my_perms" | "their_perms" = "my_perms",
): Promise<void> {
  await hub.db
    .insertInto("abconfig")
    .values(permissionNames.map((k) => ({ chan: uid, xchan, cat, k, v: String(grants[k]) })))
    .onConflict((conflict) =>
      conflict.columns(["chan", "xchan", "cat", "k"]).doUpdateSet((eb) => ({ v: eb.ref("excluded.v") })),
    )
    .execute();
}

/** What one channel of this hub grants the other becomes what the other knows of it. */
export async function shareGrants(hub: Hub, from: Owner, to: Owner): Promise<void> {
  await hub.db
    .insertInto("abconfig")
    .columns(["chan", "xchan", "cat", "k", "v"])
    .expression((eb) =>
      eb
        .selectFrom("abconfig")
        .select([
          sql<number>`cast(${to.channel_id} as bigint)`.as("chan"),
          sql<string>`cast(${from.channel_hash} as text)`.as("xchan"),
          sql.lit("their_perms").as("cat"),
          "k",
          "v",
        ])
        .where("chan", "=", from.channel_id)
        .where("xchan", "=", to.channel_hash)
        .where("cat", "=", "my_perms"),
    )
    .onConflict((conflict) =>
      conflict.columns(["chan", "xchan", "cat", "k"]).doUpdateSet((eb) => ({ v: eb.ref("excluded.v") })),
    )
    .execute();
}

/** The other side grants nothing any more. */
export async function withdrawGrants(hub: Hub, uid: number, xchan: string): Promise<void> {
  await hub.db
    .updateTable("abconfig")
    .set({ v: "0" })
    .where("chan", "=", uid)
    .where("xchan", "=", xchan)
    .where("cat", "=", "their_perms")
    .execute();
}

async function ownRows(hub: Hub, uid: number, hash: string): Promise<Map<string, string>> {
  const rows = await hub.db
    .selectFrom("abconfig")
    .select(["k", "v"])
    .where("chan", "=", uid)
    .where("xchan", "=", hash)
    .where("cat", "=", "my_perms")
    .execute();
  return new Map(rows.map((row) => [row.k, row.v]));
}

function granted(values: Map<string, string>): string[] {
  return [...values].filter(([, v]) => v === "1").map(([k]) => k);
}
