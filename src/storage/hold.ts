import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { DatabaseSettings } from "../config/database.ts";
import { detailOf } from "../errors.ts";
import { ownSessionOf } from "./postgres-sessions.ts";
import type { PostgresSettings } from "./postgres-sessions.ts";

/** Keeps a database for what runs on it; it ends with the process, however that ends. */
export type Hold = { release(): Promise<void> };

/** `shared` by all hubs and workers that run on the database, or `alone`, which nobody else can have at the same time. */
export type HoldKind = "shared" | "alone";

/** By this and what they do, those who have hold of a database are known to PostgreSQL. */
export const holders = "hubbub hold: ";

/** Takes hold of a database, as one that does what `part` says; undefined while others have one that goes against it. */
export function takeHold(settings: DatabaseSettings, kind: HoldKind, part: string = kind): Promise<Hold | undefined> {
  if (settings.engine === "postgres") return holdPostgres(settings, kind, part);
  return Promise.resolve(settings.file === ":memory:" ? free : holdSqlite(settings.file, kind));
}

const free: Hold = { release: () => Promise.resolve() };

/** The file beside a database whose locks say that somebody runs on it; nothing is ever written to it. */
export function holdFile(file: string): string {
  return `${file}-held`;
}

const busy = 5;

/** The locks of SQLite itself on a database of their own, because those on the real one come and go with each change. */
function holdSqlite(file: string, kind: HoldKind): Hold | undefined {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const held = new DatabaseSync(holdFile(file), { timeout: 0 });
  try {
    held.exec(kind === "alone" ? "begin exclusive" : "begin; select count(*) from sqlite_master");
  } catch (error) {
    held.close();
    if (Number(detailOf(error, "errcode")) % 256 === busy) return undefined;
    throw error;
  }
  return { release: () => Promise.resolve(held.close()) };
}

/** Any number that nothing else in the database uses. */
const key = 1_752_523_362;
const again = 1000;

/**
 * An advisory lock that lasts as long as its transaction, so that it holds through poolers which hand connections on after
 * each transaction. The transaction sees nothing and hinders nobody. When the server goes away, the lock is taken again.
 */
async function holdPostgres(settings: PostgresSettings, kind: HoldKind, part: string): Promise<Hold | undefined> {
  const { Client } = (await import("pg")).default;
  let released = false;
  let client: InstanceType<typeof Client>;
  const attempt = async (): Promise<boolean> => {
    client = new Client(ownSessionOf(settings, holders + part));
    client.on("error", () => undefined);
    try {
      await client.connect();
      await client.query("begin read only; set local idle_in_transaction_session_timeout = 0");
      const lock = kind === "alone" ? "pg_try_advisory_xact_lock" : "pg_try_advisory_xact_lock_shared";
      const { rows } = await client.query<{ held: boolean }>(`select ${lock}(${key}) as held`);
      if (rows[0]!.held) return true;
      await client.end();
      return false;
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
  };
  const keep = (): void => {
    client.once("end", () => void retry());
  };
  const retry = async (): Promise<void> => {
    if (released) return;
    if (await attempt().catch(() => false)) keep();
    else setTimeout(() => void retry(), again).unref();
  };
  if (!(await attempt())) return undefined;
  keep();
  return {
    async release() {
      released = true;
      await client.end();
    },
  };
}
