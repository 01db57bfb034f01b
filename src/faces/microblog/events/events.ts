import { z } from "zod";
import { deleteEvent, entriesAfter, numberedEntry, saveEvent, zoneOfChannel } from "../../../domain/events/events.ts";
import type { CalendarEvent } from "../../../domain/events/events.ts";
import type { Channel } from "../../../domain/identity/channels/channel.ts";
import { HubError } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { readDate, storedDate } from "../../../http/dates.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { nobody } from "../../../domain/items/audience.ts";
import { audienceIn, audienceInput } from "../statuses/audience-input.ts";
import { count, flag, optionalId, requiredId, text } from "../parameters.ts";
import { since_id } from "../shared-input.ts";
import { rootElement } from "../xml.ts";

const noEvent = [404, "Not Found"] as const;

/** The calendar of the caller, as Friendica has it (decision 31). */
export const eventRows = [
  endpoint({
    path: "svc/events",
    methods: ["GET"],
    access: "channel",
    summary: "The entries of the caller's calendar, oldest ids first; with `since_id` those that came later.",
    answer: "Event[]",
    input: z.object({ since_id, count: count() }),
    async handle(hub, { channel }, { since_id: since, count: most }) {
      return { events: await entriesAfter(hub, channel.channel_id, since, most), channel };
    },
    present: ({ events, channel }) => events.map((event) => presentEvent(event, channel.xchan_id)),
    xml: (events: object[]) => rootElement("events", events),
  }),
  endpoint({
    path: "svc/event_create",
    methods: ["POST"],
    access: "channel",
    writes: true,
    summary: "Puts an event into the caller's calendar, or with `id` changes one; with `publish` it is posted as well.",
    answer: "EventResult",
    errors: { missing: noEvent, unknown_audience: "acl data invalid", denied: "Forbidden" },
    fields: { summary: "name", description: "desc", dtstart: "start_time", dtend: "end_time" },
    example: { name: "Concert", start_time: "2026-07-01 20:00", place: "The old hall" },
    input: z.object({
      id: optionalId("Id of the event to change; without it a new one is made."),
      name: text("Title of the event."),
      desc: text("What it is about, in bbcode."),
      start_time: text("When it begins; without an offset on the clock of the caller's channel."),
      end_time: text("When it ends; without it, it has no end."),
      place: text("Where it is."),
      publish: flag("Posts it, to the usual audience or to the lists; else it stays the caller's own."),
      ...audienceInput,
    }),
    async handle(hub, { channel }, { id, publish, ...input }) {
      const asked = await audienceIn(hub, channel, input);
      const draft = {
        ...readTimes(hub, channel, input),
        summary: input.name ?? "",
        description: input.desc ?? "",
        location: input.place ?? "",
        ...(publish && { share: { ...(asked && { audience: { ...nobody, ...asked } }) } }),
      };
      if (draft.summary.trim() === "") throw new HubError("invalid", "event name not specified", { field: "summary" });
      const former = id === undefined ? undefined : await numberedEntry(hub, channel.channel_id, id);
      return { event: await saveEvent(hub, channel, draft, former?.event_hash), channel };
    },
    ...oneEvent("event_create"),
  }),
  endpoint({
    path: "svc/event_delete",
    methods: ["POST", "DELETE"],
    access: "channel",
    writes: true,
    summary:
      "Takes an entry out of the caller's calendar; an event of the caller's own goes for everybody, with its post.",
    answer: "EventResult",
    errors: { missing: noEvent, missing_parameter: "id not specified" },
    example: { id: "5" },
    input: z.object({ id: requiredId("Id of the event.") }),
    async handle(hub, { channel }, { id }) {
      const { event_hash } = await numberedEntry(hub, channel.channel_id, id);
      return { event: await deleteEvent(hub, channel, event_hash), channel };
    },
    ...oneEvent("event_delete"),
  }),
];

/** The part of a row that answers what has become of one event. */
function oneEvent(root: string) {
  return {
    present: ({ event, channel }: { event: CalendarEvent; channel: Channel }) => ({
      success: true,
      event_id: event.id,
      event: presentEvent(event, channel.xchan_id),
    }),
    xml: root,
  };
}

type Times = { start_time?: string | undefined; end_time?: string | undefined };

function readTimes(hub: Hub, channel: Channel, { start_time = "", end_time = "" }: Times) {
  if (start_time.trim() === "") throw new HubError("invalid", "startDate not specified", { field: "dtstart" });
  const stored = (written: string, field: string): string => {
    const read = readDate(written);
    const date = read && storedDate(read, zoneOfChannel(channel), hub.clock());
    if (date === undefined) throw new HubError("invalid", "This is not a date.", { field });
    return date;
  };
  const dtstart = stored(start_time, "dtstart");
  return { dtstart, ...(end_time.trim() !== "" && { dtend: stored(end_time, "dtend") }) };
}

/** An entry of a calendar as Friendica's clients know it; the lists are hashes of people and groups, in angle brackets. */
function presentEvent(event: CalendarEvent, xchanId: number): object {
  return {
    id: event.id,
    uid: event.uid,
    cid: xchanId,
    uri: event.event_hash,
    name: event.summary,
    desc: event.html,
    startTime: event.dtstart,
    endTime: event.dtend,
    type: event.etype,
    nofinish: event.nofinish,
    place: event.location,
    adjust: event.adjust,
    ignore: event.dismissed,
    allow_cid: event.allow_cid,
    allow_gid: event.allow_gid,
    deny_cid: event.deny_cid,
    deny_gid: event.deny_gid,
  };
}
