import type { Hub } from "../../hub.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";
import { objectTypes } from "../items/vocabulary.ts";
import type { CalendarEvent } from "./types.ts";

/** What the item of an event says about it. */
export type EventContent = Pick<
  CalendarEvent,
  "event_hash" | "summary" | "description" | "location" | "dtstart" | "dtend" | "nofinish" | "adjust"
>;

/** The body: tags from which every reader makes a card. */
export function eventBody(event: EventContent): string {
  const tags: [name: string, value: string][] = [
    ["summary", event.summary],
    ["description", event.description],
    ["start", event.dtstart],
    ["finish", event.nofinish === 1 ? "" : event.dtend],
    ["location", event.location],
    ["id", event.event_hash],
    ["adjust", String(event.adjust)],
  ];
  return tags
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `[event-${name}]${value}[/event-${name}]`)
    .join("\n");
}

/** The `obj` of the item. */
export function eventObject(hub: Hub, event: EventContent, author: Xchan): string {
  return JSON.stringify({
    type: objectTypes.event,
    id: `${hub.config.baseUrl}/event/${event.event_hash}`,
    title: event.summary,
    dtstart: event.dtstart,
    dtend: event.dtend,
    nofinish: event.nofinish,
    description: event.description,
    location: event.location,
    adjust: event.adjust,
    content: eventBody(event),
    author: {
      name: author.xchan_name,
      address: author.xchan_addr,
      guid: author.xchan_guid,
      guid_sig: author.xchan_guid_sig,
      link: [
        { rel: "alternate", type: "text/html", href: author.xchan_url },
        { rel: "photo", type: author.xchan_photo_mimetype, href: author.xchan_photo_m },
      ],
    },
  });
}

/** The `attach` of the item: the calendar file. */
export function eventAttachment(hub: Hub, event: EventContent): string {
  return JSON.stringify([
    {
      href: `${hub.config.baseUrl}/events/ical/${event.event_hash}`,
      length: "0",
      type: "text/calendar",
      title: encodeURIComponent("event.ics"),
      revision: "0",
    },
  ]);
}
