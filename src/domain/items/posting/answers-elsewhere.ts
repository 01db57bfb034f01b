import type { Hub } from "../../../hub.ts";
import { addDeed } from "../../../jobs/queue.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { findChannelByXchan } from "../../identity/channels/channels.ts";
import { findXchan } from "../../identity/xchans/xchans.ts";
import type { Xchan } from "../../identity/xchans/xchans.ts";
import { approve } from "../approvals.ts";
import { markOf } from "../metadata.ts";
import { insertMeta, loadItem } from "../save.ts";
import type { Item } from "../types.ts";

/** People of elsewhere hear whether their answers in threads of this hub may stand (federation contract 6.2, 7). */

/** Under which such an answer keeps the id of the activity by which its author has asked. */
const requestMark = { cat: "federation", k: "request", sharing: 0, uid: 0, remote_key: null };

/** Notes it, once, for when it is decided about. Part of a transaction. */
export async function keepRequest(hub: Hub, messageId: number, request: string): Promise<void> {
  if ((await markOf(hub, messageId, requestMark)) === undefined)
    await insertMeta(hub, messageId, [{ ...requestMark, v: request }]);
}

/** The answer by its id, and the request for it, empty where it came without one. */
export type ForeignAnswer = { id: string; author: Pick<Xchan, "xchan_id" | "xchan_hash">; request: string };

/** The message that it answers. */
type Answered = { id: number; uuid: string; author_id: number };

/**
 * Its author is told by whoever wrote what it answers, else by the owner of the thread; only the former stamps it. Part of a
 * transaction.
 */
export async function answerForeign(
  hub: Hub,
  owner: Channel,
  { id: act, author, request }: ForeignAnswer,
  answered: Answered,
  accepted: boolean,
): Promise<void> {
  const { xchan_id: person_id, xchan_hash: person } = author;
  const writer = await findChannelByXchan(hub, answered.author_id);
  const stamp =
    accepted && writer
      ? await approve(hub, { message_id: answered.id, kind: "reply", person_id, quoting: act })
      : undefined;
  const approval = stamp?.isRevoked === false ? stamp.uuid : "";
  const about = { kind: "reply", request, person, post: answered.uuid, act } as const;
  await addDeed(hub, (writer ?? owner).channel_id, { deed: "answered", ...about, accepted, approval });
}

/** The same of one that has waited for the owner; whoever is of this hub sees it there. Part of a transaction. */
export async function answerHeld(hub: Hub, owner: Channel, item: Item, accepted: boolean): Promise<void> {
  const author = await findXchan(hub, { id: item.author_id });
  if (author?.xchan_network !== "activitypub" || item.thr_parent_id === 0) return;
  const { message_id, uuid, author_id } = await loadItem(hub, item.thr_parent_id);
  const request = (await markOf(hub, item.message_id, requestMark)) ?? "";
  const answered = { id: message_id, uuid, author_id };
  await answerForeign(hub, owner, { id: item.mid, author, request }, answered, accepted);
}
