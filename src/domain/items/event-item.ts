import type { Selectable } from "kysely";
import type { Hub } from "../../hub.ts";
import type { EventTable } from "../../storage/tables/events.ts";
import { zeroDate } from "../../storage/sql.ts";
import { dateIn, flagIn, recordOf, textIn } from "../identity/records/portable-fields.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";
import { objectTypes } from "./vocabulary.ts";

/** What the item of an event says about it. */
export type EventContent = Pick<
  Selectable<EventTable>,
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

/** What such an `obj` says; undefined where it is another one, or cannot be read. */
export function readEventObject(obj: string, event_hash: string): EventContent | undefined {
  const record = recordOf(parsed(obj));
  const dtstart = dateIn(record, "dtstart");
  if (dtstart === zeroDate) return undefined;
  const text = (name: string): string => textIn(record, name);
  const dtend = dateIn(record, "dtend");
  return {
    event_hash,
    summary: text("title"),
    description: text("description"),
    location: text("location"),
    dtstart,
    dtend,
    nofinish: dtend === zeroDate ? 1 : 0,
    adjust: flagIn(record, "adjust"),
  };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** The entry in the `attach` of the item that leads to the calendar file. */
export function calendarFileOf({ config }: Hub, { event_hash }: Pick<EventContent, "event_hash">): object {
  const href = `${config.baseUrl}/events/ical/${event_hash}`;
  return { href, length: "0", type: "text/calendar", title: encodeURIComponent("event.ics"), revision: "0" };
}

/** The tags of a card must not appear in its own texts. */
export function withoutEventTags(text: string): string {
  return text.replace(/\[\/?event-[a-z]+\]/gi, "");
}
