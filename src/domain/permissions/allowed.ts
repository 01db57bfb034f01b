import { sql } from "kysely";
import type { Expression, RawBuilder, SqlBool } from "kysely";
import { isReading, limits } from "../identity/channels/roles.ts";
import type { PermissionName } from "../identity/channels/roles.ts";
import { actorIdIn, identityOf, isGuest } from "../identity/channels/observer.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { blocksHost, blocksHostOf } from "../connections/blocked-hosts.ts";
import { isLimitOf } from "../identity/channels/channel-settings.ts";

/** An observer as a query has it: hash and channel may be columns of it, or come when the statement runs. */
export type QueriedObserver = Pick<Observer, "native"> & {
  hash: Expression<string> | string;
  channelId: Expression<number> | number;
  /** Of somebody of elsewhere whose hash comes when the statement runs: their host, with its port and without. */
  at?: { host: Expression<string>; hostname: Expression<string> };
};

/**
 * `allowed(channel, observer, permission)` of native contract 3.4 as a condition: the one place where it is decided.
 * `uid` is the channel's id, a value or a column of the query around it.
 */
export function allowed(
  observer: Observer,
  permission: PermissionName,
  uid: Expression<number> | number,
): RawBuilder<SqlBool> {
  if (identityOf(observer) !== undefined) return allowedTo(observer, permission, uid);
  const asNobody = observer.seesPublic ? allowedToAnybody(permission, uid) : sql<SqlBool>`1 = 0`;
  if (!isGuest(observer)) return asNobody;
  return sql<SqlBool>`(case when ${uid} = ${observer.guestOf} then ${allowedToGuest(observer, permission, uid)} else ${asNobody} end)`;
}

/** A guest of this very channel: rules 3, 7, 12, 14 and 15. No connection, no channel, no network. */
function allowedToGuest(
  who: Observer,
  permission: PermissionName,
  uid: Expression<number> | number,
): RawBuilder<SqlBool> {
  const open = [limit("public"), limit("authenticated"), limit("anyConnections")];
  return sql<SqlBool>`exists (select 1 from channel pc
    join config pl on pl.uid = pc.channel_id and ${isLimitOf("pl", permission)}
    where pc.channel_id = ${uid} and pc.channel_removed = 0 and ${stays(permission)} and (pl.v in (${sql.join(open)})
      or (pl.v = ${limit("specific")} and ${granted(who, permission)})))`;
}

/** Rule 15: the channel of the row `pc` has granted it. */
function granted(who: Pick<QueriedObserver, "hash">, permission: PermissionName): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select 1 from abconfig pg
    where pg.chan = pc.channel_id and pg.xchan = ${who.hash} and pg.cat = 'my_perms'
    and pg.k = ${sql.lit(permission)} and pg.v = '1')`;
}

/** Rules 5, 7 and 8: without an identity only what is open to the public. */
function allowedToAnybody(permission: PermissionName, uid: Expression<number> | number): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select 1 from channel pc
    join config pl on pl.uid = pc.channel_id and ${isLimitOf("pl", permission)}
    where pc.channel_id = ${uid} and pc.channel_removed = 0 and ${stays(permission)}
      and pl.v = ${limit("public")})`;
}

/** Was it open to the public, now that the channel may be gone? */
export function wasOpen(permission: PermissionName, uid: Expression<number> | number): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select 1 from config pl where pl.uid = ${uid} and ${isLimitOf("pl", permission)}
    and pl.v = ${limit("public")})`;
}

/** The same for somebody with an identity, who may differ from row to row; the site's own rules do not depend on it. */
export function allowedTo(
  who: QueriedObserver,
  permission: PermissionName,
  uid: Expression<number> | number,
): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (${channelAllowing(who, permission, uid)})`;
}

/**
 * The same where few rows are looked at, one after the other: PostgreSQL would else find out about all channels first. The
 * offset keeps it from that.
 */
export function allowedRowByRow(
  who: QueriedObserver,
  permission: PermissionName,
  uid: Expression<number> | number,
): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (${channelAllowing(who, permission, uid)} limit 1 offset 0)`;
}

function channelAllowing(
  who: QueriedObserver,
  permission: PermissionName,
  uid: Expression<number> | number,
): RawBuilder<unknown> {
  const reads = isReading(permission);
  // Rules 4 and 6: who is ignored changes nothing; a channel that has moved away is read-only for everybody.
  const heeded = reads ? sql`1 = 1` : sql`coalesce(pa.abook_ignored, 0) = 0`;
  const open = [limit("public"), limit("authenticated")];
  if (who.native) open.push(limit("network"));
  if (who.channelId !== 0) open.push(limit("site"));
  return sql`select 1 from channel pc
    left join config pl on pl.uid = pc.channel_id and ${isLimitOf("pl", permission)}
    left join abook pa on pa.abook_channel = pc.channel_id and pa.abook_xchan = ${who.hash}
    where pc.channel_id = ${uid} and pc.channel_removed = 0 and coalesce(pa.abook_blocked, 0) = 0${ofBlockedHost(who)}
    and ${stays(permission)} and case when pc.channel_hash = ${who.hash} then 1 = 1 else ${heeded} and (
      pl.v in (${sql.join(open)})
      or (pl.v = ${limit("anyConnections")} and pa.abook_unconnected = 0)
      or (pl.v = ${limit("contacts")} and pa.abook_pending = 0 and pa.abook_unconnected = 0)
      or (pl.v = ${limit("specific")} and coalesce(pa.abook_pending, 0) = 0 and ${granted(who, permission)})
    ) end`;
}

/** Whoever is of a host that the channel has blocked is blocked. */
function ofBlockedHost({ hash, at }: QueriedObserver): RawBuilder<unknown> {
  if (at) return sql` and not ${blocksHost(sql.ref("pc.channel_id"), at)}`;
  const actor = typeof hash === "string" ? actorIdIn(hash) : undefined;
  return actor === undefined ? sql`` : sql` and not ${blocksHostOf(sql.ref("pc.channel_id"), actor)}`;
}

/** Nobody changes anything about a channel that has moved away. */
function stays(permission: PermissionName): RawBuilder<SqlBool> {
  return isReading(permission) ? sql`1 = 1` : sql`pc.channel_moved = ''`;
}

/** Limits are kept as text in the channel's config. */
function limit(name: keyof typeof limits): RawBuilder<string> {
  return sql.lit(String(limits[name]));
}
