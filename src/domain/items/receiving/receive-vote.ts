import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { recountElsewhere } from "../changed.ts";
import { hasEnded, pollOf } from "../poll.ts";
import type { Poll } from "../poll.ts";
import { lockThread } from "../queries.ts";
import { keepFromFormerReaders } from "../delivery/former-readers.ts";
import { loadItem } from "../save.ts";
import { touchAll } from "../thread-dates.ts";
import type { Item } from "../types.ts";
import { countVote, ownVotes, recordFormerVote } from "../votes.ts";
import { admit } from "./answer-here.ts";
import { receiveReaction } from "./receive-reaction.ts";
import type { ReceivedDeed } from "./received.ts";
import { findWelcoming } from "./welcoming.ts";

/** Votes on a decision are reactions. */
const decisions: Readonly<Record<string, string>> = { Agree: "agree", Disagree: "disagree", Abstain: "abstain" };

/**
 * Somebody of elsewhere votes in a poll of this hub; `name` is what they chose. Counted once for each choice, and once at all where
 * only one may be chosen; after its end, and for what cannot be chosen, nothing happens. Throws missing, denied.
 */
export async function receiveVote(hub: Hub, deed: ReceivedDeed, name: string): Promise<void> {
  const thread = await findWelcoming(hub, deed.target, deed);
  if (!thread || thread.parent.nick === null) return;
  if (thread.answered.item_consensus === 1) {
    const reaction = decisions[name];
    if (reaction !== undefined) await receiveReaction(hub, deed, reaction);
    return;
  }
  await inTransaction(hub, async (hub) => {
    await lockThread(hub, thread.top.message_id);
    const item = await loadItem(hub, thread.answered.id);
    const poll = pollOf(item);
    if (!poll || hasEnded(hub, poll) || !poll.options.some((option) => option.name === name)) return;
    if (thread.owner) await admit(hub, thread, deed.author);
    await count(hub, item, poll, deed.author.xchan_id, name);
    if (thread.top.message_id !== item.message_id) await touchAll(hub, thread.top.message_id);
  });
}

async function count(hub: Hub, item: Item, { several }: Poll, voter: number, name: string): Promise<void> {
  const { message_id } = item;
  const former = (await ownVotes(hub, voter, [message_id])).get(message_id) ?? [];
  if (former.includes(name) || (former.length > 0 && !several)) return;
  await keepFromFormerReaders(hub, item);
  await recordFormerVote(hub, message_id, voter, name);
  await countVote(hub, message_id, [name], former.length === 0 ? 1 : 0);
  await touchAll(hub, message_id);
  await recountElsewhere(hub, item);
}
