import { expect, test } from "vitest";
import { statementsOf } from "../migration-preview.ts";
import { contracting, migrationsFor } from "./index.ts";
import { stepNames } from "./names.ts";

/** Programs of the version before know nothing of a step, so one that takes something from them says so (decision 113). */

/** What programs that serve beside may stumble over: nothing is there any more, has another name, or wants a value that they do not give. */
const takesAway =
  /\bdrop (?:table|column|constraint)\b|\brename\b|\balter column\b|\badd column (?!.*\bdefault\b).*\bnot null\b/i;

test.each(["sqlite", "postgres"] as const)("steps that take something away are listed: %s", async (engine) => {
  const found: string[] = [];
  for (const name of Object.keys(migrationsFor(engine)))
    if ((await statementsOf(name, engine)).some((statement) => takesAway.test(statement))) found.push(name);
  expect(found).toContain("0006-notices-as-data");
  expect(found.filter((name) => name >= "0099")).toEqual(contracting);
});

test("each step has a number of its own, and they grow", () => {
  const numbers = Object.keys(migrationsFor("sqlite")).map((name) => Number(name.slice(0, 4)));
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
});

test.each(["sqlite", "postgres"] as const)("all have the names of their files: %s", (engine) => {
  expect(Object.keys(migrationsFor(engine))).toEqual(stepNames.toSorted());
});
