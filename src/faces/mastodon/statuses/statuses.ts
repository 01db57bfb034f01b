import { z } from "zod";
import { findShown } from "../../../domain/items/find.ts";
import { deleteItem } from "../../../domain/items/posting/delete.ts";
import { originalSeen } from "../../../domain/items/posting/reshares.ts";
import { sourceOf } from "../../../domain/items/source-text.ts";
import { findNamed } from "../../../domain/items/timelines/find-statuses.ts";
import { visibleThread } from "../../../domain/items/timelines/thread.ts";
import { missing } from "../../../errors.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { ids } from "../parameters.ts";
import { presentStatus } from "../present/status.ts";
import { seeing } from "../seeing.ts";
import { contextOf } from "./context.ts";
import { namedBy, showOne, statusId } from "./named-status.ts";
import { postInput, postStatus } from "./post-status.ts";
import { manyStatuses, oneStatus, showStatuses } from "./status-answers.ts";

const mostNamed = 40;

/** Mastodon contract 12.5. */
export const statusRows = [
  endpoint({
    path: "v1/statuses",
    methods: ["POST"],
    access: "channel",
    scope: "write:statuses",
    writes: true,
    summary: "Posts or answers; with `Idempotency-Key` once, however often it is sent.",
    errors: {
      unknown_media: "Validation failed: Media not found",
      no_content: "Validation failed: Text can't be blank",
    },
    example: { status: "Hello" },
    input: postInput,
    handle: async (hub, caller, input, exchange) =>
      showStatuses(hub, caller, [await postStatus(hub, caller, input, exchange)]),
    ...oneStatus,
  }),
  endpoint({
    path: "v1/statuses",
    methods: ["GET"],
    access: "public",
    summary: "Several posts, in the order in which they are named; what is not there is left out.",
    example: { "id[]": "812" },
    input: z.object({ id: ids("Ids of the posts, at most 40.", mostNamed) }),
    async handle(hub, caller, input) {
      const anybody = await seeing(hub, caller);
      const found = await findNamed(hub, anybody.observer, input.id);
      const named = new Map([...found].map(([id, item]) => [item.message_id, id]));
      return showStatuses(hub, anybody, [...found.values()], named);
    },
    ...manyStatuses,
  }),
  endpoint({
    path: "v1/statuses/:id",
    methods: ["GET"],
    access: "public",
    summary: "One post.",
    example: { id: "812" },
    input: statusId,
    handle: async (hub, caller, input) => showOne(hub, await seeing(hub, caller), input.id),
    ...oneStatus,
  }),
  endpoint({
    path: "v1/statuses/:id",
    methods: ["DELETE"],
    access: "channel",
    scope: "write:statuses",
    writes: true,
    summary: "Deletes a post of the caller, or one on the caller's wall; answers it as it was.",
    example: { id: "812" },
    input: statusId,
    async handle(hub, caller, input) {
      const item = await findShown(hub, caller.observer, { id: input.id });
      const { channel } = caller;
      // What is somebody else's elsewhere is not deleted, and its copy neither.
      const isOwn = item.author_id === channel.xchan_id || item.owner_id === channel.xchan_id;
      if (!isOwn) throw missing("Item");
      const before = await showStatuses(hub, caller, [item], namedBy(item, input.id));
      await deleteItem(hub, channel, { id: item.id });
      return { ...before, text: (await sourceOf(hub, item)).text };
    },
    answer: "Status",
    present: ({ text, ...sheet }) => ({ ...presentStatus(sheet, sheet.page.items[0]!), text }),
  }),
  endpoint({
    path: "v1/statuses/:id/context",
    methods: ["GET"],
    access: "public",
    summary: "What a post answers, and what answers it.",
    answer: "Context",
    example: { id: "812" },
    input: statusId,
    async handle(hub, caller, input) {
      const anybody = await seeing(hub, caller);
      const { observer } = anybody;
      const named = await findShown(hub, observer, { id: input.id });
      const item = await originalSeen(hub, observer, named);
      const { ancestors, descendants } = contextOf(await visibleThread(hub, observer, { id: item.id }), item);
      const sheet = await showStatuses(hub, anybody, [...ancestors, ...descendants], namedBy(named, input.id));
      return { sheet, ancestors, descendants };
    },
    present: ({ sheet, ancestors, descendants }) => ({
      ancestors: ancestors.map((item) => presentStatus(sheet, item)),
      descendants: descendants.map((item) => presentStatus(sheet, item)),
    }),
  }),
];
