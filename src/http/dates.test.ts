import { describe, expect, test } from "vitest";
import { readDate, storedDate } from "./dates.ts";

const now = new Date("2024-03-31T12:30:45Z");

function stored(text: string, zone = "UTC"): string | undefined | null {
  const date = readDate(text);
  return date ? storedDate(date, zone, now) : null;
}

describe("dates of native contract 1.5", () => {
  test.each([
    ["2024-03-09 17:42:05", "2024-03-09 17:42:05"],
    ["2024-03-09", "2024-03-09 00:00:00"],
    ["2024-03-09T17:42:05Z", "2024-03-09 17:42:05"],
    ["2024-03-09T18:42:05+01:00", "2024-03-09 17:42:05"],
    ["2024-03-09T18:42:05.123+0100", "2024-03-09 17:42:05"],
    ["2024-03-09T17:42", "2024-03-09 17:42:00"],
    ["@1710006125", "2024-03-09 17:42:05"],
    ["now", "2024-03-31 12:30:45"],
    ["now - 14 days", "2024-03-17 12:30:45"],
    ["now + 2 hours", "2024-03-31 14:30:45"],
    ["-1 month", "2024-02-29 12:30:45"],
    ["now-1 year", "2023-03-31 12:30:45"],
    ["+1 WEEK", "2024-04-07 12:30:45"],
  ])("%s is %s", (text, expected) => {
    expect(stored(text)).toBe(expected);
  });

  test.each(["", "  ", "0000-00-00 00:00:00", "0001-01-01 00:00:00"])("%j is unset", (text) => {
    expect(stored(text)).toBeUndefined();
  });

  test.each([
    "yesterday",
    "2024-02-30",
    "2024-13-01",
    "2024-01-01 25:00:00",
    "@99999999999999",
    "now + 99999 years",
    "12",
    "2024-01-01T00:00:00+99:99x",
    "0000-01-01",
  ])("%s is refused", (text) => {
    expect(stored(text)).toBeNull();
  });

  test.each([
    ["2024-03-09 12:00:00", "Europe/Berlin", "2024-03-09 11:00:00"],
    ["2024-07-09 12:00:00", "Europe/Berlin", "2024-07-09 10:00:00"],
    // The hour that the change of the clocks repeats, and the one that it leaves out.
    ["2024-10-27 02:30:00", "Europe/Berlin", "2024-10-27 01:30:00"],
    ["2024-03-31 02:30:00", "Europe/Berlin", "2024-03-31 01:30:00"],
    ["2024-03-09 12:00:00", "Asia/Kathmandu", "2024-03-09 06:15:00"],
    ["2024-03-09 12:00:00", "No/Where", "2024-03-09 12:00:00"],
    ["2024-03-09T12:00:00Z", "Europe/Berlin", "2024-03-09 12:00:00"],
  ])("%s in %s is %s", (text, zone, expected) => {
    expect(stored(text, zone)).toBe(expected);
  });
});
