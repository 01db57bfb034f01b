import { z } from "zod";
import type { Anybody, Caller } from "../../../domain/identity/accounts/caller.ts";
import { findVisibleItem } from "../../../domain/items/find.ts";
import { deleteItem } from "../../../domain/items/posting/delete.ts";
import { react, unreact } from "../../../domain/items/posting/react.ts";
import { reshare, takeReshareBack } from "../../../domain/items/posting/reshares.ts";
import { setStarred } from "../../../domain/items/posting/star.ts";
import { visibleThread } from "../../../domain/items/timelines/thread.ts";
import type { Item } from "../../../domain/items/types.ts";
import { missing, unlessMissing } from "../../../errors.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { Endpoint } from "../../../http/endpoint.ts";
import type { Hub } from "../../../hub.ts";
import { id } from "../parameters.ts";
import { presentStatus } from "../present/status.ts";
import { seeing } from "../seeing.ts";
import { contextOf } from "./context.ts";
import { postInput, postStatus } from "./post-status.ts";
import { oneStatus, showStatuses } from "./status-answers.ts";
import type { StatusAnswers } from "./status-answers.ts";

const statusId = z.object({ id: id("Id of the post, of any copy that the caller may see.") });

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
      const item = await findShown(hub, caller, input.id);
      const { channel } = caller;
      // What is somebody else's elsewhere is not deleted, and its copy neither.
      const isOwn = item.author_id === channel.xchan_id || item.owner_id === channel.xchan_id;
      if (!isOwn) throw missing("Item");
      const before = await showStatuses(hub, caller, [item], namedBy(item, input.id));
      await deleteItem(hub, channel, { id: item.id });
      return { ...before, text: item.body };
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
      const item = await findShown(hub, anybody, input.id);
      const { ancestors, descendants } = contextOf(await visibleThread(hub, anybody.observer, { id: item.id }), item);
      const sheet = await showStatuses(hub, anybody, [...ancestors, ...descendants], namedBy(item, input.id));
      return { sheet, ancestors, descendants };
    },
    present: ({ sheet, ancestors, descendants }) => ({
      ancestors: ancestors.map((item) => presentStatus(sheet, item)),
      descendants: descendants.map((item) => presentStatus(sheet, item)),
    }),
  }),
  deed("favourite", "write:favourites", "Likes a post; everybody who sees it sees that.", (hub, { channel }, item) =>
    react(hub, channel, item, "like", "stays"),
  ),
  deed("unfavourite", "write:favourites", "Takes a like back.", (hub, { channel }, item) =>
    unreact(hub, channel, item, "like"),
  ),
  deed("bookmark", "write:bookmarks", "Stars a post; nobody else learns of that.", (hub, { channel }, item) =>
    setStarred(hub, channel, item, true),
  ),
  deed("unbookmark", "write:bookmarks", "Takes a star away.", (hub, { channel }, item) =>
    setStarred(hub, channel, item, false),
  ),
  deed("unreblog", "write:statuses", "Takes a share back.", (hub, { channel }, item) =>
    unlessMissing(takeReshareBack(hub, channel, item)),
  ),
  endpoint({
    path: "v1/statuses/:id/reblog",
    methods: ["POST"],
    access: "channel",
    scope: "write:statuses",
    writes: true,
    summary: "Shares a public post; answers the share.",
    example: { id: "812" },
    input: statusId,
    async handle(hub, caller, input, { application }) {
      const item = await findShown(hub, caller, input.id);
      return showStatuses(hub, caller, [await reshare(hub, caller.channel, { id: item.id }, application)]);
    },
    ...oneStatus,
  }),
];

/** Does something with a post, and answers it as it is then. */
function deed(
  name: string,
  scope: string,
  summary: string,
  act: (hub: Hub, caller: Caller, item: { id: number }) => Promise<unknown>,
): Endpoint {
  return endpoint({
    path: `v1/statuses/:id/${name}`,
    methods: ["POST"],
    access: "channel",
    scope,
    writes: true,
    summary,
    example: { id: "812" },
    input: statusId,
    async handle(hub, caller, input) {
      const item = await findShown(hub, caller, input.id);
      await act(hub, caller, { id: item.id });
      return showOne(hub, caller, input.id);
    },
    ...oneStatus,
  });
}

async function showOne(hub: Hub, anybody: Anybody, id: number): Promise<StatusAnswers> {
  const item = await findShown(hub, anybody, id);
  return showStatuses(hub, anybody, [item], namedBy(item, id));
}

/** The status with this id, by the copy that the observer has of it. Throws missing. */
async function findShown(hub: Hub, { observer }: Pick<Anybody, "observer">, id: number): Promise<Item> {
  const item = await findVisibleItem(hub, observer, { id });
  if (item.item_notshown === 1) throw missing("Item");
  return item;
}

/** A message that was named by another copy is answered by the id that it was named by (mastodon contract 5.2). */
function namedBy(item: Item, id: number): ReadonlyMap<number, number> {
  return new Map([[item.message_id, id]]);
}
