import { sql } from "kysely";
import type { Kysely } from "kysely";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openDatabases } from "./database.ts";

let folder: string;
let db: Kysely<{ number: { n: number } }>;
let other: DatabaseSync;

beforeEach(async () => {
  // However busy the machine is, no turn of the loop is over before it ends by itself (loop-share.ts).
  vi.spyOn(performance, "now").mockReturnValue(0);
  folder = mkdtempSync(join(tmpdir(), "hubbub-view-"));
  const file = join(folder, "numbers.db");
  db = openDatabases({ engine: "sqlite", file }).db as unknown as typeof db;
  await sql`create table number (n integer not null)`.execute(db);
  other = new DatabaseSync(file);
  await turn();
});
afterEach(async () => {
  vi.restoreAllMocks();
  other.close();
  await db.destroy();
  rmSync(folder, { recursive: true });
});

async function numbers(): Promise<number[]> {
  const rows = await db.selectFrom("number").select("n").orderBy("n").execute();
  return rows.map(({ n }) => n);
}

test("reads that follow one another see the file as it was at the first of them, and those of the next turn as it is", async () => {
  expect(await numbers()).toEqual([]);
  other.exec("insert into number values (1)");
  expect(await numbers()).toEqual([]);
  await turn();
  expect(await numbers()).toEqual([1]);
});

test("whoever has changed something sees it in the next read", async () => {
  expect(await numbers()).toEqual([]);
  await db.insertInto("number").values({ n: 1 }).execute();
  expect(await numbers()).toEqual([1]);
  await db.transaction().execute(async (inside) => {
    await inside.insertInto("number").values({ n: 2 }).execute();
    expect(await numbers()).toEqual([1]);
  });
  expect(await numbers()).toEqual([1, 2]);
  await sql`delete from number`.execute(db);
  expect(await numbers()).toEqual([]);
});

test("a read that fails leaves the others theirs", async () => {
  expect(await numbers()).toEqual([]);
  await expect(sql`select missing from number`.execute(db)).rejects.toThrow("no such column");
  expect(await numbers()).toEqual([]);
  other.exec("insert into number values (1)");
  await turn();
  expect(await numbers()).toEqual([1]);
});

test("nobody who reads keeps another process from putting the log of changes back into the file", async () => {
  await numbers();
  await turn();
  other.exec("insert into number values (1)");
  expect(other.prepare("pragma wal_checkpoint(truncate)").get()).toEqual({ busy: 0, log: 0, checkpointed: 0 });
});
