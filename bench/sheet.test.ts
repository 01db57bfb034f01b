import { expect, test } from "vitest";
import { Sheet } from "./sheet.ts";

const effects = (perSecond: number) => () => Promise.resolve({ perSecond });

test("each thing is printed when it is measured, and what fails is told at the end", async () => {
  const lines: string[] = [];
  const sheet = new Sheet((line) => lines.push(line), []);
  await sheet.measure("effects", "sqlite", "one", effects(400));
  expect(lines).toEqual([expect.stringContaining("sqlite: a second of CPU is enough for 400 posts")]);
  await sheet.measure("effects", "sqlite", "another", () => Promise.reject(new Error("429 for everything")));
  await sheet.measure("effects", "postgres", "one", effects(300));
  expect(lines).toHaveLength(2);
  expect(sheet.end()).toBe(false);
  expect(lines.slice(2)).toEqual(["sqlite: another could not be measured: 429 for everything"]);
  expect(sheet.figures()).toMatchObject({
    effects: [{ engine: "sqlite" }, { engine: "postgres" }],
    missed: [{ engine: "sqlite", name: "another", reason: "429 for everything" }],
  });
});

test("only what is asked for is measured", async () => {
  const lines: string[] = [];
  const sheet = new Sheet((line) => lines.push(line), ["another"]);
  await sheet.measure("effects", "sqlite", "one", effects(400));
  expect(lines).toEqual([]);
  expect(sheet.end()).toBe(true);
});

test("results stand below one head, in its columns", async () => {
  const lines: string[] = [];
  const sheet = new Sheet((line) => lines.push(line), []);
  const figures = { rps: 1234, p50: 1, p99: 2, cpu: 300, requests: 10 };
  for (const name of ["xchan", "statuses/show"])
    await sheet.measure("results", "sqlite", name, () =>
      Promise.resolve({ name, messages: 100_000, hub: figures, floor: figures, bar: undefined }),
    );
  const [head, ...rows] = lines;
  expect(rows).toHaveLength(2);
  for (const row of rows) expect(row.indexOf("1.00") + "1.00".length).toBe(head!.indexOf("ratio") + "ratio".length);
});
