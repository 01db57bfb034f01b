import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { isDeleted } from "../deleted-ids.ts";
import { handOut } from "../delivery/answers.ts";
import type { Taker } from "../delivery/answers.ts";
import { batch, inBatches, together } from "../delivery/batches.ts";
import { fanOutTop, mentionsOf } from "../delivery/fan-out.ts";
import type { Copies, Shared } from "../delivery/fan-out.ts";
import { notifyReaders } from "../delivery/notices.ts";
import { forEverybody } from "../delivery/site-copies.ts";
import { mostMentions } from "../delivery/mentioned-strangers.ts";
import { lockThread } from "../queries.ts";
import type { Item } from "../types.ts";
import type { Audience, Reader } from "./readers.ts";
import type { StoredMessage } from "./store-message.ts";

/** Makes the message, if it is not here yet; part of a transaction. */
export type Store = (hub: Hub) => Promise<StoredMessage>;

/** What is decided about copies before there is a message. */
export type Decided = Pick<
  Shared,
  "author_id" | "owner_id" | "created" | "comment_policy" | "item_private" | "item_notshown"
>;

/**
 * Gives channels their copies of a post of somebody elsewhere, in batches that stand each for itself: whoever runs it again goes on
 * where it ended.
 */
export async function spreadTop(
  hub: Hub,
  mid: string,
  readers: readonly Reader[],
  audience: Audience,
  decided: Decided,
  store: Store,
): Promise<void> {
  const isKnown = readers.length > 0 && audience.isPublic && !audience.isUnlisted && decided.item_private === 0;
  for (const some of inBatches([...(isKnown ? await forEverybody(hub) : []), ...readers], together))
    await inTransaction(hub, async (hub) => {
      // It may have been deleted since the last batch.
      if (await isDeleted(hub, mid)) return;
      const message = await store(hub);
      const shared = { ...sharedBy(message, decided), item_thread_top: 1 };
      const mentioned = await mentionedAmong(hub, message, some.filter(isReader), audience);
      for (const group of inBatches(some, batch)) {
        const copies = await fanOutTop(hub, shared, group, mentioned);
        // A new thread that names nobody concerns nobody yet.
        if (mentioned.length > 0) await tell(hub, group.filter(isReader), copies, shared);
      }
    });
}

/** The thread of somebody elsewhere that an answer belongs to, and what it answers there. */
export type ForeignThread = { top: Item; parentMessage: number };

/** The same for an answer; `newcomers` get the thread along. */
export async function spreadAnswer(
  hub: Hub,
  mid: string,
  { top, parentMessage }: ForeignThread,
  readers: readonly Reader[],
  newcomers: readonly Reader[],
  audience: Audience,
  decided: Decided,
  store: Store,
): Promise<void> {
  const isKnown = audience.isPublic && top.item_private === 0 && top.item_wall === 0;
  const having = [...(isKnown ? await forEverybody(hub) : []), ...readers];
  await handOut<Taker | Reader>(hub, having, newcomers, async (hub, some) => {
    await lockThread(hub, top.message_id);
    if ((await isDeleted(hub, mid)) || (await isDeleted(hub, top.mid))) return undefined;
    const message = await store(hub);
    const answer = { ...sharedBy(message, decided), item_thread_top: 0, mid: message.mid, parentMessage };
    return { answer, top, mentioned: await mentionedAmong(hub, message, some.filter(isReader), audience) };
  });
}

/** Of the copies of the site nobody is told. */
function isReader(taker: Taker | Reader): taker is Reader {
  return "follows" in taker;
}

function sharedBy(message: StoredMessage, decided: Decided): Omit<Shared, "item_thread_top"> {
  return {
    ...decided,
    message_id: message.id,
    source_id: 0,
    commented: decided.created,
    public_policy: "",
    item_kind: 0,
    item_direct: 0,
  };
}

/** The readers whom a message mentions and to whom it is addressed. */
export async function mentionedAmong(
  hub: Hub,
  { id }: StoredMessage,
  readers: readonly Reader[],
  audience: Audience,
): Promise<Reader[]> {
  if (audience.named.size === 0) return [];
  const mentions = await mentionsOf(hub, { message_id: id });
  const uids = new Set(mentions.map(({ channel_id }) => channel_id));
  const concerned = readers.filter(({ channel_id }) => uids.has(channel_id) && audience.named.has(channel_id));
  return audience.addresses.size > mostMentions ? concerned.filter(({ follows }) => follows) : concerned;
}

async function tell(hub: Hub, readers: readonly Reader[], copies: Copies, shared: Shared): Promise<void> {
  if (copies.size > 0) await notifyReaders(hub, readers, copies, shared);
}
