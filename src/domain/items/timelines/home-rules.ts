import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import { isFollowedBy, withLanguages, withoutShares } from "../../connections/follow-choices.ts";
import { exclusiveMembers } from "../../groups/list-choices.ts";
import { sharesPurely } from "../queries.ts";

/** What the home of applications leaves out of a channel's stream (mastodon contract 13.4). */

type Slot = RawBuilder<number>;

/** `known`: of comments those by people whom the channel follows, and answers to it. */
export type HomeComments = "known" | "all";

/** Has the channel people whom it does not want to hear, and choices of whose posts stand there? */
type AtHome = { unwanted: boolean; choices: boolean };

/** So many entries on either side of a share are looked at for the same post. */
const near = sql.lit(40);

/**
 * Those whom the rules treat in their own way, where the channel has `choices`: queries that are made once, beside the one for the
 * `unwanted`, by the names that the rules read.
 */
export function peopleAtHome(uid: Slot): Record<string, RawBuilder<unknown>> {
  return { exclusive: exclusiveMembers(uid), without_shares: withoutShares(uid), with_languages: withLanguages(uid) };
}

/**
 * Conditions on `item`, a copy of the channel `uid`, whose own posts are those of `me`, in a statement with `peopleAtHome` where the channel
 * has choices, and with the `unwanted` where it has such.
 */
export function homeRules(
  { me, uid }: { me: Slot; uid: Slot },
  comments: HomeComments,
  has: AtHome,
): RawBuilder<SqlBool>[] {
  const isKnown = sql<SqlBool>`(item.item_thread_top = 1 or item.author_id = ${me} or item.answers_me = 1
    or ${isFollowedBy(uid, sql`item.author_id`)})`;
  // What leaves out most and costs least goes first.
  return [
    ...(comments === "all" ? [] : [isKnown]),
    isOfHome("item"),
    ...(has.choices ? [isChosen] : []),
    sql<SqlBool>`(item.item_thread_top = 0 or not ${isShownNearby(uid, has)})`,
  ];
}

/** Threads in which the channel only liked or starred something, and those that stand among its conversations, are not there; their tops know. */
function isOfHome(row: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`case ${sql.ref(`${row}.item_thread_top`)} when 1 then ${sql.ref(`${row}.item_kept`)} + ${sql.ref(`${row}.item_direct`)}
    else (select k.item_kept + k.item_direct from item k where k.id = ${sql.ref(`${row}.parent`)}) end = 0`;
}

const isShare = sql<SqlBool>`exists (select 1 from message rm where rm.id = item.message_id and rm.shared_id > 0
  and ${sharesPurely("rm")} limit 1 offset 0)`;

/** What is in no language passes. */
const isInLanguage = sql<SqlBool>`not exists (select 1 from with_languages wl join message lm on lm.id = item.message_id
  where wl.id = item.author_id and lm.lang <> '' and wl.words not like '% ' || lm.lang || ' %' limit 1 offset 0)`;

const isChosen = sql<SqlBool>`item.author_id not in (select id from exclusive)
  and (item.author_id not in (select id from without_shares) or not ${isShare}) and ${isInLanguage}`;

/**
 * A share whose post stands close by: as itself, or as a newer share, so that of several the newest is left. What the channel sees of
 * neither does not count. Both by one look, since PostgreSQL sets up each part of it at every run. `cross join` tells SQLite to go from the
 * few messages to the channel's copies of them. Nothing stands before the oldest entry, and something may stand after it.
 */
function isShownNearby(uid: Slot, has: AtHome): RawBuilder<SqlBool> {
  const notBy = (list: string, looked: boolean) =>
    looked ? sql` and other.author_id not in (select id from ${sql.raw(list)})` : sql``;
  const edge = (way: "asc" | "desc") => {
    const [beyond, furthest] =
      way === "asc" ? [sql`n.id > item.id`, sql`max(id)`] : [sql`n.id < item.id`, sql`coalesce(min(id), 0)`];
    return sql`(select ${furthest} from (select n.id from item n where n.uid = ${uid} and n.item_normal = 1
      and n.item_notshown = 0 and ${beyond} order by n.id ${sql.raw(way)} limit ${near}) as near)`;
  };
  return sql<SqlBool>`exists (select 1 from message sm where sm.id = item.message_id and sm.shared_id > 0 and ${sharesPurely("sm")}
    and exists (select 1 from message om cross join item other
      where (om.id = sm.shared_id or (om.shared_id = sm.shared_id and om.shared_id > 0 and ${sharesPurely("om")}))
      and other.message_id = om.id and other.uid = ${uid} and other.item_normal = 1 and other.item_notshown = 0
      and ${isOfHome("other")}${notBy("exclusive", has.choices)}${notBy("unwanted", has.unwanted)}
      and (other.id < item.id or other.id <= ${edge("asc")})
      and case om.id when sm.shared_id then other.id >= ${edge("desc")}
        else other.id > item.id${notBy("without_shares", has.choices)} end)
    limit 1 offset 0)`;
}
