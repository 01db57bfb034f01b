import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { readConfig } from "../../src/config.ts";
import type { Environment } from "../../src/config.ts";
import { createAccount } from "../../src/domain/identity/accounts.ts";
import type { Channel } from "../../src/domain/identity/channel.ts";
import { createChannel } from "../../src/domain/identity/channels.ts";
import type { RoleName } from "../../src/domain/identity/roles.ts";
import { openHub } from "../../src/hub.ts";
import type { Hub, Overrides } from "../../src/hub.ts";
import { makeKeys } from "../../src/keys.ts";
import type { KeyPairs } from "../../src/keys.ts";

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

/** A hub on a fresh database, silent and without request limits. Close it at the end: that removes everything. */
export async function openTestHub({
  env = {},
  clock = "2026-03-01T12:00:00Z",
  ...overrides
}: TestOptions = {}): Promise<TestHub> {
  const folder = mkdtempSync(join(tmpdir(), "hubbub-test-"));
  // The tables are there already, because making them takes longer than most tests.
  const database = await freshDatabase(folder, process.env["HUBBUB_TEST_POSTGRES_TEMPLATE"]);
  let time = new Date(clock).getTime();
  const config = readConfig({
    HUBBUB_BASE_URL: "http://hub.example",
    HUBBUB_DATA: folder,
    HUBBUB_DATABASE_URL: database.url,
    HUBBUB_RATE_LIMITS: "off",
    HUBBUB_LOG_LEVEL: "off",
    ...env,
  });
  const hub = await openHub(config, { clock: () => new Date(time), makeKeys: takeKeys, ...overrides });
  return Object.assign(hub, {
    setClock: (moment: Date | string) => void (time = new Date(moment).getTime()),
    advance: (seconds: number) => void (time += seconds * 1000),
    close: closing(hub, async () => {
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    }),
  });
}

/** A channel with an account of its own: `{nick}@example.org`, password `password`. */
export async function makeChannel(
  hub: Hub,
  nick: string,
  options: { role?: RoleName; name?: string; timezone?: string } = {},
): Promise<Channel> {
  const account = await createAccount(hub, { email: `${nick}@example.org`, password });
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
export async function freshDatabase(folder: string, template?: string): Promise<FreshDatabase> {
  return onPostgres
    ? createDatabase(template)
    : { url: `sqlite:${join(folder, "hubbub.db")}`, drop: () => Promise.resolve() };
}

async function createDatabase(template = "template1"): Promise<FreshDatabase> {
  const server = process.env["HUBBUB_TEST_POSTGRES_URL"];
  if (!server) throw new Error("HUBBUB_TEST_ENGINE=postgres needs HUBBUB_TEST_POSTGRES_URL");
  return createDatabaseOn(server, template);
}

/** A database on this server, like the one that the template names. */
export async function createDatabaseOn(server: string, template = "template1"): Promise<FreshDatabase> {
  const name = `hubbub_test_${randomBytes(6).toString("hex")}`;
  await onServer(server, `create database ${name} template ${template}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => onServer(server, `drop database ${name} with (force)`) };
}

async function onServer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

// Good keys take long, and tests need only that channels have some: three pairs serve a whole process.
const pool: Promise<KeyPairs>[] = [];
let taken = 0;

function takeKeys(): Promise<KeyPairs> {
  const place = taken++ % 3;
  return (pool[place] ??= makeKeys());
}
