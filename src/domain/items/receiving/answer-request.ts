import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { addDeed } from "../../../jobs/queue.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { findChannelByXchan } from "../../identity/channels/channels.ts";
import { observerElsewhere } from "../../identity/channels/observer.ts";
import type { Xchan } from "../../identity/xchans/xchans.ts";
import { approvalOf, approve } from "../approvals.ts";
import type { Approval, Interaction } from "../approvals.ts";
import { unwelcome } from "../delivery/notification-targets.ts";
import { findWrittenHere } from "../timelines/written-here.ts";
import type { WrittenHere } from "../timelines/written-here.ts";
import { findKnownMessage } from "./known-message.ts";

/** People of elsewhere ask whether what they do with a post of this hub may stand (federation contract 7). */

/** Somebody asks by an activity with this id, for something of theirs; all by their ids. */
export type Request = { id: string; author: Xchan; target: string; act: string };

/** The post as whoever asks sees it, and who wrote it. */
export type Asked = { written: WrittenHere; channel: Channel };

/** Undefined where they do not see one, or its author does not want to hear of them. */
export async function findAskedFor(
  hub: Hub,
  { author, target }: Pick<Request, "author" | "target">,
): Promise<Asked | undefined> {
  const known = await findKnownMessage(hub, target);
  const written = known && (await findWrittenHere(hub, observerElsewhere(author), known.uuid));
  const channel = written && (await findChannelByXchan(hub, written.item.author_id));
  if (!channel || (await unwelcome(hub, channel.channel_id, author.xchan_id))) return undefined;
  return { written, channel };
}

/** The stamp for it, where it may have one: the same again, unless that was taken back. Part of a transaction. */
export async function stampFor(
  hub: Hub,
  kind: Interaction,
  { author, act }: Pick<Request, "author" | "act">,
  message_id: number,
  isAdmitted: boolean,
): Promise<Approval | undefined> {
  const given = await approvalOf(hub, message_id, kind, act);
  if (!given && !isAdmitted) return undefined;
  const stamp = await approve(hub, { message_id, kind, person_id: author.xchan_id, quoting: act });
  return stamp?.isRevoked === false && stamp.person_id === author.xchan_id ? stamp : undefined;
}

/** Answers a request for a like or a share; whoever does not see the post hears nothing. */
export async function answerRequest(
  hub: Hub,
  kind: "like" | "share",
  request: Request,
  isAdmitted: (asked: Asked) => boolean,
): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const asked = await findAskedFor(hub, request);
    if (!asked) return;
    const { message_id, uuid: post } = asked.written.item;
    const stamp = await stampFor(hub, kind, request, message_id, isAdmitted(asked));
    const { id, author, act } = request;
    const about = { kind, request: id, person: author.xchan_hash, post, act };
    const answer = { accepted: stamp !== undefined, approval: stamp?.uuid ?? "" };
    await addDeed(hub, asked.channel.channel_id, { deed: "answered", ...about, ...answer });
  });
}
