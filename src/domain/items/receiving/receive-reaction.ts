import { sql } from "kysely";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import type { Xchan } from "../../identity/xchans/xchans.ts";
import { recountElsewhere } from "../changed.ts";
import { isDeleted } from "../deleted-ids.ts";
import { activityMessage } from "../posting/activity-message.ts";
import { aboutReaction, takeBack } from "../posting/react.ts";
import { lockThread, selectItems } from "../queries.ts";
import type { Item } from "../types.ts";
import { objectTypeUri, reactionOf, reactionSentence, reactionSet, verbUri } from "../vocabulary.ts";
import { answerHere } from "./answer-here.ts";
import { believableDate } from "./dates.ts";
import { passOnLate } from "./pass-on-late.ts";
import type { Thread } from "./place.ts";
import { havingMessage, wanting } from "./readers.ts";
import type { ReceivedDeed } from "./received.ts";
import { spreadAnswer } from "./spread.ts";
import { ensure } from "./store-message.ts";
import type { EnsuredMessage, StoredMessage } from "./store-message.ts";
import { findWelcoming } from "./welcoming.ts";
import { isTakenBack } from "../taken-back.ts";

/**
 * Somebody of elsewhere reacts to an item that is here; `name` is the short name of the reaction. Of those that exclude one another
 * the newest counts, and a second one of the same kind changes nothing. One that `mayWait` does where comments of its author do;
 * answers whether it waits. Throws denied, missing.
 */
export async function receiveReaction(
  hub: Hub,
  deed: ReceivedDeed,
  name: string,
  { mayWait = false }: { mayWait?: boolean } = {},
): Promise<boolean> {
  const set = reactionSet(name);
  const thread = set && (await findWelcoming(hub, deed.target, deed));
  if (!thread || !takes(thread.answered, name)) return false;
  let waits = false;
  const message = await inTransaction(hub, async (hub) => {
    await lockThread(hub, thread.top.message_id);
    if ((await isDeleted(hub, deed.mid)) || (await isTakenBack(hub, deed.mid))) return undefined;
    const others = await reactionsBy(hub, deed.author, thread.answered, set, deed.mid);
    const created = believableDate(hub, deed.published);
    if (others.some((item) => item.verb === verbUri(name) || item.created > created)) return undefined;
    let stored: EnsuredMessage | undefined;
    const store = async (hub: Hub) => (stored ??= await storeReaction(hub, deed, name, thread, created));
    if (thread.owner)
      waits = await answerHere(hub, { ...thread, owner: thread.owner }, { ...answerOf(deed, created), mayWait }, store);
    await takeBack(hub, others, thread.answered);
    if (thread.parent.nick !== null && thread.answered.item_consensus === 1)
      await recountElsewhere(hub, thread.answered);
    const { wasHere, ...message } = await store(hub);
    if (thread.owner && wasHere) await passOnLate(hub, message.id, deed);
    return message;
  });
  if (message && !thread.owner) await spread(hub, deed, thread, message);
  return waits;
}

/** Reactions are no subject of others, and one is invited to events alone. */
function takes({ verb, obj_type }: Item, name: string): boolean {
  if (reactionOf(verb) !== undefined) return false;
  return !name.startsWith("attend") || obj_type === objectTypeUri("event");
}

function answerOf({ mid, author, via }: ReceivedDeed, created: string) {
  return { mid, author, via, author_id: author.xchan_id, created, item_notshown: 1 as const, mentioned: [] };
}

async function storeReaction(
  hub: Hub,
  { mid, author, document, isForwarded }: ReceivedDeed,
  name: string,
  { top, answered }: Thread,
  created: string,
): Promise<EnsuredMessage> {
  const activity = { verb: name, does: reactionSentence(name) };
  const message = await activityMessage(
    hub,
    { xchan_id: author.xchan_id },
    top,
    answered,
    activity,
    aboutReaction(hub, name),
  );
  return ensure(hub, { ...message, mid, created, edited: created }, [], [], { document, isForwarded });
}

/** In a thread of somebody elsewhere everybody gets it who has what it is about. */
async function spread(
  hub: Hub,
  { author, mid, published }: ReceivedDeed,
  thread: Thread,
  message: StoredMessage,
): Promise<void> {
  const { top, parent } = thread;
  const created = believableDate(hub, published);
  const readers = await wanting(hub, author, await havingMessage(hub, parent.id));
  const nobody = { isPublic: true, isUnlisted: false, followers: false, addresses: new Set<string>() };
  const audience = { ...nobody, named: new Set<number>() };
  const { comment_policy, item_private, owner_id } = top;
  const decided = { author_id: author.xchan_id, owner_id, comment_policy, item_private, item_notshown: 1 };
  const place = { top, parentMessage: parent.id };
  const whole = readers.map((reader) => ({ ...reader, follows: false }));
  await spreadAnswer(hub, mid, place, whole, [], audience, { ...decided, created }, () => Promise.resolve(message));
}

/** What else this person has of these reactions to an item. */
export function reactionsBy(
  hub: Hub,
  author: Pick<Xchan, "xchan_id">,
  target: Item,
  names: readonly string[],
  butNot = "",
): Promise<Item[]> {
  return selectItems(hub)
    .where("item.thr_parent_id", "=", target.id)
    .where("item.item_normal", "=", sql.lit(1))
    .where("item.author_id", "=", author.xchan_id)
    .where("message.mid", "<>", butNot)
    .where(isOneOf(hub.engine, sql.ref("message.verb"), names.map(verbUri)))
    .execute();
}
