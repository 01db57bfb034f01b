import { refusal } from "../../../errors.ts";
import { now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { zeroDate } from "../../../storage/sql.ts";
import { addDeed, addJob, senderLane } from "../../../jobs/queue.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { inheritedScope, onlyFor } from "../audience.ts";
import { prepareContent } from "../content.ts";
import type { Prepare } from "../content.ts";
import { ownCopyOf } from "../find.ts";
import type { ItemRef } from "../find.ts";
import { linkingOf, recordLinkedPage } from "../linked-page.ts";
import { authorId, messageOf } from "../message.ts";
import { saveMeta } from "../metadata.ts";
import { fanOutAnswer } from "../delivery/fan-out.ts";
import { notifyAnswer, notifyHeld } from "../delivery/notices.ts";
import { openThread, refuseOtherThread } from "./open-thread.ts";
import type { Thread } from "./open-thread.ts";
import { otherReaders } from "../delivery/recipients.ts";
import { forEverybody } from "../delivery/site-copies.ts";
import { refuseRepeat } from "./repeats.ts";
import { askConsent } from "../consents.ts";
import { askToQuote } from "../quote-stamps.ts";
import { loadItem, publicMarks, saveItem, saveMessage } from "../save.ts";
import { isKeptHere } from "../sent-to.ts";
import { shareFiles } from "../share-files.ts";
import type { NewItem } from "../save.ts";
import { countStatus } from "../status-count.ts";
import { touchThread } from "../thread-dates.ts";
import type { Draft, Item } from "../types.ts";
import { blockedAs } from "../vocabulary.ts";

/** A new comment or reaction, stored and about to get its rows; `mentioned` are xchan ids. */
export type Answer = {
  message_id: number;
  created: string;
  author_id: number;
  item_notshown: 0 | 1;
  mentioned: readonly number[];
  /** It mentions people of elsewhere whom nobody here knows. */
  namesStrangers?: boolean;
  /** It waits on the owner's side until it is let in. */
  held?: boolean;
  /** It is for nobody but the owner of the thread, and those whom its author has told besides. */
  whispered?: boolean;
  postopts?: string;
  /** What whoever wrote the answered message may want to be asked for, if that is somebody elsewhere. */
  asks?: "reply" | "like";
};

/** Answers an item: the author's own copy, the owner's, and a job for everybody else. Throws missing, denied, conflict. */
export async function commentOn(
  hub: Hub,
  author: Channel,
  ref: ItemRef,
  draft: Draft,
  prepare: Prepare = prepareContent,
): Promise<Item> {
  const thread = await openThread(hub, author, draft.thrParent === undefined ? ref : { mid: draft.thrParent });
  if (draft.thrParent !== undefined) await refuseOtherThread(hub, author, ref, thread);
  const content = await prepare(hub, author, draft);
  if (thread.commentPolicy.refusesRepeats) await refuseRepeat(hub, author, author.channel_id, content.body);
  const created = notLater(hub, draft.created);
  const message = await saveMessage(
    hub,
    {
      ...(await messageOf(hub, author, { ...draft, created }, content, "comment")),
      parent_mid: thread.top.mid,
      thr_parent: thread.parent.mid,
      comments_closed: thread.top.comments_closed,
    },
    content.terms,
    thread.top.item_private === 0 ? publicMarks(draft) : [],
  );
  await saveMeta(hub, author.channel_id, message, draft);
  const answer: Answer = {
    message_id: message.id,
    created,
    author_id: await authorId(hub, author, draft),
    item_notshown: draft.notshown ? 1 : 0,
    mentioned: content.mentions.map((mention) => mention.xchanId),
    namesStrangers: content.namesStrangers,
    held: thread.commentPolicy.held,
    ...(draft.nopush && { postopts: "nopush" }),
    asks: "reply",
  };
  const item = await store(hub, author, thread, answer, draft);
  // Natively the author's files stay theirs in the threads of others.
  if (thread.top.owner_id === author.xchan_id || draft.sharesFiles)
    await shareFiles(hub, author, { message_id: message.id }, content);
  if (!answer.held) await countStatus(hub, item, 1);
  if (item.expires !== zeroDate) await addJob(hub, "expire-item", { message: item.message_id }, { at: item.expires });
  return item;
}

/** Who gets the comment: its thread, or nobody but the channel when another network distributes it or it is hidden. */
function store(hub: Hub, author: Channel, thread: Thread, answer: Answer, draft: Draft): Promise<Item> {
  if (draft.remoteXchan !== undefined) return keepToOneself(hub, author, thread, answer);
  if (draft.origin !== false && !draft.hidden) return spread(hub, author, thread, answer);
  return storeHere(hub, author, thread, answer, {
    item_origin: draft.origin === false ? 0 : 1,
    item_hidden: draft.hidden ? 1 : 0,
  });
}

/** A comment cannot wait for its time, and one from the future would keep its thread on top. */
function notLater(hub: Hub, created: string | undefined): string {
  return created !== undefined && created < now(hub) ? created : now(hub);
}

/** Stores the rows of a new comment or reaction, newest dates on both copies of the thread, and fans out the rest. */
export async function spread(hub: Hub, author: Channel, thread: Thread, answer: Answer): Promise<Item> {
  const item = await storeHere(hub, author, thread, answer, { item_origin: 1 });
  if (thread.owner && thread.wallTop)
    await reachOwner(hub, author, thread.owner, thread.wallTop, thread.parent.message_id, answer);
  else {
    await addDeed(hub, author.channel_id, { deed: "say", message: answer.message_id });
    if (item.item_private === 0) {
      await fanOutAnswer(hub, item, thread.top, await forEverybody(hub), []);
      await reachReaders(hub, author, thread.top, answer);
    }
    if (answer.asks && !isKeptHere(item) && mayBeTold(thread))
      await askConsent(hub, author, answer.asks, answer.message_id, thread.parent.message_id);
  }
  await askToQuote(hub, item);
  await recordLinkedPage(hub, linkingOf(item), "here");
  await keepThread(hub, thread.top, author);
  return item;
}

/** In a private thread nobody but its owner gets what is said (federation contract 6.3), so nobody else is asked about it. */
function mayBeTold({ top, parent }: Thread): boolean {
  return top.item_private === 0 || parent.author_id === top.owner_id;
}

/** Stores the author's own row. */
async function storeHere(
  hub: Hub,
  author: Channel,
  thread: Thread,
  answer: Answer,
  marks: Partial<NewItem>,
): Promise<Item> {
  const own = await saveItem(hub, {
    ...answerRow(answer, thread.top, thread.parent),
    ...marks,
    item_wall: thread.top.item_wall,
  });
  if (!own) throw refusal("duplicate_post");
  const comment = answer.item_notshown || marks.item_hidden ? undefined : answer;
  if (comment && thread.top.item_kept === 1)
    await hub.db.updateTable("item").set({ item_kept: 0 }).where("id", "=", thread.top.id).execute();
  await touchThread(hub, thread.top.message_id, [author.channel_id], comment);
  return loadItem(hub, own.id);
}

/** Words under another's name stay with the channel, seen by nobody else (native contract 6.15). */
async function keepToOneself(hub: Hub, author: Channel, thread: Thread, answer: Answer): Promise<Item> {
  const alone = onlyFor(author.channel_hash);
  const own = await saveItem(hub, { ...answerRow(answer, thread.top, thread.parent), ...alone, item_origin: 1 });
  if (!own) throw refusal("duplicate_post");
  return loadItem(hub, own.id);
}

/** The fields that every copy of an answer takes from its thread. */
function answerRow(answer: Answer, top: Item, parent: Item | undefined): NewItem {
  return {
    ...inheritedScope(top),
    message_id: answer.message_id,
    created: answer.created,
    author_id: answer.author_id,
    item_notshown: answer.item_notshown,
    postopts: answer.postopts ?? "",
    uid: top.uid,
    aid: top.aid,
    parent: top.id,
    thr_parent_id: parent?.id ?? 0,
    owner_id: top.owner_id,
    source_id: top.source_id,
  };
}

/**
 * The owner's copy is the one that counts: it goes on the wall, and from there to the audience. Without an author the answer comes
 * from elsewhere. What is there already changes nothing.
 */
export async function reachOwner(
  hub: Hub,
  author: Channel | undefined,
  owner: Channel,
  wallTop: Item,
  parentMessage: number,
  answer: Answer,
): Promise<void> {
  const foreign = owner.channel_id !== author?.channel_id;
  if (foreign) {
    const parent = await ownCopyOf(hub, owner.channel_id, parentMessage);
    const theirs = await saveItem(hub, {
      ...answerRow(answer, wallTop, parent),
      ...(answer.whispered && onlyFor(owner.channel_hash)),
      item_origin: author ? 1 : 0,
      item_wall: wallTop.item_wall,
      item_unseen: 1,
      item_mentionsme: answer.mentioned.includes(owner.xchan_id) ? 1 : 0,
      answers_me: parent?.author_id === owner.xchan_id ? 1 : 0,
      item_blocked: answer.held ? blockedAs.held : 0,
    });
    if (!theirs) return;
    if (answer.held) return notifyHeld(hub, owner, theirs.id);
    await touchThread(hub, wallTop.message_id, [owner.channel_id], answer.item_notshown ? undefined : answer);
    await notifyAnswer(hub, owner, theirs.id);
  }
  if (answer.whispered) return;
  const { elsewhere } = await reachReaders(hub, owner, wallTop, answer, author);
  if (elsewhere || answer.namesStrangers)
    await addDeed(hub, owner.channel_id, { deed: "say", message: answer.message_id });
}

/** A job for those here who have the thread, or are mentioned, by the copy of `keeper`; answers who may be anywhere. */
async function reachReaders(
  hub: Hub,
  keeper: Channel,
  top: Item,
  { message_id: message, mentioned }: Answer,
  author: Channel | undefined = keeper,
): Promise<{ elsewhere: boolean }> {
  const readers = await otherReaders(hub, top, author);
  if (readers.here || mentioned.length > 0)
    await addJob(hub, "deliver-answer", { owner: keeper.channel_id, message }, { lane: senderLane(keeper.channel_id) });
  return readers;
}

/** A thread in which the channel owner takes part never expires. */
async function keepThread(hub: Hub, top: Item, author: Channel): Promise<void> {
  if (top.item_retained === 1 || top.uid !== author.channel_id) return;
  await hub.db.updateTable("item").set({ item_retained: 1 }).where("id", "=", top.id).execute();
}
