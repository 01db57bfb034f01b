import { sql } from "kysely";
import type pg from "pg";
import type { Database } from "./engine.ts";
import { ownSessionOf } from "./postgres-sessions.ts";
import type { PostgresSettings } from "./postgres-sessions.ts";

/** What processes of the hub call each other on. */
const channel = "hubbub_live";
/** Those that listen are known to the server by this and their own name. */
const listeners = "hubbub live ";

/** Milliseconds before a connection that broke off is opened again. */
const pause = 1000;

export type Listening = { end: () => Promise<void> };

/**
 * Calls whenever another process says that something has changed (`NOTIFY`), on a connection of its own, and whenever that connection
 * has been opened: something may have been said before.
 */
export function listenTo(settings: PostgresSettings, name: string, call: () => void): Listening {
  let isOver = false;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  const again = (): void => {
    client = undefined;
    if (!isOver) timer = setTimeout(() => void open(), pause).unref();
  };
  const open = async (): Promise<void> => {
    const { Client } = (await import("pg")).default;
    if (isOver) return;
    const opened = new Client(ownSessionOf(settings, listeners + name));
    client = opened;
    let isGone = false;
    const gone = (): void => {
      if (isGone) return;
      isGone = true;
      again();
    };
    opened.on("error", gone);
    opened.on("end", gone);
    opened.on("notification", call);
    try {
      await opened.connect();
      await opened.query(`listen ${channel}`);
      call();
    } catch {
      void opened.end().catch(() => undefined);
      gone();
    }
  };
  const opening = open();
  return {
    async end() {
      isOver = true;
      clearTimeout(timer);
      await opening;
      await client?.end().catch(() => undefined);
    },
  };
}

/** Says so to the others that listen; without any it costs no more than to look. */
export async function notifyOthers(db: Database, name: string): Promise<void> {
  await sql`select pg_notify(${channel}, '') from (select 1 from pg_stat_activity where datname = current_database()
    and starts_with(application_name, ${listeners}) and application_name <> ${listeners + name} limit 1) as listening`.execute(
    db,
  );
}
