import { z } from "zod";
import { editItemOrEvent, postItemOrEvent } from "../../domain/events/events.ts";
import type { Channel } from "../../domain/identity/channel.ts";
import { assemblePage } from "../../domain/items/assemble.ts";
import { withMedia } from "../../domain/items/media.ts";
import { findByRemoteId } from "../../domain/items/metadata.ts";
import { fullThread } from "../../domain/items/thread.ts";
import type { Hub } from "../../hub.ts";
import { endpoint } from "../../http/endpoint.ts";
import { draftOf, editOf, itemInput } from "./item-input.ts";
import type { ItemInput } from "./item-input.ts";
import { id, text } from "./parameters.ts";
import { fullItems } from "../../domain/portable/item-portable.ts";
import { itemRecord } from "../../domain/portable/item-record.ts";
import { oneNeeded } from "./one-needed.ts";

/** Native contract 6.15 and 6.16. */
export const itemRows = [
  endpoint({
    path: "item/update",
    aliases: ["item/store"],
    methods: ["POST"],
    access: "channel",
    permission: "post_wall",
    writes: true,
    summary: "Creates an item: a post, a comment, an activity, a page; or edits one when `post_id` is given.",
    answer: "`{success, item_id, item}` with the item record",
    files: ["media"],
    otherNames: { app: ["source"], plink: ["permalink"] },
    errors: { missing: "invalid post id" },
    fields: { image: "media" },
    input: itemInput,
    async handle(hub, { channel }, input, { files, application }) {
      const known = input.post_id ?? (await remoteItem(hub, channel, input));
      const item = await withMedia(hub, channel, files, (media) =>
        known === undefined
          ? postItemOrEvent(hub, channel, {
              ...draftOf(input, channel, hub.clock()),
              app: input.app || application,
              media,
            })
          : editItemOrEvent(hub, channel, known, { ...editOf(input, channel, hub.clock()), media }),
      );
      return assemblePage(hub, [item], item.uid);
    },
    present(page, { baseUrl }) {
      const [item] = page.items;
      return { success: true, item_id: String(item!.id), item: itemRecord(item!, page, baseUrl) };
    },
  }),
  endpoint({
    path: "item/full",
    methods: ["GET", "POST"],
    access: "channel",
    permission: "view_stream",
    summary: "Everything about an item: its whole thread, whatever the state of its items.",
    answer: "`{item}`: array of portable items, full form; the top first, then the others by date",
    input: z.object({
      mid: text("Message id of any item of the thread; it wins over the id."),
      item_id: id("Id of any item of the thread."),
    }),
    handle: (hub, { channel }, { mid, item_id: itemId }) =>
      fullThread(hub, channel, mid ? { mid } : { id: oneNeeded(itemId, "mid", "item_id") }),
    present: (page, { baseUrl }) => ({ item: fullItems(page, baseUrl) }),
  }),
];

/** The item that stands for a thing of another service already: posting that again edits it. */
async function remoteItem(
  hub: Hub,
  channel: Channel,
  { namespace, remote_id }: ItemInput,
): Promise<number | undefined> {
  return namespace && remote_id ? findByRemoteId(hub, channel.channel_id, namespace, remote_id) : undefined;
}
