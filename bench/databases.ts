import { constants, copyFileSync, existsSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { DatabaseSettings } from "../src/config/database.ts";
import type { Engine } from "../src/storage/engine.ts";
import { holdFile } from "../src/storage/hold.ts";

/** A place for a database that outlives the run (a data set) or does not (the copy that is worked on). */
export type DatabasePlace = { settings: DatabaseSettings; /** As HUBBUB_DATABASE_URL takes it. */ url: string };

/** Where databases of an engine are kept. */
export type Shelf = {
  engine: Engine;
  has(name: string): Promise<boolean>;
  /** The place of that name, emptied. */
  make(name: string): Promise<DatabasePlace>;
  /** A copy of a data set under another name. */
  copy(from: string, to: string): Promise<DatabasePlace>;
  drop(name: string): Promise<void>;
};

/** The folder of everything that is kept between runs. */
export const cacheFolder = join(tmpdir(), "hubbub-bench");

/** SQLite files in the cache folder. */
export function sqliteShelf(): Shelf {
  const file = (name: string): string => join(cacheFolder, `${name}.db`);
  const place = (name: string): DatabasePlace => ({
    settings: { engine: "sqlite", file: file(name) },
    url: `sqlite:${file(name)}`,
  });
  const drop = (name: string): void => {
    const beside = ["-wal", "-shm"].map((end) => file(name) + end);
    for (const one of [file(name), ...beside, holdFile(file(name))]) rmSync(one, { force: true });
  };
  return {
    engine: "sqlite",
    has: (name) => Promise.resolve(existsSync(file(name))),
    make(name) {
      drop(name);
      return Promise.resolve(place(name));
    },
    copy(from, to) {
      drop(to);
      copyFileSync(file(from), file(to), constants.COPYFILE_FICLONE);
      return Promise.resolve(place(to));
    },
    drop(name) {
      drop(name);
      return Promise.resolve();
    },
  };
}

/** Databases of one PostgreSQL server. */
export function postgresShelf(server: string): Shelf {
  const inServer = (name: string): string => `hubbub_bench_${name.replaceAll("-", "_")}`;
  const place = (name: string): DatabasePlace => {
    const url = new URL(server);
    url.pathname = `/${inServer(name)}`;
    return { settings: { engine: "postgres", url: url.href }, url: url.href };
  };
  const run = (statement: string): Promise<pg.QueryResult> => onServer(server, statement);
  const drop = async (name: string): Promise<void> =>
    void (await run(`drop database if exists ${inServer(name)} with (force)`));
  const create = async (name: string, options = ""): Promise<DatabasePlace> => {
    await drop(name);
    await run(`create database ${inServer(name)} ${options}`);
    return place(name);
  };
  return {
    engine: "postgres",
    has: async (name) => (await run(`select 1 from pg_database where datname = '${inServer(name)}'`)).rows.length > 0,
    make: (name) => create(name),
    copy: (from, to) => create(to, `template ${inServer(from)} strategy file_copy`),
    drop,
  };
}

async function onServer(server: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    return await client.query(statement);
  } finally {
    await client.end();
  }
}
