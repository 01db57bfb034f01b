import { refusal } from "../../../errors.ts";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { addJob } from "../../../jobs/queue.ts";
import { isSameId } from "../../identity/xchans/foreign-ids.ts";
import { changeElsewhere } from "../changed.ts";
import { keepFromFormerReaders } from "../delivery/former-readers.ts";
import { planEditNotice } from "../delivery/notify-changes.ts";
import { isDeleted } from "../deleted-ids.ts";
import { hasCome } from "../../../lasting.ts";
import { zeroDate } from "../../../storage/sql.ts";
import { askForMentioned } from "./ask-for-mentioned.ts";
import { closeCopies } from "./close-copies.ts";
import { expiryOf } from "./dates.ts";
import { loadItem } from "../save.ts";
import { touchAll } from "../thread-dates.ts";
import { anyCopyOf } from "../find.ts";
import { findKnownMessage } from "./known-message.ts";
import type { KnownMessage } from "./known-message.ts";
import type { Layout } from "./layout.ts";
import { joinMeant, keepFromLeftOut, leavesOwnerOut } from "./left-out.ts";
import { offerToForums } from "./offer-to-forums.ts";
import { renewEntries } from "./received-event.ts";
import { passOnLate } from "./pass-on-late.ts";
import { findThread } from "./place.ts";
import { readersOf } from "./readers.ts";
import type { Reader } from "./readers.ts";
import { receiveAnswerElsewhere, receiveAnswerHere } from "./receive-answer.ts";
import type { ReceivedPost } from "./received.ts";
import { notifyQuoted } from "./receive-share.ts";
import { spreadTop } from "./spread.ts";
import { replaceMessage, versionOf } from "./store-message.ts";
import { tagReaders } from "./tag-readers.ts";
import { findWelcoming } from "./welcoming.ts";
import { decidedBy, metaOf, storing } from "./whole.ts";
import type { Whole } from "./whole.ts";
import type { WholePost } from "./whole-post.ts";
import { keepWithheld } from "./withheld.ts";
import { emit } from "../../live/emit.ts";

export type Taking = {
  isEdit: boolean;
  /** It begins a thread even if it answers something. */
  alone?: boolean;
  /** Who gets a thread besides, because somebody answers in it, or hands it on to them. */
  also?: readonly Reader[];
};

/** What became of it: `elsewhere`: what it answers is not here. */
export type Outcome = "taken" | "elsewhere";

/**
 * Stores a post or comment of somebody elsewhere for those channels that shall have it (federation contract 5, 6), or what has
 * changed of it. It may come again and again. Inside no transaction: texts are laid out before one.
 */
export async function receivePost(
  hub: Hub,
  came: WholePost,
  { isEdit, alone = false, also = [] }: Taking,
): Promise<Outcome> {
  const { post } = came;
  const [isGone, known] = await Promise.all([isDeleted(hub, post.mid), findKnownMessage(hub, post.mid)]);
  if (isGone || (!known && isOver(hub, post))) return "taken";
  if (known && known.author_id !== post.author.xchan_id) throw refusal("permission_denied");
  await keepWithheld(hub, post, await came.meant(), isEdit);
  const answered = alone ? undefined : answeredBy(post, known);
  const thread = answered === undefined ? undefined : await findWelcoming(hub, answered, post);
  if (answered !== undefined && !thread && !known) return "elsewhere";
  const whole = await came.whole();
  if (known) await renew(hub, known, whole, isEdit);
  // An answer does not go to another thread, nor out of its own.
  if (known && known.parent_mid !== known.mid && thread?.parent.parent_mid !== known.parent_mid) return "taken";
  if (answered === undefined) await receiveTop(hub, whole, also);
  else if (thread?.owner) await receiveAnswerHere(hub, { ...thread, owner: thread.owner }, whole);
  else if (thread) await receiveAnswerElsewhere(hub, thread, whole);
  return "taken";
}

function isOver(hub: Hub, post: ReceivedPost): boolean {
  const expires = expiryOf(post);
  return expires !== zeroDate && hasCome(hub, expires);
}

/** The channels that a post is for by itself, whatever it answers. */
export async function readersFor(hub: Hub, came: WholePost): Promise<Reader[]> {
  const { post, layout, audience } = await came.whole();
  return readersOf(hub, post.author, audience, { ...post, ...layout });
}

/** Keeps a public post that somebody shares; it comes to nobody but those who follow a tag of it. */
export async function keepPublicPost(hub: Hub, came: WholePost): Promise<void> {
  const whole = await came.whole();
  const { post } = whole;
  const store = storing(whole, undefined);
  await inTransaction(hub, async (hub) => {
    if (!(await isDeleted(hub, post.mid))) await store(hub);
  });
  const decided = decidedBy(hub, whole, (post.group ?? post.author).xchan_id);
  await spreadTop(hub, post.mid, await tagReaders(hub, whole, decided), whole.audience, decided, store);
}

/** What it answers; what is here stays where it stands. */
function answeredBy({ mid, inReplyTo }: ReceivedPost, known: KnownMessage | undefined): string | undefined {
  if (known && known.parent_mid === known.mid) return undefined;
  return inReplyTo === undefined || isSameId(inReplyTo, mid) ? undefined : inReplyTo;
}

/** Another version takes the place of an older one, and the genuine text that of one that an import brought. */
async function renew(hub: Hub, { id }: KnownMessage, whole: Whole, isEdit: boolean) {
  const { post, layout, terms, unmatched, audience } = whole;
  await inTransaction(hub, async (hub) => {
    const known = await findKnownMessage(hub, post.mid);
    const version = versionOf(hub, post, isEdit);
    if (known?.id !== id) return;
    if (!isNews(known, version, isEdit, layout, post))
      return version === known.edited ? passOnLate(hub, id, post) : undefined;
    const isAnswer = known.parent_mid !== known.mid;
    const thread = isAnswer ? await findThread(hub, known.mid) : undefined;
    const said = { whole, isAnswer, thread };
    if (await leavesOwnerOut(hub, said)) return close(hub, id, version);
    const { author_id } = known;
    // What is said in a private thread is for nobody else, whatever it claims.
    const isOpen = audience.isPublic && (thread === undefined || thread.top.item_private === 0);
    await keepFromFormerReaders(hub, { message_id: id, author_id, item_private: isOpen ? 0 : 1 });
    await keepFromLeftOut(hub, id, said);
    const wasEdited = await replaceMessage(hub, known, post, layout, terms, metaOf(audience, post), version);
    await joinMeant(hub, id, said);
    await askForMentioned(hub, id, post.author, unmatched);
    if (!audience.isPublic) await closeCopies(hub, id);
    if (layout.event) await renewEntries(hub, post.author, layout.event, version);
    const copy = await anyCopyOf(hub, id);
    if (!copy) return;
    await touchAll(hub, id);
    await emit(hub, { what: "edit", message: id });
    if (copy.item_thread_top === 0) await touchAll(hub, (await loadItem(hub, copy.parent)).message_id);
    await addJob(hub, "note-mentions", { item: copy.id });
    if (wasEdited) await planEditNotice(hub, id);
    await changeElsewhere(hub, copy, { stamp: version });
  });
}

/**
 * Somebody of elsewhere says of a post of theirs that it is a direct message from now on: whoever has it keeps it as it is, and nobody
 * else sees it. What they have written there since is for those to whom the message goes.
 */
export async function closePost(hub: Hub, post: ReceivedPost): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const known = await findKnownMessage(hub, post.mid);
    const version = versionOf(hub, post, true);
    if (known?.author_id !== post.author.xchan_id || version < known.edited) return;
    await close(hub, known.id, version);
  });
}

/** Nobody gets the new words; whoever has the former ones keeps them for themselves. */
async function close(hub: Hub, messageId: number, version: string): Promise<void> {
  await closeCopies(hub, messageId);
  // No older version opens it again.
  await hub.db.updateTable("message").set({ edited: version }).where("id", "=", messageId).execute();
  await touchAll(hub, messageId);
  await emit(hub, { what: "edit", message: messageId });
}

function isNews(known: KnownMessage, version: string, isEdit: boolean, layout: Layout, post: ReceivedPost): boolean {
  if (known.item_verified === 0) return true;
  if (version !== known.edited || !isEdit) return version > known.edited;
  return known.html !== layout.html || known.title !== post.title || known.obj !== layout.obj;
}

/** A new thread, for those who follow the author or a tag of it, or are named. */
async function receiveTop(hub: Hub, whole: Whole, also: readonly Reader[]): Promise<void> {
  const { post, layout, audience } = whole;
  const meant = await readersOf(hub, post.author, audience, { ...post, ...layout });
  const store = storing(whole, undefined);
  const decided = decidedBy(hub, whole, (post.group ?? post.author).xchan_id);
  const known = new Set(meant.map(({ channel_id }) => channel_id));
  const others = [...also, ...(await tagReaders(hub, whole, decided))].filter(
    ({ channel_id }) => !known.has(channel_id),
  );
  const forums = await offerToForums(hub, post.author, audience, decided.created, store);
  const readers = [...meant, ...others].filter(({ channel_id }) => !forums.has(channel_id));
  await notifyQuoted(hub, post, store);
  await spreadTop(hub, post.mid, readers, audience, decided, store);
}
