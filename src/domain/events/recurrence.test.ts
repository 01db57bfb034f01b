import { expect, test } from "vitest";
import { daysOf, readRule } from "./recurrence.ts";

function days(rule: string, start: string, from: string, to: string): string {
  return daysOf(readRule(rule)!, start, from, to)
    .map((day) => day.slice(5))
    .join(" ");
}

test.each([
  ["FREQ=DAILY;INTERVAL=10", "2026-01-01", "2026-01-01", "2026-02-01", "01-01 01-11 01-21 01-31"],
  ["FREQ=DAILY;COUNT=3", "2026-01-30", "2026-02-01", "2026-03-01", "02-01"],
  ["FREQ=DAILY;UNTIL=20260203T120000Z", "2026-01-30", "2026-02-01", "2026-03-01", "02-01 02-02 02-03"],
  ["FREQ=WEEKLY", "2026-03-04", "2026-03-01", "2026-04-01", "03-04 03-11 03-18 03-25"],
  ["FREQ=WEEKLY;BYDAY=MO,FR;INTERVAL=2", "2026-03-02", "2026-03-01", "2026-04-01", "03-02 03-06 03-16 03-20 03-30"],
  ["FREQ=WEEKLY;INTERVAL=2;BYDAY=SU;WKST=SU", "2026-03-03", "2026-03-01", "2026-04-01", "03-03 03-15 03-29"],
  ["FREQ=MONTHLY", "2026-01-31", "2026-01-01", "2026-06-01", "01-31 03-31 05-31"],
  ["FREQ=MONTHLY;BYMONTHDAY=-1", "2026-01-31", "2026-01-01", "2026-05-01", "01-31 02-28 03-31 04-30"],
  ["FREQ=MONTHLY;BYDAY=2TU", "2026-01-13", "2026-01-01", "2026-04-01", "01-13 02-10 03-10"],
  ["FREQ=MONTHLY;BYDAY=-1FR", "2026-01-30", "2026-01-01", "2026-04-01", "01-30 02-27 03-27"],
  ["FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "2026-01-30", "2026-01-01", "2026-04-01", "01-30 02-27 03-31"],
  ["FREQ=YEARLY", "2024-02-29", "2026-01-01", "2029-01-01", "02-29"],
  ["FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", "2025-03-30", "2026-01-01", "2027-01-01", "03-29"],
  ["FREQ=YEARLY;BYDAY=1MO", "2025-01-06", "2026-01-01", "2027-01-01", "01-05"],
  ["FREQ=YEARLY;BYMONTH=6,12", "2025-06-15", "2026-01-01", "2027-01-01", "06-15 12-15"],
])("%s from %s", (rule, start, from, to, expected) => {
  expect(days(rule, start, from, to)).toBe(expected);
});

test.each(["", "FREQ=HOURLY", "FREQ=YEARLY;BYWEEKNO=3", "FREQ=YEARLY;BYDAY=MO;BYSETPOS=1", "FREQ=WEEKLY;BYDAY=XX"])(
  "%j is not shown",
  (rule) => expect(readRule(rule)).toBeUndefined(),
);

test.each([
  "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
  "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30;COUNT=5",
  "FREQ=DAILY;BYDAY=6MO;COUNT=100000",
  "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=10;COUNT=3",
])("%s, which means no day, is found out at once", (rule) => {
  const started = process.cpuUsage();
  days(rule, "1990-01-01", "2026-01-01", "2026-03-01");
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(500);
});
