import { availableParallelism } from "node:os";
import { isAbsolute, resolve } from "node:path";
import { refuse, text, whole, withoutPassword } from "./read.ts";
import type { Environment } from "./read.ts";
import type { SettingName } from "./settings.ts";

/**
 * Of PostgreSQL: the address past a pooler and that of a replica, where there are any; how many connections a process has; after how many seconds a statement
 * ends, a server without an answer counts as away, and a connection that rests is tried.
 */
export type DatabaseSettings = Readonly<
  | { engine: "sqlite"; file: string }
  | {
      engine: "postgres";
      url: string;
      direct?: string;
      replica?: string;
      pool?: number;
      timeout?: number;
      silence?: number;
      keepAlive?: number;
    }
>;

/** On SQLite one writes at a time; a usual PostgreSQL has room for the connections of so many. */
const mostByDefault = 8;

/** One on SQLite; on PostgreSQL one for each core. */
export function usualProcesses(env: Environment): number {
  const { engine } = databaseSettings(env, resolve(text(env, "HUBBUB_DATA")));
  return engine === "sqlite" ? 1 : Math.min(availableParallelism(), mostByDefault);
}

/** One server: no driver of ours tries several hosts in turn. */
function isPostgres(url: string): boolean {
  return /^postgres(?:ql)?:\/\/(?:[^/?#]*@)?[^/?#@,]*(?:[/?#]|$)/.test(url);
}

function postgresSettings(env: Environment, url: string): DatabaseSettings {
  const direct = otherPostgres(env, "HUBBUB_DATABASE_DIRECT_URL");
  const replica = otherPostgres(env, "HUBBUB_DATABASE_REPLICA_URL");
  const pool = whole(env, "HUBBUB_DATABASE_POOL", 4, 1000);
  const timeout = whole(env, "HUBBUB_DATABASE_TIMEOUT", 0, 86_400);
  const silence = whole(env, "HUBBUB_DATABASE_SILENCE", 0, 3600);
  const keepAlive = whole(env, "HUBBUB_DATABASE_KEEPALIVE", 1, 86_400);
  const others = { ...(direct !== undefined && { direct }), ...(replica !== undefined && { replica }) };
  return { engine: "postgres", url, pool, timeout, silence, keepAlive, ...others };
}

/** Another way to the PostgreSQL of the hub, if there is one. */
function otherPostgres(env: Environment, name: SettingName): string | undefined {
  const found = text(env, name);
  if (found === "none") return undefined;
  return isPostgres(found) ? found : refuse(name, withoutPassword(found), "postgres://... or none");
}

/** The database that is named, or the embedded one in the data folder. */
export function databaseSettings(env: Environment, dataDir: string): DatabaseSettings {
  const found = env["HUBBUB_DATABASE_URL"]?.trim() || `sqlite:${resolve(dataDir, "hubbub.db")}`;
  if (isPostgres(found)) return postgresSettings(env, found);
  const file = /^sqlite:(?:\/\/)?(.+)$/.exec(found)?.[1];
  if (file === undefined) refuse("HUBBUB_DATABASE_URL", withoutPassword(found), "sqlite:FILE or postgres://...");
  return { engine: "sqlite", file: file === ":memory:" || isAbsolute(file) ? file : resolve(file) };
}
