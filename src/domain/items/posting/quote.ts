import { refusal } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { formatBesideShare } from "../../bodies/share.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { observerOf } from "../../identity/channels/observer.ts";
import { findShown } from "../find.ts";
import type { ItemRef } from "../find.ts";
import { refuseUnpermittedQuote } from "../permits.ts";
import { originalSeen } from "./reshares.ts";
import { shareOf } from "./share.ts";

type Words = { body: string; mimetype: string };

/**
 * The block with which the channel quotes a post; one that only repeats another stands for that. Throws missing when it is not seen, and
 * denied when it is not for everybody, or its author does not let the channel quote it.
 */
export async function quotationOf(hub: Hub, channel: Channel, ref: ItemRef): Promise<string> {
  const observer = observerOf(channel);
  const item = await originalSeen(hub, observer, await findShown(hub, observer, ref));
  if (item.item_private !== 0 || item.body === "") throw refusal("not_shareable");
  await refuseUnpermittedQuote(hub, channel, item.message_id);
  return shareOf(hub, item);
}

/**
 * The text of a post that quotes another one with these words, and what it is written in then: whoever has no words to add shares it.
 * Throws as `quotationOf` does, and invalid.
 */
export async function quoteWith(hub: Hub, channel: Channel, ref: ItemRef, { body, mimetype }: Words): Promise<Words> {
  if (body.trim() === "") throw refusal("no_content");
  const block = await quotationOf(hub, channel, ref);
  return { body: `${body.trim()}\n\n${block}`, mimetype: formatBesideShare(mimetype) };
}
