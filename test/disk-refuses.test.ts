import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DiskRefuses } from "../src/errors.ts";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import { onPostgres } from "./support/hub.ts";
import { formWith, picture } from "./support/pictures.ts";
import { visitorOf } from "./support/visitor.ts";
import type { Visitor } from "./support/visitor.ts";

/** A disk that takes nothing: one sentence by every door, 503, and what only reads goes on. */

const full = "The disk of this hub is full; nothing was stored.";
const readOnly = "The disk of this hub can only be read at the moment; nothing was stored.";

let statements: string[] = [];
let world: TestApp;
let alma: Person;
let almaAtHome: Visitor;
beforeAll(async () => {
  world = await openTestApp({ onQuery: ({ query }) => void statements.push(query.sql) });
  alma = await world.person("alma");
  almaAtHome = visitorOf(world.app);
  await almaAtHome.logIn("alma", "correct horse");
  await almaAtHome.get("/network");
});
afterAll(() => world.close());

let jpeg: Buffer;
beforeAll(async () => void (jpeg = await picture(64, 48).jpeg().toBuffer()));
const photo = (): [string, Buffer, string, string] => ["media", jpeg, "tree.jpg", "image/jpeg"];

const long = "much to say ".repeat(15_000);

/** The doors by which something comes in, each with how its answer says that it could not be stored. */
const doors: [name: string, send: () => Promise<{ status: number; text: string; headers: Headers }>][] = [
  ["a status", () => alma.post("/api/statuses/update.json", { status: long })],
  ["a status in XML", () => alma.post("/api/statuses/update.xml", { status: long })],
  [
    "a status with a picture",
    () => alma.send("POST", "/api/statuses/update.json", formWith({ status: long }, [photo()])),
  ],
  ["a picture", () => alma.send("POST", "/api/media/upload.json", formWith({}, [photo()]))],
  ["a native item", () => alma.post("/api/z/1.0/item/update", { body: long })],
  [
    "a native item with a picture",
    () => alma.send("POST", "/api/z/1.0/item/update", formWith({ body: long }, [photo()])),
  ],
  ["a post of a page", () => almaAtHome.post("/network", { body: long, audience: "public" })],
  ["a file of a page", () => almaAtHome.post("/cloud/alma", { file: new Blob(["x"]), act: "upload" })],
];

async function expectRefusals(sentence: string, which = doors): Promise<void> {
  for (const [name, send] of which) {
    const { status, text, headers } = await send();
    expect([name, status, headers.get("retry-after")]).toEqual([name, 503, "60"]);
    expect(text.includes(sentence) ? name : text.slice(0, 500)).toBe(name);
  }
}

async function counts(): Promise<unknown> {
  const count = (table: string) =>
    sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(world.hub.db);
  return Promise.all(["message", "item", "attach", "photo"].map(async (table) => (await count(table)).rows));
}

describe("the disk of the files", () => {
  test.each([
    ["full", full],
    ["read-only", readOnly],
  ] as const)("is %s", async (state, sentence) => {
    const { blobs } = world.hub;
    const { stage } = blobs;
    const before = await counts();
    blobs.stage = () => Promise.reject(new DiskRefuses(state, new Error("by the test")));
    await expectRefusals(
      sentence,
      doors.filter(([name]) => /picture|file/.test(name)),
    );
    blobs.stage = stage;
    expect(await counts()).toEqual(before);
  });
});

describe("the disk of the database", () => {
  const inDatabase = doors.filter(([name]) => !/^a (picture|file)/.test(name));

  test("is full", async () => {
    const before = await counts();
    const makeRoom = await (onPostgres ? refuseMessages() : stopGrowth());
    await expectRefusals(full, inDatabase).finally(makeRoom);
    expect(await counts()).toEqual(before);
    expect((await alma.post("/api/statuses/update.json", { status: long })).status).toBe(200);
  });

  test("is read-only", async () => {
    const takeAgain = await (onPostgres ? takeNoChanges() : onlyQueries());
    await expectRefusals(readOnly).finally(takeAgain);
    expect((await alma.post("/api/statuses/update.json", { status: long })).status).toBe(200);
  });

  test("is not asked for anything by who only looks", async () => {
    const visitor = visitorOf(world.app);
    await world.hub.db.selectFrom("account").select("account_id").execute();
    statements = [];
    for (const path of ["/login", "/channel/alma", "/directory", "/feed/alma", "/api/statusnet/config.json"])
      expect([path, (await visitor.get(path)).status]).toEqual([path, 200]);
    expect(statements.length).toBeGreaterThan(5);
    expect(statements.filter((statement) => !/^(select|with)\b/i.test(statement))).toEqual([]);
  });
});

/** SQLite gets no more room than it has. */
async function stopGrowth(): Promise<() => Promise<unknown>> {
  const { db } = world.hub;
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db);
  await sql`pragma max_page_count = ${sql.lit(rows[0]!.page_count)}`.execute(db);
  return () => sql`pragma max_page_count = 1000000`.execute(db);
}

async function onlyQueries(): Promise<() => Promise<unknown>> {
  const { db } = world.hub;
  await sql`pragma query_only = on`.execute(db);
  return () => sql`pragma query_only = off`.execute(db);
}

/** What is told to the database counts for new connections. */
async function takeNoChanges(): Promise<() => Promise<unknown>> {
  const { config } = world.hub;
  const name = new URL((config.database as { url: string }).url).pathname.slice(1);
  const server = new pg.Client({ connectionString: process.env["HUBBUB_TEST_POSTGRES_URL"]! });
  await server.connect();
  const set = async (state: "on" | "off"): Promise<void> => {
    await server.query(`alter database ${name} set default_transaction_read_only = ${state}`);
    await server.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [name]);
    await expect.poll(() => alma.get("/api/account/verify_credentials.json")).toMatchObject({ status: 200 });
  };
  await set("on");
  return async () => {
    await set("off");
    await server.end();
  };
}

/** PostgreSQL says what it says when a table cannot grow. */
async function refuseMessages(): Promise<() => Promise<unknown>> {
  const { db } = world.hub;
  await sql`create function no_room() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`.execute(db);
  await sql`create trigger no_room before insert on message for each row execute function no_room()`.execute(db);
  return () => sql`drop function no_room cascade`.execute(db);
}
