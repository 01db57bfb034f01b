import { randomBytes, scryptSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import pg from "pg";
import { readConfig } from "../../src/config/config.ts";
import type { Environment } from "../../src/config/read.ts";
import { insertAccount } from "../../src/domain/identity/accounts/accounts.ts";
import type { Account } from "../../src/domain/identity/accounts/accounts.ts";
import type { Channel } from "../../src/domain/identity/channels/channel.ts";
import { createChannel } from "../../src/domain/identity/channels/channels.ts";
import type { RoleName } from "../../src/domain/identity/channels/roles.ts";
import { openHub } from "../../src/hub.ts";
import type { Hub, Overrides } from "../../src/hub.ts";
import { makeKeys } from "../../src/keys.ts";
import type { KeyPairs } from "../../src/keys.ts";
import { Threads } from "../../src/threads.ts";
import { migrate, openDatabase } from "../../src/storage/database.ts";

export type TestHub = Hub & {
  /** Sets the clock of the hub; it stands still between calls. */
  setClock(moment: Date | string): void;
  /** Moves the clock of the hub. */
  advance(seconds: number): void;
};

export type TestOptions = Omit<Overrides, "clock"> & {
  /** Settings as the operator would make them, e.g. `{ HUBBUB_RATE_LIMITS: "on" }`. */
  env?: Environment;
  /** Where the clock stands at first. */
  clock?: Date | string;
};

/** Are the tests running on PostgreSQL? */
export const onPostgres = process.env["HUBBUB_TEST_ENGINE"] === "postgres";

/** The password of every account that makeChannel makes. */
export const password = "correct horse";

/** Starting threads takes long, so all hubs of a process share theirs; they end by themselves. */
const threads = new Threads();

/** A hub on a fresh database, silent, without request limits, and asking no page that is linked to. Close it at the end: that removes everything. */
export async function openTestHub({
  env = {},
  clock = "2026-03-01T12:00:00Z",
  ...overrides
}: TestOptions = {}): Promise<TestHub> {
  const folder = mkdtempSync(join(tmpdir(), "hubbub-test-"));
  const database = await databaseWithTables(folder);
  let time = new Date(clock).getTime();
  const config = readConfig({
    HUBBUB_BASE_URL: "http://hub.example",
    HUBBUB_DATA: folder,
    HUBBUB_DATABASE_URL: database.url,
    HUBBUB_RATE_LIMITS: "off",
    HUBBUB_LINK_CARDS: "off",
    HUBBUB_LOG_LEVEL: "off",
    ...env,
  });
  const ways = { clock: () => new Date(time), makeKeys: takeKeys, passwordCost: cheap, threads, ...overrides };
  const hub = await openHub(config, ways);
  // What tests keep may be lost with the machine, so they never wait for its disk.
  if (hub.engine === "sqlite") await sql`pragma synchronous = off`.execute(hub.db);
  return Object.assign(hub, {
    setClock: (moment: Date | string) => void (time = new Date(moment).getTime()),
    advance: (seconds: number) => void (time += seconds * 1000),
    close: closing(hub, async () => {
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    }),
  });
}

/** An account with `password`, or another one, whose hash costs next to nothing. */
export function makeAccount(
  hub: Hub,
  email: string,
  options: { password?: string; roles?: number } = {},
): Promise<Account> {
  const { roles = 0 } = options;
  return insertAccount(hub, { email, hash: cheapHash(options.password ?? password), flags: 0, roles });
}

/** A good hash takes long, and tests need only that the password fits. */
const cheap = { N: 16, r: 8, p: 1 };

/** A stored hash says itself what it costs. */
function cheapHash(password: string): string {
  const salt = randomBytes(16);
  const hash = scryptSync(password, salt, 32, cheap);
  return ["scrypt", cheap.N, cheap.r, cheap.p, salt.toString("base64url"), hash.toString("base64url")].join("$");
}

/** A channel with an account of its own: `{nick}@example.org`, password `password`. */
export async function makeChannel(
  hub: Hub,
  nick: string,
  options: { role?: RoleName; name?: string; timezone?: string } = {},
): Promise<Channel> {
  const account = await makeAccount(hub, `${nick}@example.org`);
  const name = options.name ?? nick[0]!.toUpperCase() + nick.slice(1);
  return createChannel(hub, account, { nick, name, role: options.role, timezone: options.timezone });
}

function closing(hub: Hub, after: () => Promise<void>): () => Promise<void> {
  const close = hub.close;
  return async () => {
    await close();
    await after();
  };
}

export type FreshDatabase = { url: string; drop: () => Promise<void> };

/** An empty database on the engine that the tests are running on; `folder` is for an embedded one. */
export async function freshDatabase(folder: string): Promise<FreshDatabase> {
  return onPostgres ? createDatabase() : embedded(folder);
}

/** One that has its tables already, because making them takes longer than most tests. */
export async function databaseWithTables(folder: string): Promise<FreshDatabase> {
  if (onPostgres) return createDatabase(process.env["HUBBUB_TEST_POSTGRES_TEMPLATE"]);
  const { file, ...database } = embedded(folder);
  writeFileSync(file, await (template ??= makeTemplate()));
  return database;
}

function embedded(folder: string): FreshDatabase & { file: string } {
  const file = join(folder, "hubbub.db");
  return { file, url: `sqlite:${file}`, drop: () => Promise.resolve() };
}

let template: Promise<Buffer> | undefined;

/** A SQLite file with all tables. */
async function makeTemplate(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "hubbub-test-"));
  const { file } = embedded(folder);
  const db = openDatabase({ engine: "sqlite", file });
  await migrate(db, "sqlite");
  await db.destroy();
  const bytes = readFileSync(file);
  rmSync(folder, { recursive: true });
  return bytes;
}

async function createDatabase(template = "template1"): Promise<FreshDatabase> {
  const server = process.env["HUBBUB_TEST_POSTGRES_URL"];
  if (!server) throw new Error("HUBBUB_TEST_ENGINE=postgres needs HUBBUB_TEST_POSTGRES_URL");
  return createDatabaseOn(server, template);
}

/** A database on this server, like the one that the template names. */
export async function createDatabaseOn(server: string, template = "template1"): Promise<FreshDatabase> {
  const name = `hubbub_test_${randomBytes(6).toString("hex")}`;
  // By files: half of what writing the copy to the log takes.
  await onServer(server, `create database ${name} template ${template} strategy file_copy`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => onServer(server, `drop database ${name} with (force)`) };
}

const servers = new Map<string, pg.Pool>();

/** Connecting costs a quarter of what making a database does, so a process keeps its connections while it makes others. */
async function onServer(server: string, statement: string): Promise<void> {
  let pool = servers.get(server);
  if (!pool) {
    pool = new pg.Pool({ connectionString: server, allowExitOnIdle: true });
    // A server that is stopped takes its connections along.
    pool.on("error", () => undefined);
    servers.set(server, pool);
  }
  await pool.query(statement);
}

// Good keys take long, and tests need only that channels have some: three pairs serve a whole process.
const pool: Promise<KeyPairs>[] = [];
let taken = 0;

/** Makes the keys of channels in tests. */
export function takeKeys(): Promise<KeyPairs> {
  const place = taken++ % 3;
  return (pool[place] ??= makeKeys());
}
