import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { addDeed } from "../../../jobs/queue.ts";
import { findShare } from "../../bodies/share.ts";
import { findConnectionTo } from "../../connections/connections.ts";
import { findChannelByXchan } from "../../identity/channels/channels.ts";
import { observerElsewhere } from "../../identity/channels/observer.ts";
import type { Xchan } from "../../identity/xchans/xchans.ts";
import { approvalOf, approve } from "../approvals.ts";
import { findWrittenHere } from "../timelines/written-here.ts";
import type { WrittenHere } from "../timelines/written-here.ts";
import { reactionOf } from "../vocabulary.ts";
import { findKnownMessage } from "./known-message.ts";

/** Somebody asks, by an activity with this id, whether a post of theirs may quote another one; both by their ids. */
export type QuoteRequest = { id: string; author: Xchan; target: string; quoting: string };

/**
 * Answers whether somebody of elsewhere may quote a post of this hub: as its author lets people quote, and once for each post that
 * quotes; what was taken back is not given again (federation contract 7). Whoever may not see it hears nothing.
 */
export async function receiveQuoteRequest(hub: Hub, request: QuoteRequest): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const { id, author, target, quoting } = request;
    const known = await findKnownMessage(hub, target);
    const written = known && (await findWrittenHere(hub, observerElsewhere(author), known.uuid));
    const channel = written && (await findChannelByXchan(hub, written.item.author_id));
    if (!channel || isDeed(written)) return;
    const { message_id, uuid: post } = written.item;
    const given = await approvalOf(hub, message_id, quoting);
    const mayQuote = given !== undefined || (await admits(hub, written, channel.channel_id, author));
    const stamp = mayQuote ? await approve(hub, { message_id, person_id: author.xchan_id, quoting }) : undefined;
    const holds = stamp?.isRevoked === false && stamp.person_id === author.xchan_id;
    const approval = holds ? stamp.uuid : "";
    const deed = { deed: "quoted", request: id, person: author.xchan_hash, post, quoting, approval } as const;
    await addDeed(hub, channel.channel_id, deed);
  });
}

/** Nothing was said there that could be quoted. */
function isDeed({ item }: WrittenHere): boolean {
  return reactionOf(item.verb) !== undefined || (item.shared_id > 0 && findShare(item.body)?.added === "");
}

/** Does its author let this person quote it? Connections are those who follow. */
async function admits(hub: Hub, { item, quoters }: WrittenHere, uid: number, { xchan_hash }: Xchan): Promise<boolean> {
  if (item.item_private !== 0 || quoters === "nobody") return false;
  if (quoters === "everybody") return true;
  const row = await findConnectionTo(hub, uid, xchan_hash);
  return row?.follow_in === "accepted" && row.abook_pending === 0;
}
