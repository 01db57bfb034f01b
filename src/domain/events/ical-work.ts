import ICAL from "ical.js";
import { refusal } from "../../errors.ts";
import { Caches } from "../../caches.ts";
import { fromSqlDate, sqlDate } from "../../storage/sql.ts";
import type { EventDraft } from "./draft.ts";
import { taskStates } from "./task-states.ts";
import { isZone, momentOf } from "./zones.ts";
import type { Clocks } from "./zones.ts";

/** Reads iCalendar texts; pure, because large ones take long and are read in a thread. */

/** How many events one file may bring. */
const most = 2000;

/** An event as it stands in a calendar file. */
export type ReadEvent = {
  draft: EventDraft;
  uid: string;
  /** Which time of an event that repeats it is, or empty. */
  time: string;
  /** What tells it from others where it has no `uid`. */
  text: string;
};

/**
 * The events and tasks of an iCalendar text, undefined where one cannot be read. Zones that no program knows are taken for
 * `usualZone`. Throws invalid for a text that is no calendar, and for one with too many events.
 */
export function readEvents(text: string, usualZone: string): (ReadEvent | undefined)[] {
  const components = readComponents(text);
  const clocks: Clocks = { caches: new Caches() };
  const moved = movedTimes(components);
  return components.map((component) => readEvent(clocks, usualZone, component, moved));
}

/** The library reads values when they are asked for, and throws at those that are none. */
function readEvent(clocks: Clocks, usualZone: string, component: ICAL.Component, moved: Moved): ReadEvent | undefined {
  try {
    return {
      draft: draftOf(clocks, usualZone, component, moved),
      uid: textOf(component, "uid"),
      time: textOf(component, "recurrence-id"),
      text: component.toString(),
    };
  } catch {
    return undefined;
  }
}

/** The times of events that repeat which have an event of their own, by the name of the event. */
type Moved = ReadonlyMap<string, readonly ICAL.Time[]>;

function movedTimes(components: readonly ICAL.Component[]): Moved {
  const moved = new Map<string, ICAL.Time[]>();
  for (const component of components) {
    const time = component.getFirstPropertyValue("recurrence-id");
    if (!(time instanceof ICAL.Time)) continue;
    const uid = textOf(component, "uid");
    moved.set(uid, [...(moved.get(uid) ?? []), time]);
  }
  return moved;
}

function readComponents(text: string): ICAL.Component[] {
  const calendars = parse(text);
  const found = calendars.flatMap((calendar) => [
    ...calendar.getAllSubcomponents("vevent"),
    ...calendar.getAllSubcomponents("vtodo"),
  ]);
  if (found.length > most) throw refusal("events_too_many", { most });
  return found;
}

/** One file may hold several calendars. */
function parse(text: string): ICAL.Component[] {
  try {
    const read = ICAL.parse(text) as [string | unknown[], ...unknown[]];
    const all = (typeof read[0] === "string" ? [read] : read) as ConstructorParameters<typeof ICAL.Component>[0][];
    const calendars = all.map((one) => new ICAL.Component(one));
    if (calendars.length > 0 && calendars.every((calendar) => calendar.name === "vcalendar")) return calendars;
  } catch {
    // Whatever is wrong with it, it is not a calendar.
  }
  throw refusal("not_a_calendar");
}

function draftOf(clocks: Clocks, usualZone: string, component: ICAL.Component, moved: Moved): EventDraft {
  const task = component.name === "vtodo";
  const due = timeOf(clocks, usualZone, component, task ? "due" : "dtend");
  const start = timeOf(clocks, usualZone, component, "dtstart") ?? due;
  if (!start) throw refusal("beginning_needed");
  const end = due ?? endAfter(component, start);
  const status = textOf(component, "status").toUpperCase();
  return {
    etype: task ? "task" : "event",
    summary: textOf(component, "summary") || "Untitled",
    description: escapeTags(textOf(component, "description")),
    location: textOf(component, "location"),
    dtstart: start.stored,
    ...(end && end.stored >= start.stored && { dtend: end.stored }),
    adjust: start.adjust,
    status: taskStates.find((known) => known === status) ?? "",
    percent: Math.min(100, numberOf(component, "percent-complete")),
    priority: Math.min(9, numberOf(component, "priority")),
    sequence: numberOf(component, "sequence"),
    repeat: ruleOf(component),
    vdata: vdataOf(component, moved),
  };
}

type Time = { stored: string; adjust: boolean };

/** The time of a property. */
function timeOf(clocks: Clocks, usualZone: string, component: ICAL.Component, name: string): Time | undefined {
  const property = component.getFirstProperty(name);
  const value = property?.getFirstValue();
  if (!property || !(value instanceof ICAL.Time)) return undefined;
  const pad = (number: number, width = 2): string => String(number).padStart(width, "0");
  const day = `${pad(value.year, 4)}-${pad(value.month)}-${pad(value.day)}`;
  if (value.isDate) return { stored: `${day} 00:00:00`, adjust: false };
  const clock = `${day} ${pad(value.hour)}:${pad(value.minute)}:${pad(value.second)}`;
  if (value.zone === ICAL.Timezone.utcTimezone) return { stored: clock, adjust: true };
  const zone = String(property.getFirstParameter("tzid") ?? "");
  if (zone === "") return { stored: clock, adjust: false };
  return { stored: momentOf(clocks, clock, isZone(zone) ? zone : usualZone), adjust: true };
}

/** The end of an event that tells how long it takes; a whole day without an end is that day. */
function endAfter(component: ICAL.Component, start: Time): Time | undefined {
  const value = component.getFirstPropertyValue("duration");
  const seconds = value instanceof ICAL.Duration ? value.toSeconds() : undefined;
  const wholeDay = component.name === "vevent" && !start.adjust && start.stored.endsWith("00:00:00");
  const length = seconds ?? (wholeDay ? 24 * 3600 : 0);
  if (length <= 0 || length > 10 * 366 * 24 * 3600) return undefined;
  const end = new Date(fromSqlDate(start.stored).getTime() + length * 1000);
  return { stored: sqlDate(end), adjust: start.adjust };
}

function ruleOf(component: ICAL.Component): string {
  const rule = component.getFirstPropertyValue("rrule");
  return rule instanceof ICAL.Recur ? rule.toString() : "";
}

/** The original text; times that have an event of their own are left out of the repetition. */
function vdataOf(component: ICAL.Component, moved: Moved): string {
  const uid = textOf(component, "uid");
  if (uid === "" || !component.hasProperty("rrule")) return component.toString();
  const copy = new ICAL.Component(structuredClone(component.toJSON()) as string[]);
  for (const time of moved.get(uid) ?? []) copy.addPropertyWithValue("exdate", time);
  return copy.toString();
}

function textOf(component: ICAL.Component, name: string): string {
  const value = component.getFirstPropertyValue(name);
  return value === null || value === undefined ? "" : String(value).toWellFormed().replaceAll("\0", "").trim();
}

function numberOf(component: ICAL.Component, name: string): number {
  const number = Number(component.getFirstPropertyValue(name) ?? 0);
  return Number.isInteger(number) && number > 0 && number < 2 ** 31 ? number : 0;
}

/** Descriptions of calendar files are plain text; their brackets are no markup. */
function escapeTags(text: string): string {
  return /\[[a-z/*]/i.test(text) ? `[nobb]${text.replace(/\[\/nobb\]/gi, "")}[/nobb]` : text;
}
