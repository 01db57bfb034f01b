import { cache } from "../../../caches.ts";
import { storedMoment } from "../../../http/dates.ts";
import type { Hub } from "../../../hub.ts";
import { html } from "../html.ts";
import type { Html, PageContext } from "../page.ts";

const minute = 60;
const hour = 3600;
const day = 86_400;
const units = { [minute]: "minute", [hour]: "hour", [day]: "day" } as const;

/** A stored date as people read it: how long ago for the last week, else the day; the exact moment is its title. */
export function time(context: PageContext, stored: string): Html {
  const moment = storedMoment(stored);
  const zone = context.member?.channel.channel_timezone || "UTC";
  return html`<time datetime="${moment.toISOString()}" title="${format(context, zone, "exact", moment)}"
    >${words(context, moment, zone)}</time
  >`;
}

/** A stored date with its day and its time on the member's clock. */
export function exactTime(context: PageContext, stored: string): Html {
  const moment = storedMoment(stored);
  const zone = context.member?.channel.channel_timezone || "UTC";
  return html`<time datetime="${moment.toISOString()}">${format(context, zone, "exact", moment)}</time>`;
}

/** The day of a stored date in the member's zone, `YYYY-MM-DD`, as date fields have it. */
export function dayIn(context: PageContext, stored: string): string {
  const zone = context.member?.channel.channel_timezone || "UTC";
  const moment = storedMoment(stored);
  return new Intl.DateTimeFormat("sv-SE", { timeZone: zone }).format(moment);
}

/** A day `YYYY-MM-DD` in words, whatever the clock says elsewhere: with its weekday, or what else is asked for of it. */
export function dayWords(
  context: PageContext,
  day: string,
  form: "whole day" | "day and year" | "month" | "short month" | "weekday" | "short weekday" = "whole day",
): string {
  return format(context, "UTC", form, new Date(`${day.slice(0, 10)}T00:00:00Z`));
}

function words(context: PageContext, moment: Date, zone: string): string {
  const { now } = context;
  const ago = Math.round((now.getTime() - moment.getTime()) / 1000);
  if (ago >= 0 && ago < 7 * day) {
    const unit = ago < hour ? minute : ago < day ? hour : day;
    const whole = Math.floor(ago / unit);
    context.lasts(moment.getTime() + ((whole + 1) * unit - 0.5) * 1000);
    return whole === 0 ? context.say("layout.just-now") : relative(context).format(-whole, units[unit]);
  }
  const year = now.getUTCFullYear();
  context.lasts(Date.UTC(year + 1, 0));
  if (ago < 0) context.lasts(moment.getTime() - 500);
  return format(context, zone, moment.getUTCFullYear() === year ? "day" : "day and year", moment);
}

const forms = {
  day: { day: "numeric", month: "long" },
  "day and year": { day: "numeric", month: "long", year: "numeric" },
  exact: { dateStyle: "full", timeStyle: "short" },
  "whole day": { dateStyle: "full" },
  month: { month: "long", year: "numeric" },
  "short month": { month: "short" },
  weekday: { weekday: "long" },
  "short weekday": { weekday: "short" },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Making a formatter costs more than the rest of a page, so those of each language and zone are kept. */
const formats = cache<string, Intl.DateTimeFormat>(500);
const relatives = cache<string, Intl.RelativeTimeFormat>(100);
/** What they have written: pages show the same moments again and again. */
const written = cache<string, string>(4000);

function format({ hub, language }: PageContext, zone: string, form: keyof typeof forms, moment: Date): string {
  const { locale } = language;
  const known = written(hub);
  const name = `${locale} ${form} in ${zone} ${moment.getTime()}`;
  let text = known.get(name);
  if (text === undefined) known.set(name, (text = formatter(hub, locale, zone, form).format(moment)));
  return text;
}

function formatter(hub: Hub, locale: string, zone: string, form: keyof typeof forms): Intl.DateTimeFormat {
  const known = formats(hub);
  const name = `${locale} ${form} in ${zone}`;
  let made = known.get(name);
  if (!made) known.set(name, (made = new Intl.DateTimeFormat(locale, { timeZone: zone, ...forms[form] })));
  return made;
}

function relative({ hub, language: { locale } }: PageContext): Intl.RelativeTimeFormat {
  const known = relatives(hub);
  let made = known.get(locale);
  if (!made) known.set(locale, (made = new Intl.RelativeTimeFormat(locale)));
  return made;
}
