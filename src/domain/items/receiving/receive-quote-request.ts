import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { addDeed } from "../../../jobs/queue.ts";
import { isPureShare } from "../../bodies/share.ts";
import { findConnectionTo } from "../../connections/connections.ts";
import type { Xchan } from "../../identity/xchans/xchans.ts";
import { findAskedFor, stampFor } from "./answer-request.ts";
import type { Request } from "./answer-request.ts";
import type { WrittenHere } from "../timelines/written-here.ts";
import { reactionOf } from "../vocabulary.ts";

/**
 * Answers whether somebody of elsewhere may quote a post of this hub: as its author lets people quote, and once for each post that
 * quotes; what was taken back is not given again (federation contract 7). Whoever may not see it hears nothing.
 */
export async function receiveQuoteRequest(hub: Hub, request: Request): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const asked = await findAskedFor(hub, request);
    if (!asked || isDeed(asked.written)) return;
    const { written, channel } = asked;
    const { id, author, act: quoting } = request;
    const { message_id, uuid: post } = written.item;
    const isAdmitted = await admits(hub, written, channel.channel_id, author);
    const approval = (await stampFor(hub, "quote", request, message_id, isAdmitted))?.uuid ?? "";
    const deed = { deed: "quoted", request: id, person: author.xchan_hash, post, quoting, approval } as const;
    await addDeed(hub, channel.channel_id, deed);
  });
}

/** Nothing was said there that could be quoted. */
function isDeed({ item }: WrittenHere): boolean {
  return reactionOf(item.verb) !== undefined || (item.shared_id > 0 && isPureShare(item.body));
}

/** Does its author let this person quote it? Connections are those who follow. */
async function admits(hub: Hub, { item, quoters }: WrittenHere, uid: number, { xchan_hash }: Xchan): Promise<boolean> {
  if (item.item_private !== 0 || quoters === "nobody") return false;
  if (quoters === "everybody") return true;
  const row = await findConnectionTo(hub, uid, xchan_hash);
  return row?.follow_in === "accepted" && row.abook_pending === 0;
}
