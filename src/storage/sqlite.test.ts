import { sql } from "kysely";
import type { Kysely } from "kysely";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openDatabases } from "./database.ts";
import type { Databases } from "./database.ts";

type Numbers = { number: { n: number } };

/** Time passes here by statements alone, a millisecond for each. */
let moment: number;
let folder: string;
let databases: Databases;

beforeEach(() => {
  moment = 0;
  vi.spyOn(performance, "now").mockImplementation(() => moment);
  folder = mkdtempSync(join(tmpdir(), "hubbub-sqlite-"));
  const passing = () => () => void (moment += 1);
  databases = openDatabases({ engine: "sqlite", file: join(folder, "numbers.db") }, { watch: passing });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await databases.db.destroy();
  rmSync(folder, { recursive: true });
});

test("who holds the file for long goes on first, since other processes may wait for it", async () => {
  const db = databases.db as unknown as Kysely<Numbers>;
  const background = databases.background(() => undefined) as unknown as Kysely<Numbers>;
  await sql`create table number (n integer primary key)`.execute(db);
  let isOver = false;
  let reads = 0;
  const reading = Array.from({ length: 40 }, async () => {
    for (; !isOver; reads++) await databases.inOrder(() => db.selectFrom("number").select("n").limit(1).execute());
  });
  const long = background.transaction().execute(async (tx) => {
    for (let n = 0; n < 1000; n++) await tx.insertInto("number").values({ n }).execute();
  });
  await long;
  isOver = true;
  await Promise.all(reading);
  expect(reads).toBeGreaterThan(1000);
  expect(reads).toBeLessThan(4000);
});
