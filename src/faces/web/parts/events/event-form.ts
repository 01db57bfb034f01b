import { html } from "hono/html";
import { isWholeDay, momentOf, taskStates, wallClock, zoneOfChannel } from "../../../../domain/events/events.ts";
import type { CalendarEvent, EventDraft } from "../../../../domain/events/events.ts";
import { fault as faultOf } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import type { Html, MemberContext } from "../../page.ts";
import { audiencePicker, readAudience } from "../items/audience.ts";
import type { AudienceChoice } from "../items/audience.ts";
import { alert, box, choice, textArea, textField, token } from "../forms.ts";
import { dayBefore } from "./when.ts";

const stateWords: Record<(typeof taskStates)[number], string> = {
  "": "Not said",
  "NEEDS-ACTION": "To do",
  "IN-PROCESS": "Under way",
  COMPLETED: "Done",
  CANCELLED: "Called off",
};

const repeats = [
  ["", "Never"],
  ["DAILY", "Every day"],
  ["WEEKLY", "Every week"],
  ["MONTHLY", "Every month"],
  ["YEARLY", "Every year"],
] as const;

type Options = {
  typed: Fields;
  fault: Fault | undefined;
  /** Undefined for an event that is shared already: it keeps its audience. */
  audience: AudienceChoice | undefined;
  /** The event that is changed. */
  event?: CalendarEvent;
  leave: string;
};

/** The form of an event or a task; it needs no scripts. */
export function eventForm(context: MemberContext, { typed, fault, audience, event, leave }: Options): Html {
  const task = typed.text("etype") === "task";
  const field = (label: string, name: string, more: { type?: string; required?: boolean; hint?: string } = {}): Html =>
    textField(context, { label, name, value: typed.text(name), fault, ...more });
  return html`<form class="card form-page" method="post">
    ${token(context)} ${alert(fault)} ${field("Title", "summary", { required: true })}
    <div class="columns">
      ${field("Begins on", "start_date", { type: "date", required: true })}
      ${field("Begins at", "start_time", { type: "time", hint: "Without a time, it lasts all day." })}
      ${field(task ? "Due on" : "Ends on", "end_date", { type: "date" })}
      ${field(task ? "Due at" : "Ends at", "end_time", { type: "time" })}
    </div>
    ${box({ label: "The same clock time everywhere", name: "everywhere", checked: typed.has("everywhere"), hint: `Otherwise people elsewhere see it in their own time; yours is ${zoneOfChannel(context.member.channel)}.` })}
    ${field("Place", "location")}
    ${textArea(context, { label: "Description", name: "description", value: typed.text("description"), rows: 4, fault })}
    <div class="columns">
      ${choice(context, { label: "Repeats", name: "repeat", value: typed.text("repeat"), choices: event && keepsRule(event) ? [...repeats, ["keep", "As it does now"]] : repeats, fault })}
      ${field("Repeats until", "until", { type: "date" })}
    </div>
    ${event ? html`<input type="hidden" name="etype" value="${task ? "task" : "event"}" />` : kindChoice(typed)}
    ${!event || task ? progress(context, typed, task, fault) : ""}
    ${audience ? audiencePicker(audience, fault?.field === "audience" || fault?.field === "group_allow") : ""}
    <p class="submit"><button class="button primary">Save</button> <a href="${leave}">Leave it</a></p>
  </form>`;
}

function kindChoice(typed: Fields): Html {
  const task = typed.text("etype") === "task";
  return html`<fieldset class="radios">
    <legend>What is it?</legend>
    <label class="box"
      ><input type="radio" name="etype" value="event" ${task ? "" : "checked"} />
      <span><span class="box-label">An event</span> <small>Something that people come to</small></span></label
    >
    <label class="box"
      ><input type="radio" name="etype" value="task" ${task ? "checked" : ""} />
      <span><span class="box-label">A task</span> <small>Something that has to be done</small></span></label
    >
  </fieldset>`;
}

function progress(context: MemberContext, typed: Fields, open: boolean, fault: Fault | undefined): Html {
  return html`<details class="extras" ${open ? "open" : ""}>
    <summary>Progress of a task</summary>
    <div class="columns">
      ${choice(context, { label: "State", name: "status", value: typed.text("status"), choices: taskStates.map((state) => [state, stateWords[state]] as const), fault })}
      ${textField(context, { label: "Done, in per cent", name: "percent", type: "number", min: 0, max: 100, value: typed.text("percent"), fault })}
    </div>
  </details>`;
}

/** A task's state in words. */
export function taskState(event: CalendarEvent): string {
  const known = taskStates.find((state) => state === event.event_status) ?? "";
  return event.event_percent > 0 ? `${stateWords[known]}, ${event.event_percent} %` : stateWords[known];
}

/** How an event repeats, in words. */
export function repetition(event: CalendarEvent): string {
  const simple = simpleRule(event);
  if (!simple) return "Repeats";
  const words = repeats.find(([value]) => value === simple.freq)?.[1] ?? "";
  return simple.until ? `${words} until ${simple.until}` : words;
}

/** The event that a form describes. */
export function readEventForm(context: MemberContext, form: Fields, known?: CalendarEvent): EventDraft {
  const kept = form.text("repeat") === "keep" && known;
  return {
    etype: form.text("etype") === "task" ? "task" : "event",
    summary: form.text("summary"),
    description: form.text("description"),
    location: form.text("location"),
    ...readSpan(context, form),
    status: taskStates.find((state) => state === form.text("status")) ?? "",
    percent: form.number("percent") ?? 0,
    repeat: kept ? kept.event_repeat : readRepeat(form),
    vdata: kept ? kept.event_vdata : "",
  };
}

/** Whom a form shares the event with; undefined keeps it to its maker. */
export function readSharing(form: Fields): Pick<EventDraft, "share"> {
  return form.text("audience") === "self" ? {} : { share: readAudience(form) };
}

function readSpan({ hub, member }: MemberContext, form: Fields): Pick<EventDraft, "dtstart" | "dtend" | "adjust"> {
  const [startDate, startTime] = [readDay(form, "start_date"), readTime(form, "start_time")];
  const [endDate, endTime] = [readDay(form, "end_date"), readTime(form, "end_time")];
  if (startDate === "") throw faultOf("start_date", "Say on which day it begins.");
  if (startTime === "") {
    if (endTime !== "") throw faultOf("start_time", "Say at what time it begins.");
    const last = endDate === "" ? startDate : endDate;
    return { dtstart: `${startDate} 00:00:00`, dtend: `${dayAfter(last)} 00:00:00`, adjust: false };
  }
  if (endDate !== "" && endTime === "") throw faultOf("end_time", "Say at what time it ends.");
  const adjust = !form.has("everywhere");
  const stored = (wall: string): string => (adjust ? momentOf(hub, wall, zoneOfChannel(member.channel)) : wall);
  return {
    dtstart: stored(`${startDate} ${startTime}:00`),
    ...(endTime !== "" && { dtend: stored(`${endDate || startDate} ${endTime}:00`) }),
    adjust,
  };
}

function readDay(form: Fields, name: string): string {
  const text = form.word(name);
  if (text === "") return "";
  const date = new Date(`${text}T00:00:00Z`);
  const real = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
  if (!real || text < "1000") throw faultOf(name, "This is not a day.");
  return text;
}

function readTime(form: Fields, name: string): string {
  const text = form.word(name).slice(0, 5);
  if (text !== "" && !/^([01]\d|2[0-3]):[0-5]\d$/.test(text)) throw faultOf(name, "This is not a time.");
  return text;
}

function dayAfter(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + 24 * 3600 * 1000).toISOString().slice(0, 10);
}

function readRepeat(form: Fields): string {
  const freq = repeats.find(([value]) => value === form.text("repeat"))?.[0] ?? "";
  if (freq === "") return "";
  const until = readDay(form, "until").replaceAll("-", "");
  return `FREQ=${freq}${until ? `;UNTIL=${until}` : ""}`;
}

/** What the form says about an event that is there. */
export function fieldsOf({ hub, member }: MemberContext, event: CalendarEvent): Fields {
  const zone = zoneOfChannel(member.channel);
  const clock = (stored: string): string => (event.adjust === 1 ? wallClock(hub, stored, zone) : stored);
  const whole = isWholeDay(event);
  const [start, end] = [clock(event.dtstart), event.nofinish === 1 ? "" : clock(event.dtend)];
  const last = whole && end !== "" ? dayBefore(end) : end.slice(0, 10);
  const simple = simpleRule(event);
  return new Fields([
    ["etype", event.etype],
    ["summary", event.summary],
    ["description", event.description],
    ["location", event.location],
    ["start_date", start.slice(0, 10)],
    ["start_time", whole ? "" : start.slice(11, 16)],
    ["end_date", last > start.slice(0, 10) || !whole ? last : ""],
    ["end_time", whole ? "" : end.slice(11, 16)],
    ["everywhere", event.adjust === 1 || whole ? "" : "1"],
    ["repeat", keepsRule(event) ? "keep" : (simple?.freq ?? "")],
    ["until", keepsRule(event) ? "" : (simple?.until ?? "")],
    ["status", event.event_status],
    ["percent", event.event_percent > 0 ? String(event.event_percent) : ""],
  ]);
}

/** Rules from elsewhere may say more than the form can. */
function keepsRule(event: CalendarEvent): boolean {
  return event.event_repeat !== "" && (event.event_vdata !== "" || simpleRule(event) === undefined);
}

function simpleRule({ event_repeat }: CalendarEvent): { freq: string; until: string } | undefined {
  const [, freq, until] =
    /^FREQ=(DAILY|WEEKLY|MONTHLY|YEARLY)(?:;UNTIL=(\d{8})(?:T\d{6}Z?)?)?$/.exec(event_repeat) ?? [];
  return freq === undefined ? undefined : { freq, until: (until ?? "").replace(/(....)(..)(..)/, "$1-$2-$3") };
}
