import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { kept } from "./simulation/cities.ts";
import { mix, points } from "./simulation/measured.ts";
import { cityTable, compared, costTable, pointTable } from "./simulation/report.ts";
import { meanCost, most, simulate } from "./simulation/simulate.ts";

const text = readFileSync(join(import.meta.dirname, "..", "docs", "scaling.md"), "utf8");

test("what was measured comes out of the simulation, as far as docs/scaling.md says", () => {
  expect(text).toContain(costTable());
  expect(text).toContain(pointTable(3));
  // Of deliveries alone most of what is behind them is done when the last one has been answered.
  const others = points.filter(({ sent }) => sent !== "inbox");
  expect(others.filter((point) => Math.abs(compared(point, 3).difference) > 0.25)).toEqual([]);
});

test("docs/scaling.md shows what a hub of some machines holds", () => {
  expect(text).toContain(cityTable(kept.slice(0, 2), 3));
});

test("cores work as long as what is asked of them takes, and answer no more than the model says", () => {
  const city = { machines: 3, cores: 2, processes: 2, databaseCores: 4 };
  const bound = Math.min(...Object.values(most(city, mix)));
  const cost = meanCost(mix);
  const half = simulate(city, { mix, perSecond: bound / 2 }, 5);
  expect(half.perSecond / (bound / 2)).toBeCloseTo(1, 1);
  expect(half.hub / ((half.perSecond * cost.hub) / 6000)).toBeCloseTo(1, 1);
  expect(half.database / ((half.perSecond * cost.database) / 4000)).toBeCloseTo(1, 1);
  const over = simulate(city, { mix, perSecond: bound * 2 }, 2);
  expect(Math.max(over.hub, over.database)).toBeGreaterThan(0.97);
  expect(over.p99).toBeGreaterThan(10 * half.p99);
});

test("the same seed gives the same outcome", () => {
  const again = (): unknown => simulate(kept[0]!, { mix, perSecond: 50 }, 2, 7);
  expect(again()).toEqual(again());
});
