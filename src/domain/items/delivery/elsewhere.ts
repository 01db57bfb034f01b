import type { Hub } from "../../../hub.ts";
import { parseList } from "../../groups/lists.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { findChannelsByXchan } from "../../identity/channels/channels.ts";
import type { Addressee } from "../../identity/xchans/actors.ts";
import { isSameOrigin } from "../../identity/xchans/foreign-ids.ts";
import { findXchan } from "../../identity/xchans/xchans.ts";
import { selectItems } from "../queries.ts";
import { isKeptHere, sentTo } from "../sent-to.ts";
import type { Target } from "../sent-to.ts";
import type { Item } from "../types.ts";
import { answeredBy, mentionedIn, sharedFrom, writingOrMentionedIn } from "./concerned.ts";
import { forumsAmong, isForum } from "./in-forum.ts";
import type { InForum } from "./in-forum.ts";
import { inboxesAt, inboxesOf, together } from "./inboxes.ts";
import {
  connected,
  followers,
  followersAndOthers,
  hasLists,
  isForFollowers,
  known,
  leavesOut,
  listed,
  reached,
  stillMeant,
} from "./readers-elsewhere.ts";

/** Whom people of other hubs are to what goes out: the table of federation contract 5, and 6.2 and 6.3 for answers. */

/**
 * Who gets an item. `everyone` who may see it at all, by their hubs, which know themselves for whom it is; or `people` who are
 * named one by one, and each hub is told of its own alone. These may be `followers`, of whom nobody is left out, with others or
 * without: then it may be addressed to all who follow.
 */
export type Addressed =
  | { how: "everyone"; targets: Target[] }
  | { how: "people"; people: Addressee[]; followers?: boolean };

const nobody: Addressed = { how: "everyone", targets: [] };

/** Who elsewhere gets the item now that it has changed: those of the first time who are still meant, and who is new in its text. */
export async function addressedAgain(hub: Hub, author: Channel, item: Item): Promise<Addressed> {
  if (isKeptHere(item)) return nobody;
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
  return now.how === "people" ? { ...now, people } : { how: "everyone", targets: inboxesOf(people) };
}

/** Who elsewhere gets this item, by the owner's copy of it where that is here, else by its author's. */
export async function addressedElsewhere(hub: Hub, author: Channel, item: Item): Promise<Addressed> {
  if (isKeptHere(item) || item.item_private > 1) return nobody;
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
  if (isKeptHere(item)) return nobody;
  if (item.item_thread_top === 1) return topAddressed(hub, forum, forum, item);
  const top = await selectItems(hub).where("item.id", "=", item.parent).executeTakeFirst();
  return top ? answerAddressed(hub, forum, undefined, top, item) : nobody;
}

async function topAddressed(hub: Hub, owner: Channel, author: Channel, item: Item): Promise<Addressed> {
  const only = async (people: readonly Addressee[]): Promise<Addressed> => ({
    how: "people",
    people: await withoutForums(hub, item, people),
  });
  if (hasLists(item)) return only(await listed(hub, owner, item));
  if (item.item_private === 0) {
    const concerned = [...(await mentionedIn(hub, item)), ...(await sharedFrom(hub, item))];
    const people = [...(await followers(hub, owner)), ...(await known(hub, owner, concerned))];
    return { how: "everyone", targets: inboxesOf(people) };
  }
  if (!isForFollowers(item)) return nobody;
  // Nobody but the author has followers that others know of.
  if (owner.channel_id !== author.channel_id) return only(await followers(hub, owner));
  const { people, leavesOut } = await followersAndOthers(hub, owner);
  return leavesOut ? only(people) : { how: "everyone", targets: inboxesOf(people) };
}

/**
 * A forum makes what is addressed to it a thread for its members: what is for some goes to those forums alone that its lists or its
 * text name, not to one that happens to be in a group.
 */
async function withoutForums(hub: Hub, item: Item, people: readonly Addressee[]): Promise<Addressee[]> {
  const forums = await forumsAmong(
    hub,
    people.map(({ xchan_id }) => xchan_id),
  );
  if (forums.length === 0) return [...people];
  const listed = parseList(item.allow_cid);
  const meant = new Set(await mentionedIn(hub, item));
  const others = forums.filter(({ xchan_id, xchan_hash }) => !meant.has(xchan_id) && !listed.includes(xchan_hash));
  const left = new Set(others.map(({ xchan_id }) => xchan_id));
  return people.filter(({ xchan_id }) => !left.has(xchan_id));
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
    const ids = before.flatMap((target) => target.people);
    const followers = isForFollowers(top) && !(await leavesOut(hub, owner.channel_id));
    return { how: "people", people: await stillMeant(hub, owner, top, ids), followers };
  }
  const people = [
    ...(await known(hub, owner, await writingOrMentionedIn(hub, top))),
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

/** Everybody of elsewhere who follows the channel and may see what it posts. */
export async function followersElsewhere(hub: Hub, channel: Channel): Promise<Target[]> {
  return inboxesOf(await followers(hub, channel));
}

/** Everybody of elsewhere who is connected with the channel, or has asked to be, in whichever direction: what changes about it, they hear. */
export async function connectedElsewhere(hub: Hub, channel: Channel): Promise<Target[]> {
  return inboxesOf(await connected(hub, channel));
}

/**
 * Who gets an answer of somebody of elsewhere in a thread of this hub, by the owner's copy of it: those who have the thread, but for
 * the hub that it came from (federation contract 6.2). In a private thread that knows of nobody there who may read it: `back` are they.
 */
export async function handedOnTo(hub: Hub, owner: Channel, answer: Item): Promise<{ on: Addressed; back: Addressed }> {
  const top = await selectItems(hub).where("item.id", "=", answer.parent).executeTakeFirst();
  const from = await findXchan(hub, { id: answer.author_id });
  if (!top || !from) return { on: nobody, back: nobody };
  const given = await answerAddressed(hub, owner, undefined, top, answer);
  const isThere = ({ inbox }: { inbox: string }): boolean => isSameOrigin(inbox, from.xchan_hash);
  if (given.how === "everyone") {
    const targets = given.targets.filter((target) => !isThere(target));
    return { on: { how: "everyone", targets }, back: nobody };
  }
  const others = given.people.filter(({ xchan_id }) => xchan_id !== from.xchan_id);
  return {
    on: { ...given, people: others.filter((person) => !isThere(person)) },
    back: { how: "people", people: others.filter(isThere) },
  };
}

/** The inboxes of all whom something is for in the same form. */
export function targetsOf(addressed: Addressed): Target[] {
  if (addressed.how === "everyone") return addressed.targets;
  return [...Map.groupBy(addressed.people, ({ host }) => host).values()].flatMap(inboxesAt);
}
