/**
 * When an event that repeats takes place. Each day is asked whether the rule means it, so that a rule that means no day at
 * all costs no more than any other; a library that looks for the next day would look for ever.
 */

export type Rule = {
  freq: "DAILY" | "WEEKLY" | "MONTHLY" | "YEARLY";
  interval: number;
  count: number | undefined;
  /** A day, or a moment in the clock of the event. */
  until: string | undefined;
  months: readonly number[];
  monthDays: readonly number[];
  weekDays: readonly { day: number; nth: number }[];
  positions: readonly number[];
  weekStart: number;
};

const dayNames = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];
const day = 24 * 3600 * 1000;
const parts = "FREQ INTERVAL COUNT UNTIL BYMONTH BYMONTHDAY BYDAY BYSETPOS WKST".split(" ");

/** How far a rule that ends after a number of times is counted. */
const mostCounted = 366 * 10;

/** Reads a recurrence rule such as `FREQ=WEEKLY;BYDAY=MO`; undefined for one that this calendar cannot show. */
export function readRule(text: string): Rule | undefined {
  const given = new Map(
    text
      .toUpperCase()
      .replace(/^RRULE:/, "")
      .split(";")
      .filter((part) => part !== "")
      .map((part) => part.split("="))
      .map(([name = "", value = ""]): [string, string] => [name, value]),
  );
  const freq = ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"].find((name) => name === given.get("FREQ"));
  if (!freq || [...given.keys()].some((name) => !parts.includes(name))) return undefined;
  const weekDays = listOf(given.get("BYDAY")).map(weekDayOf);
  const positions = numbersOf(given.get("BYSETPOS"));
  if (weekDays.includes(undefined) || (positions.length > 0 && freq === "YEARLY")) return undefined;
  return {
    freq: freq as Rule["freq"],
    interval: Math.max(1, numberOf(given.get("INTERVAL")) ?? 1),
    count: numberOf(given.get("COUNT")),
    until: untilOf(given.get("UNTIL")),
    months: numbersOf(given.get("BYMONTH")),
    monthDays: numbersOf(given.get("BYMONTHDAY")),
    weekDays: weekDays.filter((one) => one !== undefined),
    positions,
    weekStart: Math.max(0, dayNames.indexOf(given.get("WKST") ?? "MO")),
  };
}

/** The days (`YYYY-MM-DD`) from `from` to before `to` on which an event that first takes place at `start` does so by the rule. */
export function daysOf(rule: Rule, start: string, from: string, to: string): string[] {
  const first = dayNumber(start);
  const last = Math.min(dayNumber(to) - 1, rule.until === undefined ? Infinity : dayNumber(rule.until));
  const begin = rule.count === undefined ? Math.max(first, dayNumber(from)) : first;
  const end = rule.count === undefined ? last : Math.min(last, first + mostCounted);
  const found: string[] = [];
  let counted = 0;
  for (let number = begin; number <= end; number++) {
    // The first time is one whatever the rule says (RFC 5545, 3.8.5.3).
    if (number !== first && !means(rule, first, number)) continue;
    counted++;
    if (rule.count !== undefined && counted > rule.count) break;
    if (number >= dayNumber(from)) found.push(textOf(number));
  }
  return found;
}

function means(rule: Rule, first: number, number: number): boolean {
  const [start, date] = [new Date(first * day), new Date(number * day)];
  if (rule.months.length > 0 && !rule.months.includes(date.getUTCMonth() + 1)) return false;
  if (periodsBetween(rule, start, date) % rule.interval !== 0) return false;
  if (rule.positions.length > 0) return isAtPosition(rule, start, date);
  return isCandidate(rule, start, date);
}

function periodsBetween({ freq, weekStart }: Rule, start: Date, date: Date): number {
  const years = date.getUTCFullYear() - start.getUTCFullYear();
  if (freq === "DAILY") return Math.round((date.getTime() - start.getTime()) / day);
  if (freq === "WEEKLY") return Math.round((weekOf(date, weekStart) - weekOf(start, weekStart)) / (7 * day));
  return freq === "MONTHLY" ? years * 12 + date.getUTCMonth() - start.getUTCMonth() : years;
}

function weekOf(date: Date, weekStart: number): number {
  return date.getTime() - ((date.getUTCDay() - weekStart + 7) % 7) * day;
}

/** Is the day one of those that the rule names within its period? What the rule leaves open is as at the start. */
function isCandidate(rule: Rule, start: Date, date: Date): boolean {
  const { freq, weekDays, monthDays, months } = rule;
  if (monthDays.length > 0 && !monthDays.some((one) => one === date.getUTCDate() || one === fromEnd(date)))
    return false;
  if (weekDays.length > 0) return weekDays.some((one) => isWeekDay(rule, one, date));
  if (monthDays.length > 0 || freq === "DAILY") return true;
  if (freq === "WEEKLY") return date.getUTCDay() === start.getUTCDay();
  if (date.getUTCDate() !== start.getUTCDate()) return false;
  return freq === "MONTHLY" || months.length > 0 || date.getUTCMonth() === start.getUTCMonth();
}

/** `-1` is the last day of the month. */
function fromEnd(date: Date): number {
  return date.getUTCDate() - daysInMonth(date) - 1;
}

function daysInMonth(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
}

/** `2MO` is the second Monday of the month, or of the year where the rule names no month. */
function isWeekDay({ freq, months }: Rule, wanted: { day: number; nth: number }, date: Date): boolean {
  if (date.getUTCDay() !== wanted.day) return false;
  if (wanted.nth === 0 || freq === "DAILY" || freq === "WEEKLY") return true;
  const ofYear = freq === "YEARLY" && months.length === 0;
  const year = date.getUTCFullYear();
  const at = ofYear ? Math.round((date.getTime() - Date.UTC(year, 0, 1)) / day) : date.getUTCDate() - 1;
  const length = ofYear ? Math.round((Date.UTC(year + 1, 0, 1) - Date.UTC(year, 0, 1)) / day) : daysInMonth(date);
  const nth = wanted.nth > 0 ? Math.floor(at / 7) + 1 : -(Math.floor((length - 1 - at) / 7) + 1);
  return nth === wanted.nth;
}

/** Of all candidates of the month or week only those at these places. */
function isAtPosition(rule: Rule, start: Date, date: Date): boolean {
  const [from, length] = periodOf(rule, date);
  const days = Array.from({ length }, (_, at) => new Date(from + at * day));
  const inMonth = (one: Date): boolean => rule.months.length === 0 || rule.months.includes(one.getUTCMonth() + 1);
  const candidates = days.filter((one) => inMonth(one) && isCandidate(rule, start, one));
  const at = candidates.findIndex((one) => one.getTime() === date.getTime());
  return at >= 0 && rule.positions.some((place) => place === at + 1 || place === at - candidates.length);
}

function periodOf({ freq, weekStart }: Rule, date: Date): [from: number, days: number] {
  if (freq === "DAILY") return [date.getTime(), 1];
  if (freq === "WEEKLY") return [weekOf(date, weekStart), 7];
  return [Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1), daysInMonth(date)];
}

function dayNumber(date: string): number {
  return Math.floor(Date.parse(`${date.slice(0, 10)}T00:00:00Z`) / day);
}

function textOf(number: number): string {
  return new Date(number * day).toISOString().slice(0, 10);
}

function listOf(text: string | undefined): string[] {
  return (text ?? "").split(",").filter((part) => part !== "");
}

function numbersOf(text: string | undefined): number[] {
  return listOf(text)
    .map(Number)
    .filter((number) => Number.isInteger(number) && number !== 0);
}

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}

function weekDayOf(text: string): { day: number; nth: number } | undefined {
  const [, nth = "", name = ""] = /^([+-]?\d{1,2})?(SU|MO|TU|WE|TH|FR|SA)$/.exec(text) ?? [];
  return name === "" ? undefined : { day: dayNames.indexOf(name), nth: Number(nth || 0) };
}

/** `20260401` or `20260401T180000Z`. */
function untilOf(text: string | undefined): string | undefined {
  const [, year, month, date] = /^(\d{4})(\d\d)(\d\d)(?:T\d{6}Z?)?$/.exec(text ?? "") ?? [];
  return year === undefined ? undefined : `${year}-${month}-${date}`;
}
