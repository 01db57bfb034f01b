import { expect, test } from "vitest";
import { twitterDate } from "./dates.ts";

test("trap 22: dates have English names, two digits and +0000", () => {
  expect(twitterDate("2020-02-29 00:00:00")).toBe("Sat Feb 29 00:00:00 +0000 2020");
  expect(twitterDate("2024-12-01 09:08:07")).toBe("Sun Dec 01 09:08:07 +0000 2024");
  expect(twitterDate("0001-01-01 00:00:00")).toBe("Mon Jan 01 00:00:00 +0000 0001");
});

test("the day of the week is the calendar's, over four centuries", () => {
  const names = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
  for (let time = Date.UTC(1899, 0, 1); time < Date.UTC(2301, 0, 1); time += 11 * 86_400_000) {
    const date = new Date(time);
    expect(twitterDate(date.toISOString().replace("T", " ")).slice(0, 3)).toBe(names[date.getUTCDay()]);
  }
});
