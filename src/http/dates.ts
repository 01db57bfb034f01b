/**
 * A date as a client wrote it, read but not yet placed in time: that takes the zone of the channel and the current
 * time.
 */
export type DateInput =
  | { form: "unset" }
  | { form: "moment"; at: number }
  /** Without offset; `at` is the moment that it would be in UTC. */
  | { form: "local"; at: number }
  | { form: "relative"; amount: number; unit: Unit };

/** The unset date as records have it. */
export const unsetDate = "0001-01-01 00:00:00";

type Unit = "second" | "minute" | "hour" | "day" | "week" | "month" | "year";

const calendar = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?\s?(Z|[+-]\d\d:?\d\d)?)?$/i;
const unix = /^@(-?\d{1,12})$/;
const relative = /^(?:now\s*)?([+-])\s*(\d{1,12})\s*(second|minute|hour|day|week|month|year)s?$/i;
const unsetDates: readonly string[] = ["", "0000-00-00 00:00:00", unsetDate, "0000-00-00", "0001-01-01"];

const seconds = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
  month: 2_629_746,
  year: 31_556_952,
} as const;
const farthest = 1000 * seconds.year;

/** What fits into the stored form. */
const first = Date.parse("0001-01-02T00:00:00Z");
const last = Date.parse("9999-12-30T23:59:59Z");

/** Reads a date in any of the accepted forms; undefined when it is none of them. */
export function readDate(text: string): DateInput | undefined {
  const trimmed = text.trim();
  if (unsetDates.includes(trimmed)) return { form: "unset" };
  if (trimmed.toLowerCase() === "now") return { form: "relative", amount: 0, unit: "second" };
  return readCalendar(trimmed) ?? readUnix(trimmed) ?? readRelative(trimmed);
}

/** The date in the stored form, undefined when it is unset. `zone` is for dates without an offset. */
export function storedDate(date: DateInput | undefined, zone: string, now: Date): string | undefined {
  if (!date || date.form === "unset") return undefined;
  return new Date(momentOf(date, zone, now)).toISOString().slice(0, 19).replace("T", " ");
}

/** The moment that a date in the stored form names. */
export function storedMoment(date: string): Date {
  return new Date(isoDate(date));
}

/** A date in the stored form as documents have it. */
export function isoDate(date: string): string {
  return `${date.replace(" ", "T")}Z`;
}

function momentOf(date: Exclude<DateInput, { form: "unset" }>, zone: string, now: Date): number {
  if (date.form === "moment") return date.at;
  if (date.form === "local") return fromZone(date.at, zone);
  return shift(now, date.amount, date.unit);
}

function readCalendar(text: string): DateInput | undefined {
  const found = calendar.exec(text);
  if (!found) return undefined;
  const [, year, month, day, hour = "00", minute = "00", second = "00", offset] = found;
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  // The 31st of a shorter month is read as a day of the next one.
  if (!isStorable(at) || new Date(at).getUTCDate() !== Number(day)) return undefined;
  if (offset === undefined) return { form: "local", at };
  const moment = at - offsetOf(offset);
  return isStorable(moment) ? { form: "moment", at: moment } : undefined;
}

function readUnix(text: string): DateInput | undefined {
  const found = unix.exec(text);
  const at = Number(found?.[1] ?? Number.NaN) * 1000;
  return isStorable(at) ? { form: "moment", at } : undefined;
}

function readRelative(text: string): DateInput | undefined {
  const found = relative.exec(text);
  if (!found) return undefined;
  const unit = found[3]!.toLowerCase() as Unit;
  const amount = Number(found[2]);
  if (amount * seconds[unit] > farthest) return undefined;
  return { form: "relative", amount: found[1] === "-" ? -amount : amount, unit };
}

function isStorable(at: number): boolean {
  return at >= first && at <= last;
}

function offsetOf(offset: string): number {
  if (offset.toUpperCase() === "Z") return 0;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
  return (offset.startsWith("-") ? -minutes : minutes) * 60_000;
}

/** Months and years keep the day; where the month is too short, its last day. */
function shift(now: Date, amount: number, unit: Unit): number {
  if (unit !== "month" && unit !== "year") return now.getTime() + amount * seconds[unit] * 1000;
  const moved = new Date(now);
  const day = moved.getUTCDate();
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + amount * (unit === "year" ? 12 : 1));
  const days = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(day, days));
  return moved.getTime();
}

/** The moment at which clocks in the zone show this time. */
function fromZone(local: number, zone: string): number {
  if (zone === "UTC" || zone === "") return local;
  const guess = local - zoneOffset(local, zone);
  // Around a change of the clocks the offset at the guess is the right one.
  return local - zoneOffset(guess, zone);
}

function zoneOffset(at: number, zone: string): number {
  const name =
    zoneFormat(zone)
      ?.formatToParts(at)
      .find((part) => part.type === "timeZoneName")?.value ?? "GMT";
  const found = /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name);
  if (!found) return 0;
  const amount = Number(found[2]) * 3600 + Number(found[3]) * 60 + Number(found[4] ?? 0);
  return (found[1] === "-" ? -amount : amount) * 1000;
}

/** A zone that this machine does not know counts as UTC. */
function zoneFormat(zone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
  } catch {
    return undefined;
  }
}
