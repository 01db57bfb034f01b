/** Days that a calendar shows, in whole weeks from Monday to Sunday where it is a table; it is about those from `first` to `last`. */
export type Span = { first: string; last: string; days: readonly string[] };

const dayLength = 24 * 3600 * 1000;
/** So many days a list shows. */
const listed = 56;

/** The month of a day or of `YYYY-MM`. */
export function monthOf(date: string): Span {
  const [year, month] = [Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1];
  const [first, last] = [Date.UTC(year, month, 1), Date.UTC(year, month + 1, 0)];
  const [monday, nextMonday] = [mondayBefore(first), mondayBefore(last) + 7 * dayLength];
  return { first: dayOf(first), last: dayOf(last), days: daysBetween(monday, nextMonday) };
}

/** The week of a day. */
export function weekOf(day: string): Span {
  const monday = mondayBefore(timeOf(day));
  return spanOf(daysBetween(monday, monday + 7 * dayLength));
}

/** The eight weeks from a day on. */
export function listFrom(day: string): Span {
  return spanOf(daysBetween(timeOf(day), timeOf(day) + listed * dayLength));
}

/** The day after the last one that is shown. */
export function dayAfter({ days }: Span): string {
  return daysLater(days.at(-1)!, 1);
}

/** The name of the month so many months later: `YYYY-MM`. */
export function monthLater(date: string, months: number): string {
  return dayOf(Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1 + months, 1)).slice(0, 7);
}

/** The day so many days later. */
export function daysLater(day: string, days: number): string {
  return dayOf(timeOf(day) + days * dayLength);
}

function spanOf(days: string[]): Span {
  return { first: days[0]!, last: days.at(-1)!, days };
}

function daysBetween(from: number, to: number): string[] {
  return Array.from({ length: Math.round((to - from) / dayLength) }, (_, at) => dayOf(from + at * dayLength));
}

function mondayBefore(time: number): number {
  return time - ((new Date(time).getUTCDay() + 6) % 7) * dayLength;
}

function timeOf(day: string): number {
  return Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1, Number(day.slice(8, 10)));
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
