import { followersAddressOf } from "../../../domain/identity/xchans/actors.ts";
import { closePost, readersFor, receivePost } from "../../../domain/items/receiving/receive-post.ts";
import { audienceOf, receivedPost } from "../translate/received-post.ts";
import { groupAmong, groupOf } from "./group-of.ts";
import { inboxesOf } from "./inboxes-of.ts";
import { fetchThread } from "./originals.ts";
import { languagesFor } from "./languages-for.ts";
import { postIn, textOf } from "./posts-in.ts";
import { withQuote } from "./quoted-post.ts";
import { isMessage } from "../../../domain/messages/is-message.ts";
import { receiveMessage } from "../../../domain/messages/receive.ts";
import { receiveVote } from "../../../domain/items/receiving/receive-vote.ts";
import type { Reader } from "../../../domain/items/receiving/readers.ts";
import type { ReceivedPost } from "../../../domain/items/receiving/received.ts";
import { wholePost } from "../../../domain/items/receiving/whole-post.ts";
import type { WholePost } from "../../../domain/items/receiving/whole-post.ts";
import type { Hub } from "../../../hub.ts";
import type { Post } from "../translate/object.ts";
import type { Attempt, Effect, Incoming } from "./incoming.ts";
import { takeStamped } from "./stamped.ts";

/** Somebody writes a post or comment. */
export const createPost: Effect = async (incoming) => takePost(incoming, false);

/** The same of an answer for which its author asks, by an activity with this id. */
export async function createAnswer(incoming: Incoming, request: string): Promise<void> {
  await takePost(incoming, false, request);
}

/** Somebody changes it; one that never came is taken as a new one. */
export const updatePost: Attempt = async (incoming) => {
  await takePost(incoming, true);
  return true;
};

async function takePost(incoming: Incoming, isEdit: boolean, request?: string): Promise<void> {
  const { hub, activity, actor, via } = incoming;
  const [object] = activity.objects;
  const post = typeof object === "object" ? postIn(object) : undefined;
  if (!post) return;
  if (isVote(post)) return takeVote(incoming, post);
  // Some address the activity alone.
  const addressed = post.to.length + post.cc.length > 0 ? post : { ...post, to: activity.to, cc: activity.cc };
  const inboxes = await inboxesOf(incoming, addressed);
  const received = await withQuote(
    hub,
    receivedPost(addressed, {
      author: actor,
      followers: await followersAddressOf(hub, actor.xchan_id),
      group: await groupOf(hub, { ...addressed, audience: [...addressed.audience, ...activity.audience] }, via),
      via: groupAmong(via),
      inboxes,
      document: request === undefined ? textOf(incoming) : "",
      isForwarded: incoming.isForwarded,
      request,
      languages: await languagesFor(hub, addressed, actor, inboxes),
    }),
  );
  if (await isMessage(hub, received)) {
    if (isEdit) await closePost(hub, received);
    return receiveMessage(hub, received, isEdit);
  }
  await takeStamped(hub, received, incoming.signer, () => store(incoming, received, isEdit));
}

async function store({ hub, via }: Incoming, received: ReceivedPost, isEdit: boolean): Promise<void> {
  const came = wholePost(hub, received);
  const also = await readersBy(hub, came, via);
  if ((await receivePost(hub, came, { isEdit, also })) === "taken") return;
  const own = await readersFor(hub, came);
  const readers = [...own, ...also.filter((one) => own.every(({ channel_id }) => channel_id !== one.channel_id))];
  if (readers.length === 0) return;
  await fetchThread(hub, received, readers);
  // What it answers may be gone, or not for us.
  if ((await receivePost(hub, came, { isEdit, also })) === "elsewhere")
    await receivePost(hub, came, { isEdit, also, alone: true });
}

/** Whoever has something from somebody who hands it on; of what was posted to a group those to whom the group gives it. */
async function readersBy(hub: Hub, { post }: WholePost, via: Incoming["via"]): Promise<Reader[]> {
  if (!via) return [];
  const { actor: author, activity } = via;
  const audience =
    post.group?.xchan_id === author.xchan_id ? audienceOf(activity, post.audience.inboxes) : post.audience;
  return readersFor(hub, wholePost(hub, { ...post, author, audience }));
}

/** A vote is an answer that consists of what was chosen. */
function isVote({ type, name, content, inReplyTo, attachments }: Post): boolean {
  const says = attachments.length > 0 || content.some(({ text }) => text.trim() !== "");
  return type === "Note" && name.length > 0 && !says && inReplyTo !== undefined;
}

async function takeVote(incoming: Incoming, { id, name, inReplyTo, published }: Post): Promise<void> {
  const { hub, actor: author, isForwarded } = incoming;
  const deed = { mid: id, author, target: inReplyTo!, published, document: textOf(incoming), isForwarded };
  await receiveVote(hub, deed, name[0]!.text);
}
