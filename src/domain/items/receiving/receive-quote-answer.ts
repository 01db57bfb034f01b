import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import type { Xchan } from "../../identity/xchans/xchans.ts";
import { changeElsewhere } from "../changed.ts";
import { unquote } from "../posting/unquote.ts";
import { keepQuoteStamp, quoteStampOf, quotingOf, stampedBy } from "../quote-stamps.ts";
import { anyCopyOf } from "../find.ts";
import { findKnownMessage } from "./known-message.ts";

/** A post of this hub that quotes one of theirs. */
export type AskedQuotation = { id: number; mid: string; uuid: string; quoted: string };

/** The post that quotes something of this person, by its id; undefined where nobody here has asked them. */
export async function findAsked(hub: Hub, from: Xchan, id: string): Promise<AskedQuotation | undefined> {
  const known = await findKnownMessage(hub, id);
  const quoting = known?.nick ? await quotingOf(hub, known.id) : undefined;
  if (!known || quoting?.quoted.author_id !== from.xchan_id) return undefined;
  return { id: known.id, mid: known.mid, uuid: known.uuid, quoted: quoting.quoted.mid };
}

/** They let it be quoted: whoever has the post gets it once more, with the stamp, which has been looked at. */
export async function receiveQuoteStamp(hub: Hub, { id }: AskedQuotation, stamp: string): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const item = await anyCopyOf(hub, id);
    if (!item || (await quoteStampOf(hub, id)) === stamp) return;
    await keepQuoteStamp(hub, id, stamp);
    await changeElsewhere(hub, item, { stamp: `quote ${stamp}` });
  });
}

/** They do not, or no more: a link stands in its place, and whoever has the post hears of that. */
export async function receiveQuoteRefusal(
  hub: Hub,
  { id, quoted }: Pick<AskedQuotation, "id" | "quoted">,
): Promise<void> {
  await inTransaction(hub, (hub) => unquote(hub, id, quoted));
}

/** Somebody takes a stamp back. Answers whether it was one of theirs that is known here. */
export async function receiveStampRevoked(hub: Hub, from: Xchan, stamp: string): Promise<boolean> {
  let isTheirs = false;
  for (const id of await stampedBy(hub, stamp)) {
    const quoting = await quotingOf(hub, id);
    if (quoting?.quoted.author_id !== from.xchan_id) continue;
    isTheirs = true;
    await receiveQuoteRefusal(hub, { id, quoted: quoting.quoted.mid });
  }
  return isTheirs;
}
