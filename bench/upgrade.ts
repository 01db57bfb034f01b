import { setTimeout as wait } from "node:timers/promises";
import { migrate, openDatabase } from "../src/storage/database.ts";
import type { Database } from "../src/storage/engine.ts";
import { insertRows, raiseLastId } from "../src/storage/reload.ts";
import { openSnapshot } from "../src/storage/snapshot.ts";
import { baseUrl } from "./dataset.ts";
import type { DataSet } from "./dataset.ts";
import type { DatabasePlace, Shelf } from "./databases.ts";
import { beginHub, startHub } from "./processes.ts";
import type { Loader, Server } from "./processes.ts";
import { progress } from "./progress.ts";

/** What a hub does on the tables of the version before the search came to be; times in milliseconds. */
export type UpgradeRun = {
  messages: number;
  /** Until the tables are up to date and requests are taken. */
  ready: number;
  /** From then on until the search index is full, with the stops in between. */
  filling: number;
  /** The slowest answer to a small request meanwhile, and how many there were. */
  slowest: number;
  answers: number;
  /** How long a stop takes while the tables are brought up to date, right after that, and while the index is filled. */
  stops: { migrating: number; ready: number; filling: number };
};

export const upgradeCase = "an upgrade";

const before = "0002-files-events-mail";
/** A start on tables that are up to date takes less. */
const untilMigrating = 1000;
const rowsTogether = 2000;
const longestFilling = 120;

export async function benchUpgrade(shelf: Shelf, set: DataSet, data: string, loader: Loader): Promise<UpgradeRun> {
  const name = `old-${process.pid}`;
  const place = await oldTables(shelf, set, name);
  const db = openDatabase(place.settings);
  try {
    const beginning = await beginHub(place, baseUrl, data);
    await wait(untilMigrating);
    const migrating = await timeOfStop(beginning);
    const first = await startHub(place, baseUrl, data);
    const began = performance.now();
    const ready = await timeOfStop(first);
    const second = await startHub(place, baseUrl, data);
    const times = await readFor(loader, second, 5);
    const filling = await timeOfStop(second);
    const third = await startHub(place, baseUrl, data);
    while ((await isFilling(db)) && performance.now() - began < longestFilling * 1000)
      times.push(...(await readFor(loader, third, 2)));
    const ended = performance.now();
    await third.stop();
    return {
      messages: set.world.messages,
      ready: first.ready,
      filling: ended - began,
      slowest: Math.max(...times),
      answers: times.length,
      stops: { migrating, ready, filling },
    };
  } finally {
    await db.destroy();
    await shelf.drop(name);
  }
}

async function timeOfStop(hub: Pick<Server, "stop">): Promise<number> {
  const began = performance.now();
  await hub.stop();
  return performance.now() - began;
}

async function readFor(loader: Loader, { port }: Server, seconds: number): Promise<number[]> {
  const calls = ["/api/z/1.0/version", "/login"].map((path) => ({ method: "GET" as const, path }));
  const { times, errors } = await loader.run({ port, calls, seconds, connections: 1, pause: 10, most: 1_000_000 });
  if (errors.length > 0) throw new Error(`Requests failed: ${errors.slice(0, 3).join("; ")}`);
  return times;
}

async function isFilling(db: Database): Promise<boolean> {
  const job = db.selectFrom("job").select("id").where("name", "=", "index-words").where("dead", "=", 0);
  return (await job.executeTakeFirst()) !== undefined;
}

/** The data set in the tables of before. */
async function oldTables(shelf: Shelf, set: DataSet, name: string): Promise<DatabasePlace> {
  const from = await set.copy(`new-${process.pid}`);
  const place = await shelf.make(name);
  const { engine } = shelf;
  progress(`${engine}: writing ${set.world.messages.toLocaleString("en")} messages into older tables`);
  const db = openDatabase(place.settings);
  await migrate(db, engine, before);
  const old = new Map((await db.introspection.getTables()).map(({ name, columns }) => [name, columns]));
  const snapshot = await openSnapshot(from.settings);
  for (const shape of await snapshot.tables()) {
    const columns = shape.columns.filter((column) => old.get(shape.table)?.some(({ name }) => name === column));
    if (columns.length === 0) continue;
    await db.transaction().execute(async (db) => {
      let rows: string[] = [];
      const write = () => insertRows(db, engine, { ...shape, columns }, rows);
      for await (const row of snapshot.rows({ ...shape, columns })) {
        if (rows.push(row) < rowsTogether) continue;
        await write();
        rows = [];
      }
      if (rows.length > 0) await write();
    });
    if (shape.lastId !== undefined) await raiseLastId(db, engine, shape.table, shape.lastId);
  }
  await snapshot.close();
  await db.destroy();
  await shelf.drop(`new-${process.pid}`);
  return place;
}
