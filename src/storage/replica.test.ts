import { expect, test } from "vitest";
import { DatabaseAway } from "../errors.ts";
import { ReplicaAge, checkFresh, mostBehind } from "./replica.ts";
import type { Position } from "./replica.ts";

/** Two servers that are where they are said to be. */
function servers(primary: Position, replica: Position) {
  const at = { primary, replica };
  const ask = (name: keyof typeof at) => () => Promise.resolve(at[name]);
  return Object.assign(new ReplicaAge({ primary: ask("primary"), replica: ask("replica") }), { at });
}

const log = "7000000000000000001 1 hubbub";

test("nobody knows before it was measured, and asking begins to", async () => {
  const age = servers({ log, position: 50_000 }, { log, position: 50_000 });
  expect(age.isFresh).toBe(false);
  expect(() => checkFresh(age)).toThrow(DatabaseAway);
  await expect.poll(() => age.isFresh).toBe(true);
  checkFresh(age);
  age.end();
});

test("it is as old as the newest place in the log that it has come to", async () => {
  const age = servers({ log, position: 50_000 }, { log, position: 49_999 });
  expect(await age.measure()).toBe(Infinity);
  age.at.primary = { log, position: 60_000 };
  age.at.replica = { log, position: 50_000 };
  // Where the primary was when it was asked first.
  const behind = await age.measure();
  expect(behind).toBeLessThan(Infinity);
  age.at.replica = { log, position: 59_999 };
  expect(await age.measure()).toBeGreaterThanOrEqual(behind);
});

test("the beginning of a page of the log is as far as its header", async () => {
  // Where the primary will write next, behind a header that is no record, and where the last record ended.
  expect(await servers({ log, position: 8192 * 9 + 24 }, { log, position: 8192 * 9 }).measure()).toBeLessThan(
    mostBehind,
  );
  expect(await servers({ log, position: 8192 * 9 + 48 }, { log, position: 8192 * 9 }).measure()).toBe(Infinity);
});

test("another history of the same cluster, and another cluster, are not waited for", async () => {
  for (const other of ["7000000000000000001 2 hubbub", "7000000000000000002 1 hubbub"]) {
    const age = servers({ log: other, position: 10 }, { log, position: 1_000_000 });
    await expect(age.measure()).rejects.toThrow("does not repeat");
    expect(age.isFresh).toBe(false);
    age.end();
  }
});
