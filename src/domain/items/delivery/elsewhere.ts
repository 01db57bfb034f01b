import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../../hub.ts";
import { isOneOf, zeroDate } from "../../../storage/sql.ts";
import { peopleOfHosts } from "../../connections/blocked-hosts.ts";
import { parseList } from "../../groups/lists.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { findChannelsByXchan } from "../../identity/channels/channels.ts";
import type { Addressee } from "../../identity/xchans/actors.ts";
import { isSameOrigin } from "../../identity/xchans/foreign-ids.ts";
import { findXchan } from "../../identity/xchans/xchans.ts";
import { allowedTo } from "../../permissions/allowed.ts";
import { no, selectItems, yes } from "../queries.ts";
import type { Item } from "../types.ts";
import { termTypes } from "../vocabulary.ts";
import { isForum } from "./in-forum.ts";
import type { InForum } from "./in-forum.ts";
import { inAudience } from "./recipients.ts";
import { sentTo } from "../sent-to.ts";
import type { Target } from "../sent-to.ts";

/** Whom people of other hubs are to what goes out: the table of federation contract 5, and 6.2 and 6.3 for answers. */

/**
 * Who gets an item. `everyone` who may see it at all, by their hubs, which know themselves for whom it is; or `people` who are
 * named one by one, and each hub is told of its own alone.
 */
export type Addressed = { how: "everyone"; targets: Target[] } | { how: "people"; people: Addressee[] };

const nobody: Addressed = { how: "everyone", targets: [] };

/** Who elsewhere gets the item now that it has changed: those of the first time who are still meant, and who is new in its text. */
export async function addressedAgain(hub: Hub, author: Channel, item: Item): Promise<Addressed> {
  const before = await sentTo(hub, item.message_id);
  const ids = before.flatMap((target) => target.people);
  if (item.item_private === 0) {
    const fresh = await known(hub, author, await mentionedIn(hub, item));
    return { how: "everyone", targets: together([...before, ...inboxesOf(fresh)]) };
  }
  const [owner] = await findChannelsByXchan(hub, [item.owner_id]);
  if (!owner) return { how: "people", people: await reached(hub, author, ids) };
  const top = await selectItems(hub).where("item.id", "=", item.parent).executeTakeFirst();
  if (!top) return nobody;
  const people = await stillMeant(hub, owner, top, ids);
  const now = await addressedElsewhere(hub, author, item);
  return now.how === "people" ? { how: "people", people } : { how: "everyone", targets: inboxesOf(people) };
}

/** Who elsewhere gets this item, by the owner's copy of it where that is here, else by its author's. */
export async function addressedElsewhere(hub: Hub, author: Channel, item: Item): Promise<Addressed> {
  if (item.postopts.split(",").includes("nopush") || item.item_private > 1) return nobody;
  const [owner] = await findChannelsByXchan(hub, [item.owner_id]);
  if (owner && owner.channel_id !== author.channel_id && (await isForum(hub, owner.xchan_id)))
    return saidInForum(hub, author, item);
  if (item.item_thread_top === 1) return topAddressed(hub, owner ?? author, author, item);
  const top = await selectItems(hub).where("item.id", "=", item.parent).executeTakeFirst();
  if (!top) return nobody;
  return owner ? answerAddressed(hub, owner, author, top, item) : answerSentAway(hub, author, item);
}

/** Those who have the threads of a forum hear of it from the forum; from its author those alone whom it concerns besides. */
async function saidInForum(hub: Hub, author: Channel, item: Item): Promise<Addressed> {
  if (item.item_private !== 0) return nobody;
  const concerned = [...(await mentionedIn(hub, item)), ...(await answeredBy(hub, item))];
  const people = [...(await reached(hub, author, concerned)), ...(await followers(hub, author))];
  return { how: "everyone", targets: inboxesOf(people) };
}

/** Who gets what somebody else has said or done in a thread of a forum, by the forum's copy of it (federation contract 6.5). */
export async function addressedByForum(hub: Hub, { forum, item }: InForum): Promise<Addressed> {
  if (item.item_thread_top === 1) return topAddressed(hub, forum, forum, item);
  const top = await selectItems(hub).where("item.id", "=", item.parent).executeTakeFirst();
  return top ? answerAddressed(hub, forum, undefined, top, item) : nobody;
}

async function topAddressed(hub: Hub, owner: Channel, author: Channel, item: Item): Promise<Addressed> {
  if (hasLists(item)) return { how: "people", people: await listed(hub, owner, item) };
  if (item.item_private === 0) {
    const people = [...(await followers(hub, owner)), ...(await known(hub, owner, await mentionedIn(hub, item)))];
    return { how: "everyone", targets: inboxesOf(people) };
  }
  if (!forFollowers.includes(item.public_policy)) return nobody;
  const people = await followers(hub, owner);
  // Nobody but the author has followers that others know of.
  if (owner.channel_id !== author.channel_id || (await leavesOut(hub, owner, people))) return { how: "people", people };
  return { how: "everyone", targets: inboxesOf(people) };
}

/** Those among them whom an event asks to come, by its lists or by its text. */
export async function invitedElsewhere(hub: Hub, author: Channel, item: Item): Promise<Addressee[]> {
  if (item.resource_type !== "event" || item.item_thread_top === 0) return [];
  const addressed = await addressedElsewhere(hub, author, item);
  if (addressed.how === "people") return item.allow_cid + item.allow_gid === "" ? [] : addressed.people;
  const people = new Set(addressed.targets.flatMap((target) => target.people));
  const named = await known(hub, author, await mentionedIn(hub, item));
  return named.filter(({ xchan_id }) => people.has(xchan_id));
}

const forFollowers: readonly string[] = ["contacts", "specific", "any connections", "authenticated"];

/** An answer in a thread of this hub goes to whoever has got the thread and is still meant. */
async function answerAddressed(
  hub: Hub,
  owner: Channel,
  author: Channel | undefined,
  top: Item,
  answer: Item,
): Promise<Addressed> {
  const before = await sentTo(hub, top.message_id);
  if (top.item_private !== 0) {
    const people = await stillMeant(
      hub,
      owner,
      top,
      before.flatMap((target) => target.people),
    );
    return { how: "people", people };
  }
  const people = [
    ...(await known(hub, owner, await takingPart(hub, top))),
    ...(await known(hub, owner, await mentionedIn(hub, answer))),
    ...(author && owner.channel_id !== author.channel_id ? await followers(hub, author) : []),
  ];
  return { how: "everyone", targets: together([...before, ...inboxesOf(people)]) };
}

/** One in a thread of another hub goes to its owner, who hands it on; what is public, to those besides whom it concerns. */
async function answerSentAway(hub: Hub, author: Channel, answer: Item): Promise<Addressed> {
  if (answer.item_private !== 0) return { how: "people", people: await reached(hub, author, [answer.owner_id]) };
  const concerned = [answer.owner_id, ...(await answeredBy(hub, answer)), ...(await mentionedIn(hub, answer))];
  const people = [...(await reached(hub, author, concerned)), ...(await followers(hub, author))];
  return { how: "everyone", targets: inboxesOf(people) };
}

/** Whose words an answer answers; nobody's where it is none. */
async function answeredBy(hub: Hub, { item_thread_top, thr_parent_id, parent }: Item): Promise<number[]> {
  if (item_thread_top === 1) return [];
  const answered = await selectItems(hub)
    .where("item.id", "=", thr_parent_id > 0 ? thr_parent_id : parent)
    .executeTakeFirstOrThrow();
  return [answered.author_id];
}

/** Everybody of elsewhere who is connected with the channel, in whichever direction: what changes about it, they hear. */
export async function connectedElsewhere(hub: Hub, channel: Channel): Promise<Target[]> {
  const people = await notEnded(hub, channel)
    .where(sql<SqlBool>`(sent.follow_in = 'accepted' or sent.follow_out in ('requested', 'accepted'))`)
    .where("sent.abook_self", "=", no)
    .execute();
  return inboxesOf(people);
}

/**
 * Who gets an answer of somebody of elsewhere in a thread of this hub, by the owner's copy of it: those who have the thread, but for
 * the hub that it came from (federation contract 6.2).
 */
export async function handedOnTo(hub: Hub, owner: Channel, answer: Item): Promise<Target[]> {
  const top = await selectItems(hub).where("item.id", "=", answer.parent).executeTakeFirst();
  const from = await findXchan(hub, { id: answer.author_id });
  if (!top || !from) return [];
  const given = await answerAddressed(hub, owner, undefined, top, answer);
  const byHost = (people: readonly Addressee[]) => [...Map.groupBy(people, ({ host }) => host).values()];
  const targets = given.how === "people" ? byHost(given.people).flatMap(inboxesAt) : given.targets;
  return targets.filter(({ inbox }) => !isSameOrigin(inbox, from.xchan_hash));
}

function hasLists({ allow_cid, allow_gid, deny_cid, deny_gid }: Item): boolean {
  return [allow_cid, allow_gid, deny_cid, deny_gid].some((list) => list !== "");
}

/** Those whom the channel has not blocked or archived, and who have not blocked it, with what it knows of them as `sent`. */
function notEnded(hub: Hub, channel: Channel) {
  return hub.db
    .selectFrom("actor")
    .innerJoin("xchan as reader", "reader.xchan_id", "actor.xchan_id")
    .leftJoin("abook as sent", (join) =>
      join.on("sent.abook_channel", "=", channel.channel_id).onRef("sent.abook_xchan", "=", "reader.xchan_hash"),
    )
    .select(["reader.xchan_id", "actor.actor_id as actor", "reader.xchan_addr as address"])
    .select(["actor.host", "actor.inbox", "actor.shared_inbox"])
    .where("actor.gone", "=", zeroDate)
    .where("reader.xchan_deleted", "=", no)
    .where(
      sql<SqlBool>`coalesce(sent.abook_blocked, 0) + coalesce(sent.abook_archived, 0) + coalesce(sent.abook_shut_out, 0) = 0`,
    )
    .where(sql<SqlBool>`reader.xchan_id not in (${peopleOfHosts(channel.channel_id, "blocked")})`)
    .orderBy("actor.id");
}

/** Those of them who may see what the channel posts. */
function reading(hub: Hub, channel: Channel) {
  const reader = { hash: sql.ref<string>("reader.xchan_hash"), channelId: 0, native: false };
  return notEnded(hub, channel).where(allowedTo(reader, "view_stream", channel.channel_id));
}

const follows = sql<SqlBool>`(sent.follow_in = 'accepted' and sent.abook_pending = 0 and sent.abook_self = 0)`;

/** Everybody of elsewhere who follows the channel and may see what it posts. */
export async function followersElsewhere(hub: Hub, channel: Channel): Promise<Target[]> {
  return inboxesOf(await followers(hub, channel));
}

async function followers(hub: Hub, channel: Channel): Promise<Addressee[]> {
  return reading(hub, channel).where(follows).execute();
}

/** Are there people who think that they follow the channel, and are not meant? Their hubs would show them what is for followers. */
async function leavesOut(hub: Hub, channel: Channel, meant: readonly Addressee[]): Promise<boolean> {
  const { count } = await hub.db
    .selectFrom("abook")
    .innerJoin("xchan", "xchan.xchan_hash", "abook.abook_xchan")
    .innerJoin("actor", "actor.xchan_id", "xchan.xchan_id")
    .select(sql<number>`cast(count(*) as integer)`.as("count"))
    .where("abook_channel", "=", channel.channel_id)
    .where("follow_in", "=", "accepted")
    .where("actor.gone", "=", zeroDate)
    .where("xchan_deleted", "=", no)
    .executeTakeFirstOrThrow();
  return count > meant.length;
}

/** Whom the lists of an item name; where they only leave out, of the followers. */
async function listed(hub: Hub, owner: Channel, item: Item): Promise<Addressee[]> {
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
async function stillMeant(hub: Hub, owner: Channel, top: Item, ids: readonly number[]): Promise<Addressee[]> {
  const among = reading(hub, owner).where(isOneOf(hub.engine, sql.ref("reader.xchan_id"), ids));
  if (top.item_private === 0) return among.execute();
  if (hasLists(top)) {
    const meant = among.where(inAudience(hub, top, sql.ref("reader.xchan_hash"), owner.channel_id));
    // Where nobody is named, the lists leave some out of those who follow.
    return (top.allow_cid === "" && top.allow_gid === "" ? meant.where(follows) : meant).execute();
  }
  if (!forFollowers.includes(top.public_policy)) return [];
  return (top.public_policy === "authenticated" ? among : among.where(follows)).execute();
}

/** Of these people those who may see what the channel posts. */
async function known(hub: Hub, channel: Channel, ids: readonly number[]): Promise<Addressee[]> {
  if (ids.length === 0) return [];
  return reading(hub, channel)
    .where(isOneOf(hub.engine, sql.ref("reader.xchan_id"), ids))
    .execute();
}

/** Of these people those whom the channel has not blocked: they get what it writes to them, whoever sees the rest. */
async function reached(hub: Hub, channel: Channel, ids: readonly number[]): Promise<Addressee[]> {
  return notEnded(hub, channel)
    .where(isOneOf(hub.engine, sql.ref("reader.xchan_id"), ids))
    .execute();
}

/** Everybody whom a message mentions, by xchan ids. */
async function mentionedIn(hub: Hub, { message_id }: Item): Promise<number[]> {
  const rows = await hub.db
    .selectFrom("term")
    .innerJoin("xchan", "xchan.xchan_url", "term.url")
    .innerJoin("actor", "actor.xchan_id", "xchan.xchan_id")
    .select("xchan.xchan_id")
    .where("term.message_id", "=", message_id)
    .where("term.uid", "=", 0)
    .where("term.ttype", "=", termTypes.mention)
    .execute();
  return rows.map((row) => row.xchan_id);
}

/** People of elsewhere who have written in the thread. */
async function takingPart(hub: Hub, top: Item): Promise<number[]> {
  const rows = await hub.db
    .selectFrom("item")
    .innerJoin("actor", "actor.xchan_id", "item.author_id")
    .select("item.author_id")
    .distinct()
    .where("item.parent", "=", top.id)
    .where("item.item_normal", "=", yes)
    .execute();
  return rows.map((row) => row.author_id);
}

function once(people: readonly Addressee[]): Addressee[] {
  return [...new Map(people.map((person) => [person.xchan_id, person])).values()];
}

/** One request for each hub, where it has an inbox for everybody. */
export function inboxesOf(people: readonly Addressee[]): Target[] {
  return together(
    people.map(({ xchan_id, inbox, shared_inbox }) => ({
      inbox: shared_inbox || inbox,
      people: [xchan_id],
      shared: shared_inbox !== "",
    })),
  );
}

/** The same for people of one hub who are named one by one: whoever is alone there has an inbox of their own. */
export function inboxesAt(people: readonly Addressee[]): Target[] {
  const [first, ...others] = people;
  if (!first || others.length > 0) return inboxesOf(people);
  return [{ inbox: first.inbox, people: [first.xchan_id], shared: false }];
}

function together(targets: readonly Target[]): Target[] {
  const merged = new Map<string, Target>();
  for (const { inbox, people, shared } of targets) {
    const known = merged.get(inbox);
    if (known) known.people = [...new Set([...known.people, ...people])];
    else merged.set(inbox, { inbox, people: [...people], shared });
  }
  return [...merged.values()];
}
