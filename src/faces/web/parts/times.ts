import { html } from "hono/html";
import type { Html, Visit } from "../page.ts";

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** A stored date as people read it: how long ago for the last week, else the day; the exact moment is its title. */
export function time(visit: Visit, stored: string): Html {
  const moment = new Date(`${stored.replace(" ", "T")}Z`);
  const zone = visit.member?.channel.channel_timezone || "UTC";
  return html`<time datetime="${moment.toISOString()}" title="${exact(moment, zone)}"
    >${words(visit, moment, zone)}</time
  >`;
}

function words(visit: Visit, moment: Date, zone: string): string {
  const now = visit.hub.clock();
  const ago = Math.round((now.getTime() - moment.getTime()) / 1000);
  if (ago >= 0 && ago < minute) return "just now";
  if (ago >= 0 && ago < hour) return count(ago / minute, "minute");
  if (ago >= 0 && ago < day) return count(ago / hour, "hour");
  if (ago >= 0 && ago < 7 * day) return count(ago / day, "day");
  const sameYear = moment.getUTCFullYear() === now.getUTCFullYear();
  return new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    day: "numeric",
    month: "long",
    ...(sameYear ? {} : { year: "numeric" }),
  }).format(moment);
}

function count(value: number, unit: string): string {
  const whole = Math.floor(value);
  return `${whole} ${unit}${whole === 1 ? "" : "s"} ago`;
}

function exact(moment: Date, zone: string): string {
  return new Intl.DateTimeFormat("en-GB", { timeZone: zone, dateStyle: "full", timeStyle: "short" }).format(moment);
}
