import { sql } from "kysely";
import type { Kysely } from "kysely";
import { mkdtempSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openDatabase } from "./database.ts";

type Numbers = { number: { n: number } };

let folder: string;
let db: Kysely<Numbers>;
let other: DatabaseSync;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "hubbub-commits-"));
  const file = join(folder, "numbers.db");
  db = openDatabase({ engine: "sqlite", file }) as unknown as Kysely<Numbers>;
  await sql`create table number (n integer primary key)`.execute(db);
  other = new DatabaseSync(file);
});

afterEach(async () => {
  vi.restoreAllMocks();
  other.close();
  await db.destroy();
  rmSync(folder, { recursive: true });
});

/** What somebody with another handle sees: what has been committed. */
function committed(): number[] {
  return other
    .prepare("select n from number order by n")
    .all()
    .map((row) => Number(row["n"]));
}

function add(n: number, after?: () => Promise<void> | void): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await tx.insertInto("number").values({ n }).execute();
    await after?.();
  });
}

const numbers = Array.from({ length: 100 }, (_, n) => n);

test("what is acknowledged has been committed", async () => {
  await Promise.all(
    numbers.map(async (n) => {
      await add(n);
      expect(committed()).toContain(n);
    }),
  );
  expect(committed()).toEqual(numbers);
});

test("a transaction that fails takes nothing of its neighbours with it", async () => {
  const fail = (): never => {
    throw new Error("changed my mind");
  };
  const outcomes = await Promise.allSettled(numbers.map((n) => add(n, n % 3 === 0 ? fail : undefined)));
  expect(outcomes.map(({ status }) => status)).toEqual(numbers.map((n) => (n % 3 === 0 ? "rejected" : "fulfilled")));
  expect(committed()).toEqual(numbers.filter((n) => n % 3 !== 0));
});

test("nobody waits for a long row of others", async () => {
  let begun = 0;
  const slow = (): Promise<void> => {
    begun += 1;
    return wait(4);
  };
  const othersAtTheEnd = await Promise.all(numbers.map((n) => add(n, slow).then(() => begun - n)));
  expect(Math.max(...othersAtTheEnd)).toBeLessThan(20);
});

test("a statement of its own between transactions is committed when it is done", async () => {
  const before = add(1);
  const single = db
    .insertInto("number")
    .values({ n: 2 })
    .execute()
    .then(() => expect(committed()).toEqual(expect.arrayContaining([1, 2])));
  const after = add(3);
  await Promise.all([before, single, after]);
  expect(committed()).toEqual([1, 2, 3]);
});

test("statements of their own share commits, and one that fails takes nothing along", async () => {
  const insert = (n: number) => db.insertInto("number").values({ n }).execute();
  const seen = numbers.map((n) => insert(n).then(() => committed().length));
  await expect(insert(50)).rejects.toThrow("UNIQUE");
  expect(new Set(await Promise.all(seen)).size).toBeLessThan(50);
  expect(committed()).toEqual(numbers);
});

test("a statement that cannot be part of a transaction finds none open", async () => {
  await Promise.all([add(1), sql`vacuum`.execute(db), add(2)]);
  expect(committed()).toEqual([1, 2]);
});

test("whoever writes waits while another process is at work for half a minute", async () => {
  other.exec("begin immediate; insert into number values (1)");
  const begun = performance.now();
  const now = vi.spyOn(performance, "now").mockImplementation(() => begun);
  const writing = [add(2), db.insertInto("number").values({ n: 3 }).execute()];
  await expect.poll(() => now.mock.calls.length).toBeGreaterThan(2);
  now.mockImplementation(() => begun + 30_000);
  const tries = now.mock.calls.length;
  await expect.poll(() => now.mock.calls.length).toBeGreaterThan(tries + 2);
  other.exec("commit");
  await Promise.all(writing);
  expect(committed()).toEqual([1, 2, 3]);
});
