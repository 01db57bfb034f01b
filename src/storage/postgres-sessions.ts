import type pg from "pg";
import type { DatabaseSettings } from "../config/database.ts";

export type PostgresSettings = Extract<DatabaseSettings, { engine: "postgres" }>;

/** Seconds of rest after which the system tries a connection, where nobody says how many. */
const usualRest = 60;

/** How a connection is made: under a name that the server shows, and noticed when it leads nowhere any more. */
export function sessionOf({ url, keepAlive = usualRest }: PostgresSettings, name: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: name,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAlive * 1000,
  };
}

/** The same past a pooler, for what needs a session of its own. */
export function ownSessionOf(settings: PostgresSettings, name: string): pg.ClientConfig {
  return sessionOf({ ...settings, url: settings.direct ?? settings.url }, name);
}
