import { z } from "zod";
import { editItemOrEvent, postItemOrEvent, storeRemote } from "../../domain/events/events.ts";
import { deliveriesOf } from "../../domain/items/deliveries.ts";
import { assemblePage } from "../../domain/items/assemble.ts";
import { withUploads } from "../../domain/photos/uploads.ts";
import { fullThread } from "../../domain/items/timelines/thread.ts";
import { endpoint } from "../../http/endpoint.ts";
import { outcomeWords } from "../words/deliveries.ts";
import { draftOf, editOf, itemInput } from "./item-input.ts";
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
    answer: "StoredItem",
    files: ["media"],
    otherNames: { app: ["source"], plink: ["permalink"] },
    errors: { missing: "invalid post id" },
    fields: { image: "media" },
    example: { body: "Good morning", title: "Hello" },
    input: itemInput,
    async handle(hub, { channel }, input, { files, application }) {
      const item = await withUploads(hub, channel, files, (media) => {
        const edit = { ...editOf(input, channel, hub.clock()), media };
        if (input.post_id !== undefined) return editItemOrEvent(hub, channel, input.post_id, edit);
        const draft = { ...draftOf(input, channel, hub.clock()), app: input.app || application, media };
        const { namespace, remoteId } = draft;
        return namespace && remoteId
          ? storeRemote(hub, channel, { ...draft, namespace, remoteId }, edit)
          : postItemOrEvent(hub, channel, draft);
      });
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
    answer: "FullThread",
    example: { mid: "https://hub.example/item/5f0c21d9-6f0e-4c3b-9b1d-2a7ae4410c55" },
    input: z.object({
      mid: text("Message id of any item of the thread; it wins over the id."),
      item_id: id("Id of any item of the thread."),
    }),
    handle: (hub, { channel }, { mid, item_id: itemId }) =>
      fullThread(hub, channel, mid ? { mid } : { id: oneNeeded(itemId, "mid", "item_id") }),
    present: (page, { baseUrl }) => ({ item: fullItems(page, baseUrl) }),
  }),
  endpoint({
    path: "item/deliveries",
    methods: ["GET"],
    access: "channel",
    permission: "view_stream",
    summary:
      "To which other hubs an item of the channel's own went, and what came of it. Nobody but its author learns that.",
    answer: "DeliveryReport",
    example: { item_id: "5120" },
    input: z.object({
      item_id: id("Id of an item that the channel has written."),
      mid: text("Its message id; it wins over the id."),
    }),
    async handle(hub, { channel }, { mid, item_id: itemId }) {
      const ref = mid ? { mid } : { id: oneNeeded(itemId, "item_id", "mid") };
      return deliveriesOf(hub, channel, ref);
    },
    present: ({ deliveries, consent }) => ({
      success: true,
      consent: consent ?? "",
      deliveries: deliveries.map((delivery) => ({
        host: delivery.host,
        people: delivery.people,
        state: delivery.state,
        attempts: delivery.attempts,
        last_status: delivery.status,
        last_error: outcomeWords(delivery),
        next_at: delivery.nextAt,
      })),
    }),
  }),
];
