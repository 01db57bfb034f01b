import { z } from "zod";
import { dropNotices } from "../../../domain/notifications/drop.ts";
import { listMarkers } from "../../../domain/items/posting/markers.ts";
import { countTold, findTold, pageOfTold } from "../../../domain/items/timelines/told.ts";
import type { ToldWindow } from "../../../domain/items/timelines/told.ts";
import { missing } from "../../../errors.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { Exchange } from "../../../http/exchange.ts";
import { id, limit } from "../parameters.ts";
import { edgesOf, pageInput, pageLinks } from "../paging.ts";
import type { Edges } from "../paging.ts";
import { presentNotification } from "../present/notification.ts";
import type { Notices } from "../present/notification.ts";
import { filterOf, include_filtered, noticeFilter, showNotices } from "./notice-answers.ts";

const noticeId = z.object({ id: id("Id of the notice.") });

type NoticePage = Notices & { edges?: Edges | undefined };

/** Mastodon contract 12.7, one by one. */
export const notificationRows = [
  endpoint({
    path: "v1/notifications",
    methods: ["GET"],
    access: "channel",
    scope: "read:notifications",
    summary: "What the caller is told, the newest first.",
    answer: "Notification[]",
    input: z.object({
      ...pageInput(40),
      ...noticeFilter,
      include_filtered,
    }),
    async handle(hub, caller, input): Promise<NoticePage> {
      const filter = { ...filterOf(input), filtered: input.include_filtered };
      const told = await pageOfTold(hub, caller.channel, toldWindow(input), filter);
      const ids = told.map((one) => one.id);
      return { ...(await showNotices(hub, caller, told)), edges: edgesOf(ids, told.length >= input.limit) };
    },
    present: (page) => page.told.map((told) => presentNotification(page, told)),
    headers: ({ edges }: NoticePage, exchange: Exchange) => pageLinks(edges, exchange),
  }),
  endpoint({
    path: "v1/notifications/unread_count",
    aliases: ["v2/notifications/unread_count", "v2_alpha/notifications/unread_count"],
    methods: ["GET"],
    access: "channel",
    scope: "read:notifications",
    summary: "How many notices come after the marker, or are not seen where there is none.",
    answer: "UnreadCount",
    input: z.object({ ...noticeFilter, limit: limit(100, 1000) }),
    async handle(hub, caller, input) {
      const markers = await listMarkers(hub, caller.channel.channel_id);
      const last = markers.find(({ timeline }) => timeline === "notifications")?.last_read_id;
      return countTold(hub, caller.channel, last, input.limit, filterOf(input));
    },
    present: (count) => ({ count }),
  }),
  endpoint({
    path: "v1/notifications/clear",
    methods: ["POST"],
    access: "channel",
    scope: "write:notifications",
    writes: true,
    summary: "Removes all notices.",
    answer: "Nothing",
    input: z.object({}),
    handle: (hub, { channel }) => dropNotices(hub, channel.channel_id),
    present: () => ({}),
  }),
  endpoint({
    path: "v1/notifications/:id/dismiss",
    aliases: ["v1/notifications/dismiss"],
    methods: ["POST"],
    access: "channel",
    scope: "write:notifications",
    writes: true,
    summary: "Removes a notice; harmless for one that is gone.",
    answer: "Nothing",
    example: { id: "17" },
    input: noticeId,
    handle: (hub, { channel }, input) => dropNotices(hub, channel.channel_id, [input.id]),
    present: () => ({}),
  }),
  endpoint({
    path: "v1/notifications/:id",
    methods: ["GET"],
    access: "channel",
    scope: "read:notifications",
    summary: "One notice.",
    answer: "Notification",
    example: { id: "17" },
    input: noticeId,
    async handle(hub, caller, input) {
      const told = await findTold(hub, caller.channel, input.id, { filtered: true });
      const shown = await showNotices(hub, caller, told ? [told] : []);
      if (shown.told.length === 0) throw missing("Notice");
      return shown;
    },
    present: (shown) => presentNotification(shown, shown.told[0]!),
  }),
];

/** The bounds of a page, as the lists of notices take them. */
export function toldWindow(input: {
  limit: number;
  max_id?: number | undefined;
  since_id?: number | undefined;
  min_id?: number | undefined;
}): ToldWindow {
  return { count: input.limit, maxId: input.max_id, sinceId: input.since_id, minId: input.min_id };
}
