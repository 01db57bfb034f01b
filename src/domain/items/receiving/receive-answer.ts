import { HubError, certain } from "../../../errors.ts";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { approvalOf } from "../approvals.ts";
import { unwelcome } from "../delivery/notification-targets.ts";
import { keepRequest, answerForeign } from "../posting/answers-elsewhere.ts";
import { answerHere } from "./answer-here.ts";
import type { ThreadHere } from "./answer-here.ts";
import { isForThread } from "./for-thread.ts";
import { findKnownMessage } from "./known-message.ts";
import type { Thread } from "./place.ts";
import { havingMessage, readersOf, wanting } from "./readers.ts";
import type { Reader } from "./readers.ts";
import type { ReceivedPost } from "./received.ts";
import { spreadAnswer } from "./spread.ts";
import { decidedBy, storing } from "./whole.ts";
import type { Whole } from "./whole.ts";

/** An answer in a thread of this hub; whoever is named in it besides gets the thread along where that is public. */
export async function receiveAnswerHere(hub: Hub, thread: ThreadHere, whole: Whole): Promise<void> {
  const { post, layout, terms, audience } = whole;
  const { owner, top, parent } = thread;
  const meant = await readersOf(hub, post.author, audience, { ...post, ...layout });
  const whispered = !audience.isPublic && top.item_private === 0;
  const isMeant = meant.some(({ channel_id }) => channel_id === owner.channel_id);
  if (whispered && !isMeant) return;
  const decided = decidedBy(hub, whole, top.owner_id);
  const store = storing(whole, { parent_mid: top.mid, thr_parent: parent.mid });
  const isNamed = audience.named.has(owner.channel_id) && terms.some(({ url }) => url === urlOf(hub, owner));
  const answer = {
    ...decided,
    mid: post.mid,
    author: post.author,
    via: post.via,
    whispered,
    item_notshown: 0 as const,
  };
  const waits = await letIn(hub, thread, post, () =>
    answerHere(hub, thread, { ...answer, mentioned: isNamed ? [owner.xchan_id] : [] }, store),
  );
  if (waits || top.item_private !== 0) return;
  const there = new Set(await havingMessage(hub, top.message_id));
  const others = meant.filter(({ channel_id }) => channel_id !== owner.channel_id);
  await spreadAnswer(
    hub,
    post.mid,
    { top, parentMessage: parent.id },
    whispered ? others.filter(({ channel_id }) => there.has(channel_id)) : [],
    others.filter(({ channel_id }) => !there.has(channel_id)),
    audience,
    { ...decided, comment_policy: top.comment_policy },
    store,
  );
}

/**
 * Its author hears that it may not stand, and where they have asked that it may; what waits, they hear of when the owner has decided.
 * Whoever is blocked or ignored hears nothing, and of what a group hands on that group answers. Answers whether it waits.
 */
async function letIn(
  hub: Hub,
  { owner, parent }: ThreadHere,
  { mid: id, author, via, request = "" }: ReceivedPost,
  enter: () => Promise<boolean>,
): Promise<boolean> {
  const tell = (accepted: boolean): Promise<void> =>
    inTransaction(hub, (hub) => answerForeign(hub, owner, { id, author, request }, parent, accepted));
  try {
    const waits = await enter();
    if (request === "") return waits;
    if (!waits || (await approvalOf(hub, parent.id, "reply", id))) await tell(true);
    else
      await inTransaction(hub, async (hub) =>
        keepRequest(hub, certain(await findKnownMessage(hub, id), "answer").id, request),
      );
    return waits;
  } catch (error) {
    const isRefused = error instanceof HubError && error.kind === "denied" && !via;
    const hears = isRefused && !(await unwelcome(hub, owner.channel_id, author.xchan_id));
    if (hears && !(await findKnownMessage(hub, id))) await tell(false);
    throw error;
  }
}

function urlOf({ config }: Hub, { channel_address }: Channel): string {
  return `${config.baseUrl}/channel/${channel_address}`;
}

/** An answer in a thread of somebody elsewhere. Nobody who was not meant gets it, and nothing in it is wider than its thread. */
export async function receiveAnswerElsewhere(hub: Hub, { top, parent }: Thread, whole: Whole): Promise<void> {
  const { post, layout, audience } = whole;
  const having = await havingMessage(hub, top.message_id);
  const meant = await readersOf(hub, post.author, audience, { ...post, ...layout });
  const there = new Set(having);
  const newcomers = top.item_private === 0 ? meant.filter(({ channel_id }) => !there.has(channel_id)) : [];
  const readers =
    audience.isPublic || (await isForThread(hub, top, audience))
      ? await withFollowing(hub, post, having, meant)
      : meant.filter(({ channel_id }) => there.has(channel_id));
  const decided = decidedBy(hub, whole, top.owner_id);
  await spreadAnswer(
    hub,
    post.mid,
    { top, parentMessage: parent.id },
    readers,
    newcomers,
    audience,
    { ...decided, comment_policy: top.comment_policy, item_private: Math.max(top.item_private, decided.item_private) },
    storing(whole, { parent_mid: top.mid, thr_parent: parent.mid }),
  );
}

async function withFollowing(hub: Hub, { author }: ReceivedPost, ids: readonly number[], meant: readonly Reader[]) {
  const following = new Set(meant.filter(({ follows }) => follows).map(({ channel_id }) => channel_id));
  const readers = await wanting(hub, author, ids);
  return readers.map((reader) => ({ ...reader, follows: following.has(reader.channel_id) }));
}
