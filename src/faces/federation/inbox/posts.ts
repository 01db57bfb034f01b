import { followersAddressOf } from "../../../domain/identity/xchans/actors.ts";
import { receivePost } from "../../../domain/items/receiving/receive-post.ts";
import type { Node } from "../translate/node.ts";
import { readPost } from "../translate/object.ts";
import type { Post } from "../translate/object.ts";
import { receivedPost } from "../translate/received-post.ts";
import type { Attempt, Effect, Incoming } from "./incoming.ts";

/** Somebody writes a post or comment. */
export const createPost: Effect = async (incoming) => takePost(incoming, false);

/** Somebody changes it; one that never came is taken as a new one. */
export const updatePost: Attempt = async (incoming) => {
  await takePost(incoming, true);
  return true;
};

async function takePost(incoming: Incoming, isEdit: boolean): Promise<void> {
  const { hub, activity, actor, recipients } = incoming;
  const [object] = activity.objects;
  const post = typeof object === "object" ? postIn(object) : undefined;
  if (!post) return;
  // Some address the activity alone.
  const addressed = post.to.length + post.cc.length > 0 ? post : { ...post, to: activity.to, cc: activity.cc };
  const received = receivedPost(addressed, {
    author: actor,
    followers: await followersAddressOf(hub, actor.xchan_id),
    inboxes: recipients.map(({ channel_id }) => channel_id),
    document: textOf(incoming),
  });
  const outcome = await receivePost(hub, received, { isEdit });
  if (outcome === "elsewhere") await receivePost(hub, received, { isEdit, alone: true });
}

const noPosts = ["Tombstone", "Person", "Group", "Service", "Organization", "Application"];

/** The post that a node is; undefined for an actor, an activity, and for what is gone. */
export function postIn(node: Node): Post | undefined {
  const isAnother = node.types.some((type) => noPosts.includes(type)) || node.has("actor") || node.has("inbox");
  return isAnother ? undefined : readPost(node);
}

/** A document as text, for those to whom it is handed on. */
export function textOf({ bytes }: Pick<Incoming, "bytes">): string {
  return Buffer.from(bytes).toString().replaceAll("\0", "\ufffd");
}

/** The author of something that was found at its own id: the first one that it names. */
export function authorIn(node: Node): string | undefined {
  return node.oneId("attributedTo") ?? node.oneId("actor");
}
