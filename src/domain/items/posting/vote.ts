import { sql } from "kysely";
import { missing, refusal } from "../../../errors.ts";
import { inTransaction, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { addDeed } from "../../../jobs/queue.ts";
import { hasCome } from "../../../lasting.ts";
import { isOneOf, zeroDate } from "../../../storage/sql.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { findXchan } from "../../identity/xchans/xchans.ts";
import { sign } from "../../identity/xchans/signing.ts";
import { onlyFor } from "../audience.ts";
import { recountElsewhere } from "../changed.ts";
import { findStatus } from "../find.ts";
import type { ItemRef } from "../find.ts";
import { keepFromFormerReaders } from "../delivery/former-readers.ts";
import { planPollEnd } from "../delivery/notify-changes.ts";
import { answerableAmong, openThread } from "./open-thread.ts";
import type { Thread } from "./open-thread.ts";
import { answerType, hasEnded, pollOf } from "../poll.ts";
import type { Poll } from "../poll.ts";
import { selectItems } from "../queries.ts";
import { loadItem, saveItem, saveMessage } from "../save.ts";
import { touchAll } from "../thread-dates.ts";
import type { Item } from "../types.ts";
import { consensusNames, verbUri } from "../vocabulary.ts";
import { recountAtEnd } from "../recount-later.ts";
import { react } from "./react.ts";
import { countVote, recordVote, ownVotes } from "../votes.ts";

/**
 * Votes in a poll, once and before it ends; `choices` are places in its list of options. Whoever may answer may vote, but
 * not in a poll of their own; the same vote once more changes nothing. The vote is kept as other hubs write it, one hidden answer for each choice, and so goes along
 * with the channel; only the counts are for everybody. Answers the poll. Throws missing (not seen, no poll), denied, invalid,
 * conflict.
 */
export async function vote(hub: Hub, voter: Channel, ref: ItemRef, choices: readonly number[]): Promise<Item> {
  return inTransaction(hub, async (hub) => {
    const seen = await findStatus(hub, voter, ref);
    const names = await chosen(hub, voter, seen, choices);
    if (names === "as before") return seen;
    const thread = await openThread(hub, voter, { id: seen.id });
    const messageId = thread.parent.message_id;
    if (!(await recordVote(hub, messageId, voter.xchan_id, names))) {
      await refuseOther(hub, voter, messageId, names);
      return seen;
    }
    await keepFromFormerReaders(hub, thread.parent);
    await countVote(hub, messageId, names);
    await recountElsewhere(hub, thread.parent);
    await recountAtEnd(hub, thread.parent);
    await planPollEnd(hub, thread.parent);
    for (const name of names) await keepAnswer(hub, voter, thread, name);
    await touchAll(hub, messageId);
    if (thread.top.message_id !== messageId) await touchAll(hub, thread.top.message_id);
    return loadItem(hub, thread.parent.id);
  });
}

/**
 * The same also for a post that asks for a decision, whose options are to agree, to disagree and to abstain, in this order; there
 * another choice takes the place of the former one. Throws as `vote`.
 */
export async function choose(hub: Hub, voter: Channel, ref: ItemRef, choices: readonly number[]): Promise<void> {
  const item = await findStatus(hub, voter, ref);
  if (item.item_consensus === 0 || pollOf(item)) return void (await vote(hub, voter, ref, choices));
  if (item.author_id === voter.xchan_id) throw refusal("own_poll");
  const isOver = item.comments_closed !== zeroDate && hasCome(hub, item.comments_closed);
  if (item.item_nocomment === 1 || isOver) throw refusal("poll_ended");
  const options = consensusNames.map((name) => ({ name, votes: 0 }));
  const [name] = namesOf({ options, several: false }, choices);
  await react(hub, voter, ref, name!, "stays");
}

/** The polls among these items in which somebody may vote now, by their messages; eight queries at most. */
export async function openPolls(hub: Hub, voter: Channel, items: readonly Item[]): Promise<Set<number>> {
  const polls = items.filter((item) => {
    const poll = pollOf(item);
    return poll && item.author_id !== voter.xchan_id && !hasEnded(hub, poll);
  });
  const voted = await ownVotes(
    hub,
    voter.xchan_id,
    polls.map((item) => item.message_id),
  );
  const undecided = polls.filter((item) => !voted.has(item.message_id));
  const tops = await topsOf(hub, undecided);
  const answerable = await answerableAmong(hub, voter, [...tops.values()]);
  const open = undecided.filter((item) => answerable.has(tops.get(item.parent)!.message_id));
  return new Set(open.map((item) => item.message_id));
}

/** The tops of the threads of these items, by their ids. */
async function topsOf(hub: Hub, items: readonly Item[]): Promise<Map<number, Item>> {
  const tops = new Map(items.filter((item) => item.item_thread_top === 1).map((item) => [item.id, item]));
  const others = items.map((item) => item.parent).filter((id) => !tops.has(id));
  if (others.length === 0) return tops;
  const rows = await selectItems(hub)
    .where(isOneOf(hub.engine, sql.ref("item.id"), others))
    .execute();
  for (const top of rows) tops.set(top.id, top);
  return tops;
}

/** The names of what was chosen, or why that is no vote. */
async function chosen(
  hub: Hub,
  voter: Channel,
  item: Item,
  choices: readonly number[],
): Promise<string[] | "as before"> {
  const poll = pollOf(item);
  if (!poll) throw missing("Item");
  if (item.author_id === voter.xchan_id) throw refusal("own_poll");
  if (hasEnded(hub, poll)) throw refusal("poll_ended");
  const names = namesOf(poll, choices);
  return (await refuseOther(hub, voter, item.message_id, names)) ? "as before" : names;
}

/** Has the same been chosen before? Throws conflict where that was something else. */
async function refuseOther(hub: Hub, voter: Channel, messageId: number, names: readonly string[]): Promise<boolean> {
  const former = (await ownVotes(hub, voter.xchan_id, [messageId])).get(messageId);
  if (former === undefined) return false;
  const isSame = names.length === former.length && names.every((name) => former.includes(name));
  if (!isSame) throw refusal("voted_already");
  return true;
}

function namesOf({ options, several }: Pick<Poll, "options" | "several">, choices: readonly number[]): string[] {
  const names = [...new Set(choices)].map((place) => options[place]?.name);
  if (names.length === 0) throw refusal("option_needed");
  if (names.length > 1 && !several) throw refusal("one_option_only");
  return names.map((name) => {
    if (name === undefined) throw refusal("option_unknown");
    return name;
  });
}

/** A vote on its way to the author of a poll of elsewhere; `author` is their hash. */
export type VoteToSend = { uuid: string; name: string; created: string; poll: { mid: string; author: string } };

/** The vote that this message is; undefined once it or the poll is gone. */
export async function findVoteToSend(hub: Hub, messageId: number): Promise<VoteToSend | undefined> {
  const row = await hub.db
    .selectFrom("message as vote")
    .innerJoin("message as poll", "poll.mid", "vote.thr_parent")
    .innerJoin("xchan as asker", "asker.xchan_id", "poll.author_id")
    .select(["vote.uuid", "vote.title as name", "vote.created", "poll.mid", "asker.xchan_hash as author"])
    .where("vote.id", "=", messageId)
    .where("vote.title", "<>", "")
    .where("vote.obj_type", "=", answerType)
    .where("asker.xchan_network", "=", "activitypub")
    .executeTakeFirst();
  return row && { uuid: row.uuid, name: row.name, created: row.created, poll: { mid: row.mid, author: row.author } };
}

/** The voter's own row of the vote, for the poll's author and nobody else. */
async function keepAnswer(hub: Hub, voter: Channel, { top, parent }: Thread, name: string): Promise<void> {
  const created = now(hub);
  const message = await saveMessage(
    hub,
    {
      author_id: voter.xchan_id,
      parent_mid: top.mid,
      thr_parent: parent.mid,
      created,
      edited: created,
      mimetype: "text/bbcode",
      title: name,
      verb: verbUri("post"),
      obj_type: answerType,
      sig: await sign(hub, voter.channel_id, ""),
      item_verified: 1,
    },
    [],
  );
  const asker = await findXchan(hub, { id: parent.author_id });
  if (asker?.xchan_network === "activitypub")
    await addDeed(hub, voter.channel_id, { deed: "vote", message: message.id });
  await saveItem(hub, {
    ...onlyFor(asker?.xchan_hash ?? voter.channel_hash),
    uid: voter.channel_id,
    aid: voter.channel_account_id,
    message_id: message.id,
    parent: top.id,
    thr_parent_id: parent.id,
    author_id: voter.xchan_id,
    owner_id: top.owner_id,
    created,
    item_origin: 1,
    item_hidden: 1,
    item_wall: top.item_wall,
  });
}
