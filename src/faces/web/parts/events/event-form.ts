import { isWholeDay, momentOf, taskStates, wallClock, zoneOfChannel } from "../../../../domain/events/events.ts";
import type { CalendarEvent, EventDraft } from "../../../../domain/events/events.ts";
import { fault as faultOf } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, PageContext } from "../../page.ts";
import { audiencePicker, readAudience } from "../items/audience.ts";
import type { AudienceChoice } from "../items/audience.ts";
import { alert, box, choice, textArea, textField, token } from "../forms.ts";
import { dayBefore } from "./when.ts";

const stateNames = {
  "": "unsaid",
  "NEEDS-ACTION": "to-do",
  "IN-PROCESS": "under-way",
  COMPLETED: "done",
  CANCELLED: "called-off",
} as const satisfies Record<(typeof taskStates)[number], string>;

const repeats = [
  ["", "never"],
  ["DAILY", "day"],
  ["WEEKLY", "week"],
  ["MONTHLY", "month"],
  ["YEARLY", "year"],
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
  const { say } = context;
  const task = typed.text("etype") === "task";
  const often = repeats.map(([value, name]) => [value, say(`events.every-${name}`)] as const);
  const field = (label: string, name: string, more: { type?: string; required?: boolean; hint?: string } = {}): Html =>
    textField(context, { label, name, value: typed.text(name), fault, ...more });
  return html`<form class="card form-page" method="post">
    ${token(context)} ${alert(fault)} ${field(say("events.title"), "summary", { required: true })}
    <div class="columns">
      ${field(say("events.begins-on"), "start_date", { type: "date", required: true })}
      ${field(say("events.begins-at"), "start_time", { type: "time", hint: say("events.begins-at-hint") })}
      ${field(say(task ? "events.due-on" : "events.ends-on"), "end_date", { type: "date" })}
      ${field(say(task ? "events.due-at" : "events.ends-at"), "end_time", { type: "time" })}
    </div>
    ${box({ label: say("events.everywhere"), name: "everywhere", checked: typed.has("everywhere"), hint: say("events.everywhere-hint", { zone: zoneOfChannel(context.member.channel) }) })}
    ${field(say("events.place"), "location")}
    ${textArea(context, { label: say("events.description"), name: "description", value: typed.text("description"), rows: 4, fault })}
    <div class="columns">
      ${choice(context, { label: say("events.repeats"), name: "repeat", value: typed.text("repeat"), choices: event && keepsRule(event) ? [...often, ["keep", say("events.as-now")]] : often, fault })}
      ${field(say("events.repeats-until"), "until", { type: "date" })}
    </div>
    ${event ? html`<input type="hidden" name="etype" value="${task ? "task" : "event"}" />` : kindChoice(context, typed)}
    ${!event || task ? progress(context, typed, task, fault) : ""}
    ${audience ? audiencePicker(context, audience, fault?.field === "audience" || fault?.field === "group_allow") : ""}
    <p class="submit">
      <button class="button primary">${say("forms.save")}</button> <a href="${leave}">${say("forms.leave-it")}</a>
    </p>
  </form>`;
}

function kindChoice({ say }: MemberContext, typed: Fields): Html {
  const task = typed.text("etype") === "task";
  return html`<fieldset class="radios">
    <legend>${say("events.kind")}</legend>
    <label class="box"
      ><input type="radio" name="etype" value="event" ${task ? "" : "checked"} />
      <span
        ><span class="box-label">${say("events.an-event")}</span> <small>${say("events.an-event-hint")}</small></span
      ></label
    >
    <label class="box"
      ><input type="radio" name="etype" value="task" ${task ? "checked" : ""} />
      <span
        ><span class="box-label">${say("events.a-task")}</span> <small>${say("events.a-task-hint")}</small></span
      ></label
    >
  </fieldset>`;
}

function progress(context: MemberContext, typed: Fields, open: boolean, fault: Fault | undefined): Html {
  const { say } = context;
  return html`<details class="extras" ${open ? "open" : ""}>
    <summary>${say("events.progress")}</summary>
    <div class="columns">
      ${choice(context, { label: say("events.state"), name: "status", value: typed.text("status"), choices: taskStates.map((state) => [state, say(`events.state-${stateNames[state]}`)] as const), fault })}
      ${textField(context, { label: say("events.percent"), name: "percent", type: "number", min: 0, max: 100, value: typed.text("percent"), fault })}
    </div>
  </details>`;
}

/** A task's state in words. */
export function taskState({ say }: PageContext, event: CalendarEvent): string {
  const known = taskStates.find((one) => one === event.event_status) ?? "";
  const state = say(`events.state-${stateNames[known]}`);
  return event.event_percent > 0 ? say("events.state-percent", { state, percent: event.event_percent }) : state;
}

/** How an event repeats, in words. */
export function repetition({ say }: PageContext, event: CalendarEvent): string {
  const simple = simpleRule(event);
  const name = repeats.find(([value]) => value === simple?.freq)?.[1];
  if (!simple || !name) return say("events.repeats");
  const every = say(`events.every-${name}`);
  return simple.until ? say("events.every-until", { every, until: simple.until }) : every;
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
    repeat: kept ? kept.event_repeat : readRepeat(context, form),
    vdata: kept ? kept.event_vdata : "",
  };
}

/** Whom a form shares the event with; undefined keeps it to its maker. */
export async function readSharing(context: MemberContext, form: Fields): Promise<Pick<EventDraft, "share">> {
  return form.text("audience") === "self" ? {} : { share: await readAudience(context, form) };
}

function readSpan(context: MemberContext, form: Fields): Pick<EventDraft, "dtstart" | "dtend" | "adjust"> {
  const { hub, member, say } = context;
  const [startDate, startTime] = [readDay(context, form, "start_date"), readTime(context, form, "start_time")];
  const [endDate, endTime] = [readDay(context, form, "end_date"), readTime(context, form, "end_time")];
  if (startDate === "") throw faultOf("start_date", say("events.no-begin-day"));
  if (startTime === "") {
    if (endTime !== "") throw faultOf("start_time", say("events.no-begin-time"));
    const last = endDate === "" ? startDate : endDate;
    return { dtstart: `${startDate} 00:00:00`, dtend: `${dayAfter(last)} 00:00:00`, adjust: false };
  }
  if (endDate !== "" && endTime === "") throw faultOf("end_time", say("events.no-end-time"));
  const adjust = !form.has("everywhere");
  const stored = (wall: string): string => (adjust ? momentOf(hub, wall, zoneOfChannel(member.channel)) : wall);
  return {
    dtstart: stored(`${startDate} ${startTime}:00`),
    ...(endTime !== "" && { dtend: stored(`${endDate || startDate} ${endTime}:00`) }),
    adjust,
  };
}

function readDay({ say }: MemberContext, form: Fields, name: string): string {
  const text = form.word(name);
  if (text === "") return "";
  const date = new Date(`${text}T00:00:00Z`);
  const real = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
  if (!real || text < "1000") throw faultOf(name, say("events.not-a-day"));
  return text;
}

function readTime({ say }: MemberContext, form: Fields, name: string): string {
  const text = form.word(name).slice(0, 5);
  if (text !== "" && !/^([01]\d|2[0-3]):[0-5]\d$/.test(text)) throw faultOf(name, say("events.not-a-time"));
  return text;
}

function dayAfter(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + 24 * 3600 * 1000).toISOString().slice(0, 10);
}

function readRepeat(context: MemberContext, form: Fields): string {
  const freq = repeats.find(([value]) => value === form.text("repeat"))?.[0] ?? "";
  if (freq === "") return "";
  const until = readDay(context, form, "until").replaceAll("-", "");
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
