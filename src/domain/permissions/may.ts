import { sql } from "kysely";
import { permissionNames } from "../identity/roles.ts";
import type { PermissionName } from "../identity/roles.ts";
import type { Observer } from "../identity/channel.ts";
import type { Hub } from "../../hub.ts";
import { allowed, someone } from "./allowed.ts";

/** May the observer do this with the channel? (native contract 3.4) */
export async function may(hub: Hub, observer: Observer, permission: PermissionName, uid: number): Promise<boolean> {
  const condition = await allowed(hub, someone(observer), permission, uid);
  const row = await hub.db
    .selectNoFrom(sql<number>`case when ${condition} then 1 else 0 end`.as("yes"))
    .executeTakeFirstOrThrow();
  return row.yes === 1;
}

/** All permissions of the observer with the channel, in the order of native contract 3.1, in one query. */
export async function permissionsOf(
  hub: Hub,
  observer: Observer,
  uid: number,
): Promise<Record<PermissionName, boolean>> {
  return permissionsAmong(hub, observer, uid, permissionNames);
}

/** The same for these permissions alone: a page asks for the few that it needs. */
export async function permissionsAmong<Name extends PermissionName>(
  hub: Hub,
  observer: Observer,
  uid: number,
  names: readonly Name[],
): Promise<Record<Name, boolean>> {
  const columns = await Promise.all(
    names.map(async (name) => {
      const condition = await allowed(hub, someone(observer), name, uid);
      return sql<number>`case when ${condition} then 1 else 0 end`.as<string>(name);
    }),
  );
  const row = await hub.db.selectNoFrom(columns).executeTakeFirstOrThrow();
  return Object.fromEntries(names.map((name) => [name, row[name] === 1])) as Record<Name, boolean>;
}
