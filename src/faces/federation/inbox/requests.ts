import { isSameId } from "../../../domain/identity/xchans/foreign-ids.ts";
import { answerRequest } from "../../../domain/items/receiving/answer-request.ts";
import type { Asked } from "../../../domain/items/receiving/answer-request.ts";
import { receiveQuoteRequest } from "../../../domain/items/receiving/receive-quote-request.ts";
import { HubError, refusal } from "../../../errors.ts";
import { isGenuine } from "../authority.ts";
import { retrieve } from "../retrieve/retrieve.ts";
import { readActivity } from "../translate/activity.ts";
import { objectIdOf } from "./incoming.ts";
import type { Effect, Incoming } from "./incoming.ts";
import { partOf } from "./part-of.ts";
import { createAnswer } from "./posts.ts";
import { authorIn, postIn } from "./posts-in.ts";
import { react } from "./reactions.ts";
import { sharePost } from "./share.ts";

/**
 * People ask whether something of theirs may stand with a post of this hub. What comes of it, they are told by its author's deed
 * (federation contract 7).
 */

/** Somebody wants to quote a post. */
export const quoteRequested: Effect = async (incoming) => {
  const { hub, activity, actor } = incoming;
  const target = objectIdOf(activity);
  const asked = await instrumentOf(incoming);
  const post = asked && postIn(asked.node);
  if (activity.id === undefined || target === undefined || post?.quote === undefined) return;
  if (!isSameId(post.quote, target)) return;
  await receiveQuoteRequest(hub, { id: activity.id, author: actor, target, act: post.id });
};

/** Somebody wants to answer one: the answer is taken as if it had come by itself. */
export const replyRequested: Effect = async (incoming) => {
  const { activity } = incoming;
  const target = objectIdOf(activity);
  const asked = await instrumentOf(incoming);
  const answers = asked && postIn(asked.node)?.inReplyTo;
  if (!asked || activity.id === undefined || target === undefined || answers === undefined) return;
  if (!isSameId(answers, target)) return;
  const create = { ...activity, id: undefined, type: "Create", objects: [asked.node] };
  await createAnswer({ ...incoming, activity: create, ...asked }, activity.id);
};

/** Somebody wants to like one. */
export const likeRequested: Effect = (incoming) => deedRequested(incoming, "like");

/** Somebody wants to share one. */
export const shareRequested: Effect = (incoming) => deedRequested(incoming, "share");

const taking = {
  like: { types: ["Like", "EmojiReact"], take: react },
  share: { types: ["Announce"], take: sharePost },
} as const;

/** It is taken as if it had come by itself; who may do it there, they may do it at once. */
async function deedRequested(incoming: Incoming, kind: keyof typeof taking): Promise<void> {
  const { hub, activity, actor } = incoming;
  const { types, take } = taking[kind];
  const target = objectIdOf(activity);
  const asked = await instrumentOf(incoming);
  const deed = asked && readActivity(asked.node);
  if (!asked || typeof deed !== "object" || !types.some((type) => type === deed.type)) return;
  if (activity.id === undefined || target === undefined || deed.id === undefined) return;
  if (!isSameId(objectIdOf(deed) ?? "", target)) return;
  // What is asked for is handed on to nobody before its author has sent it, with what proves it.
  const bytes = new Uint8Array();
  const isTaken = await took(() => take({ ...incoming, activity: deed, node: asked.node, bytes }));
  const request = { id: activity.id, author: actor, target, act: deed.id };
  const isAdmitted = ({ written }: Asked): boolean => isTaken && (kind === "like" || written.item.item_private === 0);
  await answerRequest(hub, kind, request, isAdmitted);
}

/** Answers false where whoever decides about it does not want it. */
async function took(take: () => Promise<unknown>): Promise<boolean> {
  try {
    await take();
    return true;
  } catch (error) {
    if (!(error instanceof HubError) || error.kind !== "denied") throw error;
    return false;
  }
}

/** What is asked for: as it was sent with the request, else as it stands at its id; nothing where it is somebody else's. Throws unavailable. */
async function instrumentOf({
  hub,
  activity: { actor, instruments },
  node,
}: Incoming): Promise<Pick<Incoming, "node" | "bytes"> | undefined> {
  const [instrument] = instruments;
  if (typeof instrument !== "string") return instrument && { node: instrument, bytes: partOf(node, "instrument") };
  const found = await retrieve(hub, instrument);
  if ("fault" in found) {
    if (found.fault === "unavailable") throw refusal("not_fetched");
    return undefined;
  }
  const author = authorIn(found.node);
  const isTheirs = author !== undefined && isSameId(author, actor) && isGenuine(found.node.id, actor, found);
  return isTheirs ? found : undefined;
}
