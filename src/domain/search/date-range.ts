import { dateToken } from "./tokens.ts";

/** Days are `YYYY-MM-DD`. Before the first and after the last of these nobody looks. */
const firstDay = "1970-01-01";
const lastDay = "2099-12-31";

/** A day that exists; undefined for anything else. */
export function readDay(text: string): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const day = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text ? undefined : text;
}

/** The tokens of which each message of these days, both included, has exactly one: whole decades, years and months where possible. */
export function tokensOfDays(since = firstDay, until = lastDay): string[] {
  const from = since < firstDay ? firstDay : since;
  const to = until > lastDay ? lastDay : until;
  const tokens: string[] = [];
  for (let day = from; day <= to;) {
    const [length, next] = longestFrom(day, to);
    tokens.push(dateToken(day.slice(0, length)));
    day = next;
  }
  return tokens;
}

/** The longest span that begins on this day and ends by the last one: how much of the date names it, and the day after it. */
function longestFrom(day: string, to: string): [length: number, next: string] {
  const year = Number(day.slice(0, 4));
  const month = Number(day.slice(5, 7));
  const spans: [length: number, begins: boolean, next: string][] = [
    [3, day.endsWith("0-01-01"), dayOf(year + 10, 0, 1)],
    [4, day.endsWith("-01-01"), dayOf(year + 1, 0, 1)],
    [7, day.endsWith("-01"), dayOf(year, month, 1)],
  ];
  for (const [length, begins, next] of spans) if (begins && before(next) <= to) return [length, next];
  return [10, dayOf(year, month - 1, Number(day.slice(8)) + 1)];
}

function dayOf(year: number, month: number, day: number): string {
  return new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);
}

function before(day: string): string {
  return new Date(new Date(`${day}T00:00:00Z`).getTime() - 86_400_000).toISOString().slice(0, 10);
}
