import { html } from "hono/html";
import { storedMoment } from "../../../http/dates.ts";
import type { Html, Visit } from "../page.ts";

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** A stored date as people read it: how long ago for the last week, else the day; the exact moment is its title. */
export function time(visit: Visit, stored: string): Html {
  const moment = storedMoment(stored);
  const zone = visit.member?.channel.channel_timezone || "UTC";
  return html`<time datetime="${moment.toISOString()}" title="${format(visit, zone, "exact", moment)}"
    >${words(visit, moment, zone)}</time
  >`;
}

/** The day of a stored date in the member's zone, `YYYY-MM-DD`, as date fields have it. */
export function dayIn(visit: Visit, stored: string): string {
  const zone = visit.member?.channel.channel_timezone || "UTC";
  const moment = storedMoment(stored);
  return new Intl.DateTimeFormat("sv-SE", { timeZone: zone }).format(moment);
}

function words(visit: Visit, moment: Date, zone: string): string {
  const now = visit.hub.clock();
  const ago = Math.round((now.getTime() - moment.getTime()) / 1000);
  if (ago >= 0 && ago < minute) return "just now";
  if (ago >= 0 && ago < hour) return count(ago / minute, "minute");
  if (ago >= 0 && ago < day) return count(ago / hour, "hour");
  if (ago >= 0 && ago < 7 * day) return count(ago / day, "day");
  const sameYear = moment.getUTCFullYear() === now.getUTCFullYear();
  return format(visit, zone, sameYear ? "day" : "day and year", moment);
}

function count(value: number, unit: string): string {
  const whole = Math.floor(value);
  return `${whole} ${unit}${whole === 1 ? "" : "s"} ago`;
}

const forms = {
  day: { day: "numeric", month: "long" },
  "day and year": { day: "numeric", month: "long", year: "numeric" },
  exact: { dateStyle: "full", timeStyle: "short" },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Making a formatter costs more than the rest of a page, so each zone's are kept. */
function format(visit: Visit, zone: string, form: keyof typeof forms, moment: Date): string {
  const known = visit.hub.memory.map<string, Intl.DateTimeFormat>("web: date formats", 500);
  const name = `${form} in ${zone}`;
  const formatter = known.get(name) ?? new Intl.DateTimeFormat("en-GB", { timeZone: zone, ...forms[form] });
  known.set(name, formatter);
  return formatter.format(moment);
}
