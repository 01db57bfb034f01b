import { createHash } from "node:crypto";
import type { Hub } from "../../../hub.ts";
import { sqlDate, zeroDate } from "../../../storage/sql.ts";
import { storedJson } from "../../../stored-json.ts";
import { escapeHtml } from "../../bodies/escape.ts";
import { eventHtml } from "../../bodies/event-html.ts";
import { plainLine } from "../../bodies/names.ts";
import type { Xchan } from "../../identity/xchans/xchans.ts";
import { calendarFileOf, eventBody, eventObject, withoutEventTags } from "../event-item.ts";
import type { EventContent } from "../event-item.ts";
import type { ReceivedEvent, ReceivedPost } from "./received.ts";

/** Events of elsewhere become items as those of this hub are, so that everybody sees and answers them alike. */

/** A text from elsewhere in the form in which it is stored. */
export type TextLayout = Record<"body" | "mimetype" | "html" | "plain" | "lang" | "attach" | "summary", string>;

/** What calendars say of an event; `html` is its description. */
export type EventLayout = EventContent & { html: string };

/** The item of an event, by what is said of it as text. */
export function asEvent(
  hub: Hub,
  post: ReceivedPost,
  event: ReceivedEvent,
  text: TextLayout,
): TextLayout & { obj: string; event: EventLayout } {
  const content = contentOf(post, event, text.mimetype === "text/bbcode" ? text.body : text.plain);
  const { summary, location, dtstart: start, dtend, nofinish, adjust } = content;
  const card = {
    summary: escapeHtml(summary),
    start,
    finish: nofinish === 1 ? "" : dtend,
    adjust: String(adjust),
    location: escapeHtml(location),
    description: text.html,
  };
  const files = text.attach === "" ? [] : storedJson<object[]>(text.attach);
  return {
    ...text,
    body: eventBody(content),
    mimetype: "text/bbcode",
    html: eventHtml(card),
    plain: [summary, location, text.plain].filter((line) => line !== "").join("\n"),
    attach: JSON.stringify([calendarFileOf(hub, content), ...files]),
    obj: eventObject(hub, content, post.author),
    event: { ...content, html: text.html },
  };
}

/** Its name is made of its id, so that nobody can claim somebody else's event. */
function contentOf({ mid, title }: ReceivedPost, event: ReceivedEvent, description: string): EventContent {
  const digest = createHash("sha256").update(mid).digest("hex");
  const words = (text: string): string => plainLine(withoutEventTags(text), 255);
  return {
    event_hash: `${digest}@${new URL(mid).host}`,
    summary: words(title) || "Event",
    description: withoutEventTags(description).trim(),
    location: words(event.location),
    dtstart: sqlDate(event.start),
    dtend: event.end ? sqlDate(event.end) : zeroDate,
    nofinish: event.end ? 0 : 1,
    adjust: event.byClock ? 0 : 1,
  };
}

/** The calendars of those who wanted to come follow a change. Part of a transaction. */
export async function renewEntries(
  hub: Hub,
  { xchan_hash }: Pick<Xchan, "xchan_hash">,
  { event_hash, ...columns }: EventLayout,
  edited: string,
): Promise<void> {
  await hub.db
    .updateTable("event")
    .set({ ...columns, edited })
    .where("event_hash", "=", event_hash)
    .where("event_xchan", "=", xchan_hash)
    .execute();
}
