import { refusal } from "../../errors.ts";
import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { isSqlDate, zeroDate } from "../../storage/sql.ts";
import { plainLine } from "../bodies/names.ts";
import { layOut } from "../bodies/texts.ts";
import type { Lists } from "../files/types.ts";
import { withoutEventTags } from "../items/event-item.ts";
import type { Draft } from "../items/types.ts";
import { readRule } from "./recurrence.ts";
import type { TaskState } from "./task-states.ts";
import type { CalendarEvent } from "./types.ts";

/** An event as its maker describes it; dates in the stored form: UTC with `adjust`, else what the clocks show everywhere. */
export type EventDraft = {
  etype?: "event" | "task";
  summary: string;
  description?: string;
  location?: string;
  dtstart: string;
  /** Left out: no end. */
  dtend?: string;
  adjust?: boolean;
  status?: TaskState;
  percent?: number;
  priority?: number;
  sequence?: number;
  /** A recurrence rule; one that the calendar cannot show is kept all the same. */
  repeat?: string;
  vdata?: string;
  /** Whom it is shared with; left out, it stays the maker's own, or as it was. */
  share?: Pick<Draft, "audience" | "publicPolicy">;
};

/** The columns that a draft fills. */
export type EventColumns = Omit<
  CalendarEvent,
  "id" | "aid" | "uid" | "cal_id" | "event_xchan" | "event_hash" | "created" | "edited" | "dismissed" | keyof Lists
>;

/** Checks a draft. Throws invalid, naming the field at fault, and too-large. */
export async function columnsOf(hub: Hub, draft: EventDraft, former?: CalendarEvent): Promise<EventColumns> {
  const summary = plainLine(withoutEventTags(draft.summary), 255);
  if (summary === "") throw refusal("event_title_needed");
  const dtstart = readDate(draft.dtstart, "dtstart");
  const dtend = draft.dtend === undefined ? zeroDate : readDate(draft.dtend, "dtend");
  if (dtend !== zeroDate && dtend < dtstart) throw refusal("end_before_beginning");
  const etype = draft.etype ?? former?.etype ?? "event";
  const description = readText(hub, draft.description ?? "");
  return {
    etype,
    summary,
    description,
    html: (await layOut(hub, description, "text/bbcode")).html,
    location: plainLine(withoutEventTags(draft.location ?? ""), 255),
    dtstart,
    dtend,
    nofinish: dtend === zeroDate ? 1 : 0,
    adjust: draft.adjust === false ? 0 : 1,
    ...taskColumns(hub, etype, draft, former),
    event_priority: draft.priority ?? former?.event_priority ?? 0,
    event_sequence: draft.sequence ?? (former ? former.event_sequence + 1 : 0),
    event_repeat: readRepeat(draft.repeat ?? ""),
    event_vdata: draft.vdata ?? "",
  };
}

function taskColumns(hub: Hub, etype: string, draft: EventDraft, former: CalendarEvent | undefined) {
  const status = etype === "task" ? (draft.status ?? "") : "";
  const percent = etype !== "task" ? 0 : status === "COMPLETED" ? 100 : (draft.percent ?? 0);
  if (!Number.isInteger(percent) || percent < 0 || percent > 100) throw refusal("progress_wrong");
  const changed = status !== (former?.event_status ?? "");
  const since = former?.event_status_date ?? zeroDate;
  return {
    event_status: status as string,
    event_status_date: status === "" ? zeroDate : changed ? now(hub) : since,
    event_percent: percent,
  };
}

/** A date in the stored form, of the years that calendars know. */
export function readDate(text: string, field: string): string {
  if (!isSqlDate(text) || text < "0100-01-01" || text >= "9990-01-01") throw refusal("date_wrong", { field });
  return text;
}

function readText(hub: Hub, text: string): string {
  const description = withoutEventTags(text).trim();
  if ([...description].length > hub.config.limits.body) throw refusal("text_too_long", { field: "description" });
  return description;
}

function readRepeat(text: string): string {
  const rule = text.trim().replace(/^RRULE:/i, "");
  if (rule === "" || (/^[A-Z0-9=;,+:-]{1,500}$/i.test(rule) && /(^|;)FREQ=/i.test(rule))) return rule;
  throw refusal("recurrence_wrong");
}

/** Does the calendar show this rule's days? */
export function isShownRule(repeat: string): boolean {
  return repeat === "" || readRule(repeat) !== undefined;
}
