import { expect, test, vi } from "vitest";
import { endOfTurn } from "./start.ts";

test("a turn of a long import has as much time for new rows as it took to read the old ones over again", () => {
  let moment = 0;
  vi.spyOn(performance, "now").mockImplementation(() => moment);
  const turnAfter = (reading: number): number => {
    const isOver = endOfTurn();
    const first = (moment += reading);
    while (!isOver()) moment += 100;
    return moment - first;
  };
  expect(turnAfter(0)).toBe(5100);
  expect(turnAfter(60_000)).toBe(60_100);
  vi.restoreAllMocks();
});
