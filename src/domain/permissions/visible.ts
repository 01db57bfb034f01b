import { sql } from "kysely";
import type { CompiledQuery, Expression, RawBuilder, SqlBool } from "kysely";
import { listNames } from "../identity/records/access-list.ts";
import type { PermissionName } from "../identity/channels/roles.ts";
import { blocksHost, blocksHostOf } from "../connections/blocked-hosts.ts";
import { actorIdOf, isGuest, isNobody, strangerOf } from "../identity/channels/observer.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { comparableId } from "../identity/xchans/foreign-ids.ts";
import type { Hub } from "../../hub.ts";
import { compiled } from "../../storage/compiled-query.ts";
import type { Slots, Value } from "../../storage/compiled-query.ts";
import { contains } from "../../storage/sql.ts";
import { allowed, allowedRowByRow, allowedTo } from "./allowed.ts";
import type { QueriedObserver } from "./allowed.ts";

/** A channel of this hub as observer in a compiled query: its values come when the statement runs. */
export type ChannelSlots = { hash: RawBuilder<string>; channelId: RawBuilder<number> };

/**
 * `visibleTo` for any channel of this hub, where rows are looked at one after the other until there are enough. Where the
 * query finds none that are private, it can do without the rules for those: PostgreSQL prepares them all at every run.
 */
export function visibleToChannel(
  hub: Hub,
  { hash, channelId }: ChannelSlots,
  rows: "any" | "none private" = "any",
): RawBuilder<SqlBool> {
  const who = { hash, channelId, native: true };
  const shown = allowedRowByRow(who, "view_stream", sql.ref<number>("item.uid"));
  const addressed = rows === "any" ? addressedTo(hub, who) : sql<SqlBool>`item.item_private = 0`;
  const others = sql<SqlBool>`(${shownBy("view_stream")} and ${addressed} and ${shown})`;
  return sql<SqlBool>`(item.uid = ${channelId} or ${others})`;
}

/** Somebody of elsewhere whom the hub has met, in a compiled query: these values come when the statement runs. */
export type ActorValues = { xchanId: number; hash: string; actor: string; host: string; hostname: string };

/**
 * The rows of a statement that the observer may see; `build` gets the condition. For channels of this hub and for strangers, who ask
 * most, it is compiled once; for everybody else it is built anew.
 */
export async function rowsSeen<Values extends Record<string, Value | undefined>, Row>(
  hub: Hub,
  observer: Observer,
  name: string,
  values: Values,
  build: (given: Given<Values>, seen: RawBuilder<SqlBool>) => AnySelect<Row>,
): Promise<Row[]> {
  const { channelId, hash } = observer;
  if (channelId > 0)
    return compiled(hub, name, { ...values, channelId, hash }, (slots) => build(slots, visibleToChannel(hub, slots)));
  const built = (given: Given<Values>): AnySelect<Row> => build(given, visibleTo(hub, observer));
  return isNobody(observer)
    ? compiled(hub, `${name}, for ${strangerOf(observer)}`, values, built)
    : built(values).execute();
}

/** Values of a statement, or their slots. */
type Given<Values> = { [Name in keyof Values]: Values[Name] | RawBuilder<Exclude<Values[Name], undefined>> };

type AnySelect<Row> = { compile(): CompiledQuery<Row>; execute(): Promise<Row[]> };

/** What `visibleToActor` wants to know of the observer; undefined for all others. */
export function actorValues(observer: Observer): ActorValues | undefined {
  const { xchanId, hash } = observer;
  if (xchanId === 0 || actorIdOf(observer) !== hash) return undefined;
  const { host, hostname } = new URL(hash);
  return { xchanId, hash, actor: comparableId(hash), host, hostname };
}

/** `visibleTo` for anybody of elsewhere whom the hub has met. */
export function visibleToActor(hub: Hub, slots: Slots<ActorValues>): RawBuilder<SqlBool> {
  const who = { ...slots, channelId: 0, native: false, at: slots };
  const shown = allowedTo(who, "view_stream", sql.ref<number>("item.uid"));
  const others = sql<SqlBool>`(${shownBy("view_stream")} and ${addressedTo(hub, who)} and ${shown})`;
  return sql<SqlBool>`(${others} or ${saidTo(who, blocksHost(sql.ref("item.uid"), slots))})`;
}

/**
 * Which rows of `item` may the observer see? (native contract 3.5) A condition that every list query includes.
 * The channel itself sees all its rows; what else a query leaves out (deleted, hidden ...) is its own business there.
 */
export function visibleTo(
  hub: Hub,
  observer: Observer,
  permission: PermissionName = "view_stream",
): RawBuilder<SqlBool> {
  const shown = allowed(observer, permission, sql.ref<number>("item.uid"));
  const others = sql<SqlBool>`(${shownBy(permission)} and ${addressedToObserver(hub, observer)} and ${shown})`;
  const actor = permission === "view_stream" ? actorIdOf(observer) : undefined;
  if (actor !== undefined) {
    const blocked = blocksHostOf(sql.ref("item.uid"), actor);
    return sql<SqlBool>`(${others} or ${saidTo({ ...observer, actor: comparableId(actor) }, blocked)})`;
  }
  return observer.channelId > 0 ? sql<SqlBool>`(item.uid = ${observer.channelId} or ${others})` : others;
}

function addressedToObserver(hub: Hub, observer: Observer): RawBuilder<SqlBool> {
  if (isNobody(observer)) return sql<SqlBool>`item.item_private = 0`;
  return isGuest(observer) ? addressedToGuest(hub, observer) : addressedTo(hub, observer);
}

/** Somebody of elsewhere by their id, in the form in which ids compare. */
type SaidTo = {
  xchanId: Expression<number> | number;
  hash: Expression<string> | string;
  actor: Expression<string> | string;
};

/**
 * What people of this hub say in a private thread of elsewhere is for its owner, and for those whom its top names (federation
 * contract 6.3), whoever else may see what its author posts. What was never sent is for nobody. The author's own copy says so.
 */
function saidTo({ xchanId, hash, actor }: SaidTo, isBlockedHost: RawBuilder<SqlBool>): RawBuilder<SqlBool> {
  return sql<SqlBool>`(item.item_normal = 1 and item.item_private = 1 and item.item_origin = 1 and item.item_wall = 0
    and item.item_thread_top = 0
    and exists (select 1 from channel vc join xchan vx on vx.xchan_hash = vc.channel_hash
      where vc.channel_id = item.uid and vc.channel_removed = 0 and vx.xchan_id = item.author_id)
    and (item.owner_id = ${xchanId} or exists (select 1 from item vt join addressed_to va on va.message_id = vt.message_id
      where vt.id = item.parent and va.person = ${actor}))
    and exists (select 1 from sent_to vs where vs.message_id = item.message_id)
    and not exists (select 1 from abook vb where vb.abook_channel = item.uid and vb.abook_xchan = ${hash}
      and vb.abook_blocked = 1)
    and not ${isBlockedHost})`;
}

/** Flags that hide a row from everybody but its channel, whatever it is looked at through. */
const flaws = ["item_deleted", "item_delayed", "item_pending_remove", "item_blocked"];

/**
 * Rule 1: normal items; page elements where one looks at pages, the rows of wikis, which no stream shows, where one looks
 * at wikis, and photo items that nobody has answered yet where one looks at photos.
 */
function shownBy(permission: PermissionName): RawBuilder<SqlBool> {
  if (permission === "view_pages")
    return sql<SqlBool>`(item.item_type in (1, 2, 3) and ${without([...flaws, "item_hidden", "item_unpublished"])})`;
  if (permission === "view_wiki")
    return sql<SqlBool>`(item.item_type = 0 and ${without(flaws)} and exists (select 1 from message vw
      where vw.id = item.message_id and vw.resource_type in ('nwiki', 'nwikipage')))`;
  if (permission === "view_storage")
    return sql<SqlBool>`(item.item_normal = 1
      or (item.item_type = 0 and ${without([...flaws, "item_unpublished"])} and exists (select 1 from message vp
        where vp.id = item.message_id and vp.resource_type = 'photo')))`;
  return sql<SqlBool>`item.item_normal = 1`;
}

function without(flags: readonly string[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.join(
    flags.map((flag) => sql`${sql.ref(`item.${flag}`)} = 0`),
    sql` and `,
  )}`;
}

/**
 * Rule 5. Only the copy on the owner's own wall knows the audience: the policy words and lists of a received
 * copy are the sender's, and would mean other people if they were read as the receiver's.
 */
function addressedTo(hub: Hub, observer: QueriedObserver): RawBuilder<SqlBool> {
  return sql<SqlBool>`(item.item_private = 0 or (item.item_wall = 1
    and not ${named(hub, observer, "deny", itemLists)} and (${named(hub, observer, "allow", itemLists)}
      or (item.allow_cid = '' and item.allow_gid = '' and (${connected(observer, "approved")}
        and (item.deny_cid <> '' or item.deny_gid <> '')
        or item.deny_cid = '' and item.deny_gid = '' and ${coveredByPolicy(hub, observer)})))))`;
}

/** The same for a guest: the lists of its own channel may name it, and it is identified there, but no connection. */
function addressedToGuest(hub: Hub, observer: Observer): RawBuilder<SqlBool> {
  return sql<SqlBool>`(item.item_private = 0 or (item.uid = ${observer.guestOf} and item.item_wall = 1
    and not ${named(hub, observer, "deny", itemLists)} and (${named(hub, observer, "allow", itemLists)}
      or (item.allow_cid = '' and item.allow_gid = '' and item.deny_cid = '' and item.deny_gid = ''
        and item.public_policy = 'authenticated'))))`;
}

/** Whose lists they are: the table with the four columns, and the channel that its rows belong to. */
type Lists = { table: string; uid: Expression<number> | number };

const itemLists: Lists = { table: "item", uid: sql.ref<number>("item.uid") };

/**
 * Do the four lists of a file, photo, event or chatroom let the observer in? (native contract 3.5: the same logic as for
 * items, without scope words.) The view permission is a condition of its own.
 */
export function listsAdmit(hub: Hub, observer: Observer, lists: Lists): RawBuilder<SqlBool> {
  const [allowPeople, allowGroups, denyPeople, denyGroups] = listNames.map((name) => sql.ref(`${lists.table}.${name}`));
  const nobodyNamed = sql<SqlBool>`(${allowPeople} = '' and ${allowGroups} = '')`;
  const nobodyDenied = sql<SqlBool>`(${denyPeople} = '' and ${denyGroups} = '')`;
  if (isNobody(observer)) return listsOpen(lists.table);
  if (isGuest(observer)) {
    return sql<SqlBool>`(${listsOpen(lists.table)} or (${lists.uid} = ${observer.guestOf}
      and not ${named(hub, observer, "deny", lists)} and ${named(hub, observer, "allow", lists)}))`;
  }
  const others = sql<SqlBool>`(not ${named(hub, observer, "deny", lists)} and (${named(hub, observer, "allow", lists)}
    or (${nobodyNamed} and (${nobodyDenied} or ${connected(observer, "approved", lists.uid)}))))`;
  return observer.channelId > 0 ? sql<SqlBool>`(${lists.uid} = ${observer.channelId} or ${others})` : others;
}

/** Do these lists of a table let everybody in who may see the channel's rows at all? */
export function listsOpen(table: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${sql.join(
    listNames.map((name) => sql`${sql.ref(`${table}.${name}`)} = ''`),
    sql` and `,
  )})`;
}

/** Is the observer in the contact list or in a group of the group list? */
function named(
  hub: Hub,
  observer: Pick<QueriedObserver, "hash">,
  list: "allow" | "deny",
  { table, uid }: Lists,
): RawBuilder<SqlBool> {
  const people = sql.ref(`${table}.${list}_cid`);
  const groups = sql.ref(`${table}.${list}_gid`);
  const entry = typeof observer.hash === "string" ? sql`${`<${observer.hash}>`}` : sql`'<' || ${observer.hash} || '>'`;
  return sql<SqlBool>`(${contains(hub.engine, people, entry)}
    or (${groups} <> '' and (exists (select 1 from pgrp_member vm join pgrp vg on vg.id = vm.gid and vg.deleted = 0
        where vm.uid = ${uid} and vm.xchan = ${observer.hash}
        and ${contains(hub.engine, groups, sql`'<' || vg.hash || '>'`)})
      or exists (select 1 from abook vp where vp.abook_channel = ${uid} and vp.abook_xchan = ${observer.hash}
        and vp.abook_pending = 0 and vp.abook_unconnected = 0 and vp.abook_self = 0 and vp.abook_profile <> ''
        and ${contains(hub.engine, groups, sql`'<vp.' || vp.abook_profile || '>'`)}))))`;
}

function connected(
  observer: Pick<QueriedObserver, "hash">,
  how: "approved" | "any",
  uid: Expression<number> | number = itemLists.uid,
): RawBuilder<SqlBool> {
  const approved = how === "approved" ? sql`and vc.abook_pending = 0` : sql``;
  return sql<SqlBool>`exists (select 1 from abook vc where vc.abook_channel = ${uid}
    and vc.abook_xchan = ${observer.hash} and vc.abook_unconnected = 0 and vc.abook_self = 0 ${approved})`;
}

/** The scope words of native contract 3.2, as far as they can cover this observer. */
function coveredByPolicy(hub: Hub, observer: QueriedObserver): RawBuilder<SqlBool> {
  const words = ["authenticated"];
  if (observer.native) words.push("network: red");
  if (observer.channelId !== 0) words.push(`site: ${hub.config.host}`);
  return sql<SqlBool>`(item.public_policy in (${sql.join(words)})
    or (item.public_policy in ('contacts', 'specific') and ${connected(observer, "approved")})
    or (item.public_policy = 'any connections' and ${connected(observer, "any")}))`;
}
