import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../../hub.ts";
import { compiled } from "../../../storage/compiled-query.ts";
import { readInSteps } from "../../../storage/in-steps.ts";
import { isOneOf, zeroDate } from "../../../storage/sql.ts";
import { peopleOfHosts } from "../../connections/blocked-hosts.ts";
import { parseList } from "../../groups/lists.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import type { Addressee } from "../../identity/xchans/actors.ts";
import { allowedTo } from "../../permissions/allowed.ts";
import { inAudience } from "../../permissions/thread-readers.ts";
import { no } from "../queries.ts";
import type { Item } from "../types.ts";

/** People of other hubs who may be told something: nobody here is blocked, or has blocked the channel. */

type Whose = { channel_id: number | RawBuilder<number> };

/** Everybody of elsewhere, with what the channel knows of them as `sent`. */
function everybody(hub: Hub, channel: Whose) {
  return hub.db
    .selectFrom("actor")
    .innerJoin("xchan as reader", "reader.xchan_id", "actor.xchan_id")
    .leftJoin("abook as sent", (join) =>
      join.on("sent.abook_channel", "=", channel.channel_id).onRef("sent.abook_xchan", "=", "reader.xchan_hash"),
    )
    .select(["reader.xchan_id", "actor.actor_id as actor", "reader.xchan_addr as address"])
    .select(["actor.host", "actor.inbox", "actor.shared_inbox"])
    .where("actor.gone", "=", sql.lit(zeroDate))
    .where("reader.xchan_deleted", "=", no)
    .orderBy("actor.id");
}

/** The channel has not blocked or archived them, and they have not blocked it. */
function isNotEnded(channel: Whose): RawBuilder<SqlBool> {
  return sql<SqlBool>`(coalesce(sent.abook_blocked, 0) + coalesce(sent.abook_archived, 0) + coalesce(sent.abook_shut_out, 0) = 0
    and reader.xchan_id not in (${peopleOfHosts(channel.channel_id, "blocked")}))`;
}

/** They may see what the channel posts. */
function isReading(channel: Whose): RawBuilder<SqlBool> {
  const reader = { hash: sql.ref<string>("reader.xchan_hash"), channelId: 0, native: false };
  return sql<SqlBool>`(${isNotEnded(channel)} and ${allowedTo(reader, "view_stream", channel.channel_id)})`;
}

function notEnded(hub: Hub, channel: Whose) {
  return everybody(hub, channel).where(isNotEnded(channel));
}

function reading(hub: Hub, channel: Whose) {
  return everybody(hub, channel).where(isReading(channel));
}

const follows = sql<SqlBool>`(sent.follow_in = 'accepted' and sent.abook_pending = 0 and sent.abook_self = 0)`;
/** Their hubs take them for followers. */
const thinksSo = sql<SqlBool>`sent.follow_in = 'accepted'`;

/** Everybody of elsewhere who follows the channel and may see what it posts. */
export async function followers(hub: Hub, channel: Channel): Promise<Addressee[]> {
  return (await followersAndOthers(hub, channel)).people;
}

/**
 * The same with whether there are people who think that they follow the channel, and are not meant: their hubs would show them what is
 * for followers.
 */
export async function followersAndOthers(
  hub: Hub,
  channel: Channel,
): Promise<{ people: Addressee[]; leavesOut: boolean }> {
  const thinking = everybody(hub, channel)
    .select(sql<number>`case when ${isReading(channel)} and ${follows} then 1 else 0 end`.as("meant"))
    .where(thinksSo)
    .select(sql.ref<string>("sent.abook_xchan").as("key"))
    .clearOrderBy()
    .orderBy("key");
  const rows = await readInSteps((after, most) => thinking.where("sent.abook_xchan", ">", after).limit(most).execute());
  const people = rows.filter(({ meant }) => meant === 1).map(addressee);
  return { people, leavesOut: people.length < rows.length };
}

function addressee({ xchan_id, actor, address, host, inbox, shared_inbox }: Addressee): Addressee {
  return { xchan_id, actor, address, host, inbox, shared_inbox };
}

/** Are there such people, anywhere or at one host? */
export async function leavesOut(hub: Hub, channelId: number, host?: string): Promise<boolean> {
  const rows = await compiled(hub, "followers left out", { channel_id: channelId, host }, (slots) => {
    const thinking = everybody(hub, slots).clearSelect().clearOrderBy().select("actor.id").where(thinksSo);
    const there = slots.host ? thinking.where("actor.host", "=", slots.host) : thinking;
    return there.where(sql<SqlBool>`not (${isReading(slots)} and ${follows})`).limit(sql.lit(1));
  });
  return rows.length > 0;
}

/** Whom the lists of an item name; where they only leave out, of the followers. */
export async function listed(hub: Hub, owner: Channel, item: Item): Promise<Addressee[]> {
  const meant = inAudience(hub, item, sql.ref("reader.xchan_hash"), owner.channel_id);
  const among = (condition: RawBuilder<SqlBool>): Promise<Addressee[]> =>
    reading(hub, owner).where(condition).where(meant).execute();
  if (item.allow_cid === "" && item.allow_gid === "") return among(follows);
  const connected = sql<SqlBool>`(sent.abook_id is not null and sent.abook_self = 0)`;
  const named = isOneOf(hub.engine, sql.ref("reader.xchan_hash"), parseList(item.allow_cid));
  const inGroups = sql<SqlBool>`reader.xchan_hash in (select m.xchan from pgrp_member m where m.uid = ${owner.channel_id})`;
  return once([...(await among(connected)), ...(await among(named)), ...(await among(inGroups))]);
}

/** Those of these people who are meant by the thread now: nobody who has left its audience gets more of it. */
export async function stillMeant(hub: Hub, owner: Channel, top: Item, ids: readonly number[]): Promise<Addressee[]> {
  const among = reading(hub, owner).where(isOneOf(hub.engine, sql.ref("reader.xchan_id"), ids));
  if (top.item_private === 0) return among.execute();
  if (hasLists(top)) {
    const meant = among.where(inAudience(hub, top, sql.ref("reader.xchan_hash"), owner.channel_id));
    // Where nobody is named, the lists leave some out of those who follow.
    return (top.allow_cid === "" && top.allow_gid === "" ? meant.where(follows) : meant).execute();
  }
  if (!isForFollowers(top)) return [];
  return (top.public_policy === "authenticated" ? among : among.where(follows)).execute();
}

/** Of these people those who may see what the channel posts. */
export async function known(hub: Hub, channel: Channel, ids: readonly number[]): Promise<Addressee[]> {
  if (ids.length === 0) return [];
  return reading(hub, channel)
    .where(isOneOf(hub.engine, sql.ref("reader.xchan_id"), ids))
    .execute();
}

/** Of these people those whom the channel has not blocked: they get what it writes to them, whoever sees the rest. */
export async function reached(hub: Hub, channel: Channel, ids: readonly number[]): Promise<Addressee[]> {
  return notEnded(hub, channel)
    .where(isOneOf(hub.engine, sql.ref("reader.xchan_id"), ids))
    .execute();
}

/** Everybody of elsewhere who is connected with the channel, or has asked to be, in whichever direction. */
export async function connected(hub: Hub, channel: Channel): Promise<Addressee[]> {
  return notEnded(hub, channel)
    .where(sql<SqlBool>`(sent.follow_in in ('pending', 'accepted') or sent.follow_out in ('requested', 'accepted'))`)
    .where("sent.abook_self", "=", no)
    .execute();
}

/** Does it say for whom it is, person by person? */
export function hasLists({ allow_cid, allow_gid, deny_cid, deny_gid }: Item): boolean {
  return [allow_cid, allow_gid, deny_cid, deny_gid].some((list) => list !== "");
}

/** Is it for those who follow, in the words of its owner, and for nobody by name? */
export function isForFollowers(item: Item): boolean {
  return item.item_private !== 0 && !hasLists(item) && forFollowers.includes(item.public_policy);
}

const forFollowers = ["contacts", "specific", "any connections", "authenticated"];

function once(people: readonly Addressee[]): Addressee[] {
  return [...new Map(people.map((person) => [person.xchan_id, person])).values()];
}
