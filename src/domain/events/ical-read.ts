import { createHash } from "node:crypto";
import ICAL from "ical.js";
import { HubError } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { fromSqlDate, sqlDate } from "../../storage/sql.ts";
import type { Channel } from "../identity/channel.ts";
import { lockChannels } from "../identity/lock-channels.ts";
import { zoneOfChannel } from "./calendar.ts";
import { taskStates } from "./draft.ts";
import type { EventDraft } from "./draft.ts";
import { entryOf } from "./find.ts";
import { addEvent, saveEvent } from "./save.ts";
import { isZone, momentOf } from "./zones.ts";

/** How many events one file may bring. */
const most = 2000;

export type ReadCalendar = { added: number; changed: number; unreadable: number };

/**
 * Takes the events and tasks of an iCalendar text into the channel's calendar, where they are its own alone; reading the
 * same file again changes what is there. Throws invalid for a text that is no calendar.
 */
export async function importCalendar(hub: Hub, channel: Channel, text: string): Promise<ReadCalendar> {
  const components = readComponents(text);
  const counts: ReadCalendar = { added: 0, changed: 0, unreadable: 0 };
  await inTransaction(hub, async (hub) => {
    // The same file may come twice at the same moment.
    await lockChannels(hub, [channel.channel_id]);
    for (const component of components) counts[await take(hub, channel, component, components)]++;
  });
  return counts;
}

function readComponents(text: string): ICAL.Component[] {
  const calendars = parse(text);
  const found = calendars.flatMap((calendar) => [
    ...calendar.getAllSubcomponents("vevent"),
    ...calendar.getAllSubcomponents("vtodo"),
  ]);
  if (found.length > most) throw new HubError("invalid", `A file may hold ${most} events.`, { field: "file" });
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
  throw new HubError("invalid", "This is not a calendar file.", { field: "file" });
}

async function take(
  hub: Hub,
  channel: Channel,
  component: ICAL.Component,
  all: ICAL.Component[],
): Promise<keyof ReadCalendar> {
  const draft = readDraft(hub, channel, component, all);
  if (!draft) return "unreadable";
  const hash = await hashOf(hub, channel, component);
  const known = await entryOf(hub, channel.channel_id, hash);
  if (known && known.event_xchan !== channel.channel_hash) return "unreadable";
  try {
    await (known ? saveEvent(hub, channel, draft, hash) : addEvent(hub, channel, draft, hash));
    return known ? "changed" : "added";
  } catch (error) {
    if (!(error instanceof HubError) || error.kind === "unavailable") throw error;
    return "unreadable";
  }
}

/** The library reads values when they are asked for, and throws at those that are none. */
function readDraft(hub: Hub, channel: Channel, component: ICAL.Component, all: ICAL.Component[]) {
  try {
    return draftOf(hub, channel, component, all);
  } catch {
    return undefined;
  }
}

/** An event that came from this calendar is known by its own name, others by a name that nobody else can have. */
async function hashOf(hub: Hub, channel: Channel, component: ICAL.Component): Promise<string> {
  const uid = textOf(component, "uid");
  const time = textOf(component, "recurrence-id");
  if (time === "" && (await entryOf(hub, channel.channel_id, uid))) return uid;
  const named = `${channel.channel_hash} ${uid || component.toString()} ${time}`;
  return `${createHash("sha256").update(named).digest("hex")}@${hub.config.host}`;
}

function draftOf(hub: Hub, channel: Channel, component: ICAL.Component, all: ICAL.Component[]): EventDraft {
  const task = component.name === "vtodo";
  const due = timeOf(hub, channel, component, task ? "due" : "dtend");
  const start = timeOf(hub, channel, component, "dtstart") ?? due;
  if (!start) throw new HubError("invalid", "An event needs a beginning.", { field: "dtstart" });
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
    vdata: vdataOf(component, all),
  };
}

type Time = { stored: string; adjust: boolean };

/** The time of a property. Zones that no program knows are taken for the channel's own. */
function timeOf(hub: Hub, channel: Channel, component: ICAL.Component, name: string): Time | undefined {
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
  return { stored: momentOf(hub, clock, isZone(zone) ? zone : zoneOfChannel(channel)), adjust: true };
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
function vdataOf(component: ICAL.Component, all: ICAL.Component[]): string {
  const uid = textOf(component, "uid");
  if (uid === "" || !component.hasProperty("rrule")) return component.toString();
  const copy = new ICAL.Component(structuredClone(component.toJSON()) as string[]);
  for (const other of all) {
    const time = textOf(other, "uid") === uid ? other.getFirstPropertyValue("recurrence-id") : undefined;
    if (time instanceof ICAL.Time) copy.addPropertyWithValue("exdate", time);
  }
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
