import { sql } from "kysely";
import type { Expression, RawBuilder, SqlBool } from "kysely";
import { compiled } from "../../storage/compiled-query.ts";
import { asFlag, isOneOf } from "../../storage/sql.ts";
import { isReading, permissionBits, permissionNames } from "../identity/channels/roles.ts";
import type { PermissionName } from "../identity/channels/roles.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { identityOf, isNobody, strangerOf } from "../identity/channels/observer.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { certain } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { recordOf } from "../../record-of.ts";
import { allowed, allowedTo } from "./allowed.ts";

/** May the observer do this with the channel? (native contract 3.4) */
export async function may(hub: Hub, observer: Observer, permission: PermissionName, uid: number): Promise<boolean> {
  return (await permissionsAmong(hub, observer, uid, [permission]))[permission];
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
  const row = await answersOf(hub, observer, uid, names);
  return recordOf(names, (name) => row[name] === 1);
}

/** For channels of this hub and for strangers, who ask most, the statement is compiled once. */
async function answersOf(
  hub: Hub,
  observer: Observer,
  uid: number,
  names: readonly PermissionName[],
): Promise<Record<string, number>> {
  const asking = (conditionOf: (name: PermissionName) => RawBuilder<SqlBool>) =>
    hub.db.selectNoFrom(names.map((name) => asFlag(conditionOf(name)).as<string>(name)));
  const statement = `permissions: ${names.join(" ")}`;
  const { hash, channelId } = observer;
  const rows = isNobody(observer)
    ? await compiled(hub, `${statement}, for ${strangerOf(observer)}`, { uid }, (slots) =>
        asking((name) => allowed(observer, name, slots.uid)),
      )
    : channelId > 0
      ? await compiled(hub, statement, { uid, hash, channelId }, (slots) =>
          asking((name) => allowedTo({ ...slots, native: true }, name, slots.uid)),
        )
      : await asking((name) => allowed(observer, name, uid)).execute();
  return certain(rows[0], "permissions");
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
  const channels = known ?? (await openChannels(hub, observer, uids));
  const allowing: [Name, Set<number>][] = [];
  for (const permission of permissions) {
    const found = new Set(channels.flatMap(({ uid, open }) => (isOpen(open, permission) ? [uid] : [])));
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
    .where(allowed(observer, permission, sql.ref<number>("channel.channel_id")))
    .execute();
  return new Set([...open, ...rows.map((row) => row.channel_id)]);
}

/** What a channel allows to everybody, as `openToEverybody` has it. */
export type Open = { uid: number; open: number };

/**
 * Rules 1, 2 and 7 for somebody who wants to read (`asksAs`), as a column of a query with `channel`: what it lets everybody read, without
 * those whom it has blocked. What has no bit is left to the rules in full.
 */
export function openToEverybody(who: Expression<string>): RawBuilder<number> {
  const uid = sql.ref<number>("channel.channel_id");
  return sql<number>`case when ${hasBlocked(uid, who)} then 0 else channel.channel_open end`;
}

/** Is this permission among those that `channel_open` has? */
export function isOpen(open: number, permission: PermissionName): boolean {
  return (open & permissionBits[permission]) !== 0;
}

/** Has the channel blocked them? */
function hasBlocked(uid: Expression<number>, who: Expression<string>): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select 1 from abook ob where ob.abook_channel = ${uid} and ob.abook_xchan = ${who}
      and ob.abook_blocked = 1 limit 1 offset 0)`;
}

/** As whom `openToEverybody` is asked: nobody is blocked, and what is open is for nobody where the site lets them look. */
export function asksAs(observer: Observer): string | undefined {
  return isNobody(observer) && observer.seesPublic ? "" : identityOf(observer);
}

async function openChannels(hub: Hub, observer: Observer, uids: readonly number[]): Promise<Open[]> {
  const who = asksAs(observer);
  if (who === undefined || uids.length === 0) return [];
  return compiled(hub, "channels open to everybody", { uids, who }, (slots) =>
    hub.db
      .selectFrom("channel")
      .select("channel_id as uid")
      .select(openToEverybody(slots.who).as("open"))
      .where(isOneOf(hub.engine, sql.ref("channel_id"), slots.uids))
      .where("channel_removed", "=", sql.lit(0)),
  );
}
