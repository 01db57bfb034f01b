import { sql } from "kysely";
import { remembered } from "../../storage/remembered.ts";
import { isOneOf } from "../../storage/sql.ts";
import { isReading, limits, permissionNames } from "../identity/roles.ts";
import type { PermissionName } from "../identity/roles.ts";
import type { Channel, Observer } from "../identity/channel.ts";
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

/** Rule 6 of native contract 3.4, for a caller who is the channel itself: no query is needed for that. */
export function ownerMay(channel: Pick<Channel, "channel_moved">, permission: PermissionName): boolean {
  return isReading(permission) || channel.channel_moved === "";
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

/**
 * Those of these channels that allow the observer each of these. Most allow it to everybody, which one narrow query finds
 * out, if it is not known already; the rules in full are asked for the rest only.
 */
export async function channelsAllowing<Name extends PermissionName>(
  hub: Hub,
  observer: Observer,
  permissions: readonly Name[],
  uids: readonly number[],
  known?: readonly Open[],
): Promise<Record<Name, Set<number>>> {
  const open = known ?? (await openToEverybody(hub, observer, permissions, "channel_id", uids));
  const allowing: [Name, Set<number>][] = [];
  for (const permission of permissions) {
    const found = new Set(open.flatMap(({ uid, k }) => (k === permission ? [uid] : [])));
    allowing.push([permission, await addAllowing(hub, observer, permission, uids, found)]);
  }
  return Object.fromEntries(allowing) as Record<Name, Set<number>>;
}

async function addAllowing(
  hub: Hub,
  observer: Observer,
  permission: PermissionName,
  uids: readonly number[],
  open: Set<number>,
): Promise<Set<number>> {
  const rest = uids.filter((uid) => !open.has(uid));
  if (rest.length === 0) return open;
  const rows = await hub.db
    .selectFrom("channel")
    .select("channel_id")
    .where(isOneOf(hub.engine, sql.ref("channel_id"), rest))
    .where(await allowed(hub, someone(observer), permission, sql.ref<number>("channel.channel_id")))
    .execute();
  return new Set([...open, ...rows.map((row) => row.channel_id)]);
}

/** A channel that allows something to everybody. */
export type Open = { uid: number; k: string };

/**
 * Rules 1, 2 and 7 for somebody identified who wants to read, for channels by their own ids or by those of the people whom
 * they stand for. Whoever knows only these can ask together with what else they want to know of them.
 */
export async function openToEverybody(
  hub: Hub,
  observer: Observer,
  permissions: readonly PermissionName[],
  by: "channel_id" | "xchan_id",
  ids: readonly number[],
): Promise<Open[]> {
  const names = permissions.filter(isReading);
  if (!observer || observer.guestOf !== undefined || names.length === 0 || ids.length === 0) return [];
  const name = `channels open to everybody by ${by}: ${names.join(" ")}`;
  return remembered(hub, name, { ids, who: observer.hash }, (slots) =>
    hub.db
      .selectFrom("xchan")
      .innerJoin("channel", "channel_hash", "xchan_hash")
      .innerJoin("config", "uid", "channel_id")
      .leftJoin("abook", (join) => join.onRef("abook_channel", "=", "channel_id").on("abook_xchan", "=", slots.who))
      .select(["uid", "k"])
      .where(isOneOf(hub.engine, sql.ref(by), slots.ids))
      .where("cat", "=", "perm_limits")
      .where("k", "in", names)
      .where("v", "=", String(limits.public))
      .where("channel_removed", "=", 0)
      .where((x) => x.or([x("abook_blocked", "is", null), x("abook_blocked", "=", 0)])),
  );
}
