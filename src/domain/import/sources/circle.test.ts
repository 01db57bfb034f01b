import { expect, test } from "vitest";
import { Circle } from "./circle.ts";

/** How many pages are read of a hub whose pages come round after `round` of them, beginning with page `from`. */
function pagesRead(round: number, from: number): number {
  const circle = new Circle();
  const mark = Circle.markBefore(from);
  if (mark !== undefined) circle.remember(`${mark % round}`);
  for (let read = 1; ; read++) if (circle.closes(from + read - 1, `${(from + read - 1) % round}`)) return read;
}

test("a circle of any length is found, wherever the reading begins again", () => {
  for (let round = 1; round <= 70; round++)
    for (let from = 0; from <= 140; from++)
      expect([round, from, pagesRead(round, from) <= 3 * round + from + 1]).toEqual([round, from, true]);
});

test("pages that are all different are read to their end", () => {
  const circle = new Circle();
  expect(Array.from({ length: 1000 }, (_, page) => circle.closes(page, `${page}`))).not.toContain(true);
});
