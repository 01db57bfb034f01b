import type { Hub } from "../../../hub.ts";
import { withoutShare } from "../../bodies/share.ts";
import { forgetQuoteStamp } from "../quote-stamps.ts";
import { rewriteQuotation } from "./rewrite-quotation.ts";

/** Puts a link in the place of what a message quotes, because its author does not want it quoted. Part of a transaction. */
export async function unquote(hub: Hub, messageId: number, address: string): Promise<void> {
  const isChanged = await rewriteQuotation(hub, messageId, ({ body, shared_id }) =>
    shared_id === 0 ? { body } : { body: withoutShare(body, address), shared_id: 0 },
  );
  if (isChanged) await forgetQuoteStamp(hub, messageId);
}
