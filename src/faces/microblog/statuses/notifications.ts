import { z } from "zod";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { findStatus } from "../../../domain/items/find.ts";
import { threadsOf } from "../../../domain/items/timelines/threads-of.ts";
import type { Item } from "../../../domain/items/types.ts";
import { listNotices } from "../../../domain/notifications/notices.ts";
import { markSeen } from "../../../domain/notifications/seen.ts";
import { layOutWorded } from "../../../domain/notifications/worded.ts";
import { unlessMissing } from "../../../errors.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { Hub } from "../../../hub.ts";
import type { Element } from "../../../http/xml.ts";
import { requiredId } from "../parameters.ts";
import { include_entities } from "../shared-input.ts";
import { presentNotices } from "./present-notice.ts";
import type { NoticeRecord, NoticeAnswers } from "./present-notice.ts";
import { manyStatuses, show } from "./status-answers.ts";
import type { StatusAnswers } from "./status-answers.ts";

const noNotice = "Invalid argument";

/** Old servers had the singular only. */
export const notificationRows = [
  endpoint({
    path: "svc/notifications",
    aliases: ["svc/notification"],
    methods: ["GET"],
    access: "channel",
    summary: "The last 50 notices: unseen ones first, then the newest.",
    answer: "Notice[]",
    input: z.object({}),
    async handle(hub, { channel }): Promise<NoticeAnswers> {
      const notices = await listNotices(hub, channel.channel_id);
      const ids = notices.flatMap(({ item_id: id }) => (id > 0 ? [id] : []));
      const threads = await threadsOf(hub, channel, ids);
      const worded = await layOutWorded(hub, notices);
      return { notices, worded, threads, now: hub.clock(), baseUrl: hub.config.baseUrl };
    },
    present: presentNotices,
    xml: notesElement,
  }),
  endpoint({
    path: "svc/notifications/seen",
    aliases: ["svc/notification/seen"],
    methods: ["POST"],
    access: "channel",
    writes: true,
    whileMoved: true,
    summary: "Marks one notice as seen; answers the status that it is about, or that it worked.",
    answer: "Status[] | Success",
    errors: { missing_parameter: noNotice, missing: [400, noNotice] },
    example: { id: "31" },
    input: z.object({ id: requiredId("Id of the notice."), include_entities }),
    async handle(hub, caller, { id, ...wanted }, exchange): Promise<StatusAnswers | undefined> {
      const notice = await markSeen(hub, caller.channel.channel_id, id);
      const item = await statusOf(hub, caller, notice.item_id);
      return item && show(hub, caller, [item], wanted, exchange);
    },
    present: (shown, exchange) => (shown ? manyStatuses.present(shown, exchange) : "success"),
    // Statuses are written as XML when they are presented.
    xml: (): Element => ({ name: "status", text: "success" }),
  }),
];

/** What the notice is about, if that is there and may be seen. */
async function statusOf(hub: Hub, { channel }: Caller, id: number): Promise<Item | undefined> {
  if (id === 0) return undefined;
  return unlessMissing(findStatus(hub, channel, { id }));
}

/** Each note is an empty element, with all fields as attributes. */
function notesElement(notes: NoticeRecord[]): Element {
  const children = notes.map((note) => ({
    name: "note",
    attributes: Object.fromEntries(Object.entries(note).map(([name, value]) => [name, String(value)])),
  }));
  return { name: "notes", children };
}
