import { sql } from "kysely";
import { missing, refusal } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import { observerOf } from "../../identity/channels/observer.ts";
import type { Observer } from "../../identity/channels/observer.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { findChannelsByXchan } from "../../identity/channels/channels.ts";
import { commentRefusals } from "../../permissions/comment.ts";
import type { CommentRefusal } from "../../permissions/comment.ts";
import { ensureCopy } from "./copies.ts";
import type { ItemRef } from "../find.ts";
import { showPhotoItem } from "../photo-item.ts";
import { findAnswerable } from "../media/photo-thread.ts";
import { messagesNaming } from "../naming.ts";
import { lockThread, selectItems, yes } from "../queries.ts";
import { commentPoliciesOf } from "../comment-policy.ts";
import type { CommentPolicy } from "../comment-policy.ts";
import type { Item } from "../types.ts";

/** A thread in which somebody is about to answer: their own copies, and the owner's side as far as it is here. */
export type Thread = {
  top: Item;
  parent: Item;
  owner: Channel | undefined;
  wallTop: Item | undefined;
  commentPolicy: CommentPolicy;
};

/**
 * The thread of an item that the author may answer, with the author's own copy of it (made if need be).
 * Throws missing (not seen), denied (`comments_closed`, `permission_denied`).
 */
export async function openThread(hub: Hub, author: Channel, ref: ItemRef): Promise<Thread> {
  let { seen, top } = await seeThread(hub, author, ref);
  if (await lockThread(hub, top.message_id)) ({ seen, top } = await seeThread(hub, author, { id: seen.id }));
  if (top.item_hidden === 1) {
    await showPhotoItem(hub, top);
    ({ seen, top } = await seeThread(hub, author, { id: seen.id }));
  }
  const judged = await judge(hub, observerOf(author), top);
  const own = await ensureCopy(hub, author, top);
  const parent = seen.message_id === top.message_id ? own : await ensureCopy(hub, author, seen);
  return { top: own, parent, ...judged };
}

const welcome: CommentPolicy = { unwelcome: false, held: false, refusesRepeats: false };

async function seeThread(hub: Hub, author: Channel, ref: ItemRef): Promise<{ seen: Item; top: Item }> {
  const seen = await findAnswerable(hub, observerOf(author), ref);
  if (seen.item_thread_top === 1) return { seen, top: seen };
  return { seen, top: await findAnswerable(hub, observerOf(author), { id: seen.parent }) };
}

/** What the owner's side says about an answer. */
export type Judged = Omit<Thread, "top" | "parent">;

/** Native contract 3.7, by the top on the owner's wall where that is here; who is blocked or ignored there says nothing. Whom the top names may always answer. */
export async function judge(hub: Hub, author: Observer, top: Item, isNamed = false): Promise<Judged> {
  const { refused, ...judged } = (await judgeAll(hub, author, [top])).get(top.message_id)!;
  const excused = isNamed && refused === "permission_denied" && !judged.commentPolicy.unwelcome;
  if (refused && !excused) throw refusal(refused);
  return judged;
}

/** The same for several, by their messages, in at most nine queries. */
async function judgeAll(
  hub: Hub,
  author: Observer,
  tops: readonly Item[],
): Promise<Map<number, Judged & { refused: CommentRefusal | undefined }>> {
  const found = await findChannelsByXchan(
    hub,
    tops.map((top) => top.owner_id),
  );
  const owners = new Map(found.map((owner) => [owner.xchan_id, owner]));
  const walls = await wallTopsOf(hub, tops, owners);
  const judgedBy = new Map(tops.map((top) => [top, walls.get(top.message_id) ?? top]));
  const refusals = await commentRefusals(hub, author, [...judgedBy.values()]);
  const policies = await commentPoliciesOf(
    hub,
    found.map((owner) => owner.channel_id),
    author,
  );
  // Whom something public of this hub mentions has it, and may answer; whoever has left a private thread may not.
  const mayName = [...judgedBy].filter(
    ([{ owner_id }, judging]) =>
      refusals.get(judging) === "permission_denied" && (!owners.has(owner_id) || judging.item_private === 0),
  );
  const naming = await messagesNaming(
    hub,
    author,
    mayName.map(([top]) => top.message_id),
  );
  return new Map(
    [...judgedBy].map(([top, judging]) => {
      const owner = owners.get(top.owner_id);
      const wallTop = walls.get(top.message_id);
      const commentPolicy = (owner && policies.get(owner.channel_id)) ?? welcome;
      const judged = naming.has(top.message_id) ? undefined : refusals.get(judging);
      // Whoever keeps the thread as it was has left it; a photo that nobody has answered yet is on no wall.
      const isOutside = owner !== undefined && !wallTop && top.uid !== owner.channel_id;
      const refused = commentPolicy.unwelcome || isOutside ? "permission_denied" : judged;
      return [top.message_id, { owner, wallTop, commentPolicy, refused }];
    }),
  );
}

/** The owners' own copies of these tops, by their messages. */
async function wallTopsOf(
  hub: Hub,
  tops: readonly Item[],
  owners: ReadonlyMap<number, Channel>,
): Promise<Map<number, Item>> {
  if (owners.size === 0) return new Map();
  const messages = tops.map((top) => top.message_id);
  const copies = await selectItems(hub)
    .where(isOneOf(hub.engine, sql.ref("item.message_id"), messages))
    .where(
      isOneOf(
        hub.engine,
        sql.ref("item.uid"),
        [...owners.values()].map((owner) => owner.channel_id),
      ),
    )
    .where("item.item_normal", "=", yes)
    .execute();
  const uidOf = new Map(tops.map((top) => [top.message_id, owners.get(top.owner_id)?.channel_id]));
  return new Map(
    copies.filter((copy) => uidOf.get(copy.message_id) === copy.uid).map((copy) => [copy.message_id, copy]),
  );
}

/** May the author answer in the thread of this top? For pages that show a form or say why there is none. */
export async function mayAnswer(hub: Hub, author: Channel, top: Item): Promise<boolean> {
  return (await answerableAmong(hub, author, [top])).has(top.message_id);
}

/** The messages of those of these tops in whose threads the author may answer. */
export async function answerableAmong(hub: Hub, author: Channel, tops: readonly Item[]): Promise<Set<number>> {
  if (tops.length === 0) return new Set();
  const judged = await judgeAll(hub, observerOf(author), tops);
  return new Set([...judged].flatMap(([message, { refused }]) => (refused === undefined ? [message] : [])));
}

/** A direct parent that was named besides the thread must belong to it. Throws missing. */
export async function refuseOtherThread(hub: Hub, author: Channel, ref: ItemRef, thread: Thread): Promise<void> {
  const { top } = await seeThread(hub, author, ref);
  if (top.message_id !== thread.top.message_id) throw missing("Item");
}
