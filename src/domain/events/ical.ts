import ICAL from "ical.js";
import type { Hub } from "../../hub.ts";
import { zeroDate } from "../../storage/sql.ts";
import { personalise } from "../bodies/personalise.ts";
import { plainText } from "../bodies/plain-text.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { zoneOfChannel } from "./calendar.ts";
import type { CalendarEvent } from "./types.ts";
import { exceptions, zoneOf } from "./vdata.ts";
import { wallClock } from "./zones.ts";
import { isWholeDay } from "./whole-day.ts";

/** Events as an iCalendar text; those that repeat do so in the zone of this channel. */
export function ical(hub: Hub, channel: Pick<Channel, "channel_timezone">, events: readonly CalendarEvent[]): string {
  const calendar = new ICAL.Component("vcalendar");
  calendar.addPropertyWithValue("version", "2.0");
  calendar.addPropertyWithValue("prodid", "-//Hubbub//Calendar//EN");
  for (const event of events) calendar.addSubcomponent(componentOf(hub, event, zoneOfChannel(channel)));
  return `${calendar.toString()}\r\n`;
}

/** The channel's whole calendar as such a text: its own entries, for its owner. */
export async function wholeCalendar(hub: Hub, channel: Channel): Promise<string> {
  const events = await hub.db
    .selectFrom("event")
    .selectAll()
    .where("uid", "=", channel.channel_id)
    .where("dismissed", "=", 0)
    .orderBy("dtstart")
    .orderBy("id")
    .execute();
  return ical(hub, channel, events);
}

function componentOf(hub: Hub, event: CalendarEvent, zone: string): ICAL.Component {
  const task = event.etype === "task";
  const component = new ICAL.Component(task ? "vtodo" : "vevent");
  component.addPropertyWithValue("uid", event.event_hash);
  for (const name of ["dtstamp", "last-modified"]) component.addPropertyWithValue(name, utc(event.edited));
  component.addPropertyWithValue("created", utc(event.created));
  addDates(hub, component, event, zoneOf(event) ?? zone);
  addTexts(hub, component, event);
  if (task) addProgress(component, event);
  return component;
}

function addDates(hub: Hub, component: ICAL.Component, event: CalendarEvent, zone: string): void {
  const end = event.etype === "task" ? "due" : "dtend";
  const repeats = event.event_repeat !== "" && addRule(component, event.event_repeat);
  addDate(hub, component, "dtstart", event, event.dtstart, repeats ? zone : undefined);
  if (event.nofinish === 0) addDate(hub, component, end, event, event.dtend, repeats ? zone : undefined);
  if (!repeats) return;
  const clock = event.adjust === 1 ? wallClock(hub, event.dtstart, zone).slice(11) : event.dtstart.slice(11);
  for (const day of exceptions(hub, event, zone)) {
    addDate(
      hub,
      component,
      "exdate",
      { ...event, adjust: 0 },
      `${day} ${clock}`,
      event.adjust === 1 ? zone : undefined,
    );
  }
}

/** A moment is told in UTC, but the times of what repeats on the clock of its zone, or an hour would be lost in spring. */
function addDate(
  hub: Hub,
  component: ICAL.Component,
  name: string,
  event: CalendarEvent,
  stored: string,
  zone: string | undefined,
): void {
  if (isWholeDay(event)) {
    component.addPropertyWithValue(name, ICAL.Time.fromDateString(stored.slice(0, 10)));
    return;
  }
  if (zone === undefined || zone === "UTC") {
    component.addPropertyWithValue(name, event.adjust === 1 || zone === "UTC" ? utc(stored) : floating(stored));
    return;
  }
  const property = component.addPropertyWithValue(
    name,
    floating(event.adjust === 1 ? wallClock(hub, stored, zone) : stored),
  );
  property.setParameter("tzid", zone);
}

function addRule(component: ICAL.Component, rule: string): boolean {
  try {
    component.addPropertyWithValue("rrule", ICAL.Recur.fromString(rule));
    return true;
  } catch {
    return false;
  }
}

function addTexts(hub: Hub, component: ICAL.Component, event: CalendarEvent): void {
  component.addPropertyWithValue("summary", event.summary);
  const description = plainText(personalise(event.html, undefined), "label");
  if (description !== "") component.addPropertyWithValue("description", description);
  if (event.location !== "") component.addPropertyWithValue("location", event.location);
  component.addPropertyWithValue("url", `${hub.config.baseUrl}/event/${event.event_hash}`);
  component.addPropertyWithValue("sequence", event.event_sequence);
  if (event.event_priority > 0) component.addPropertyWithValue("priority", event.event_priority);
}

function addProgress(component: ICAL.Component, event: CalendarEvent): void {
  if (event.event_status !== "") component.addPropertyWithValue("status", event.event_status);
  component.addPropertyWithValue("percent-complete", event.event_percent);
  if (event.event_status === "COMPLETED" && event.event_status_date !== zeroDate)
    component.addPropertyWithValue("completed", utc(event.event_status_date));
}

function utc(stored: string): ICAL.Time {
  return ICAL.Time.fromDateTimeString(`${stored.replace(" ", "T")}Z`);
}

function floating(stored: string): ICAL.Time {
  return ICAL.Time.fromDateTimeString(stored.replace(" ", "T"));
}
