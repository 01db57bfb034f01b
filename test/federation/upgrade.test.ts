import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "kysely";
import { readConfig } from "../../src/config/config.ts";
import { connect, findConnectionTo } from "../../src/domain/connections/connections.ts";
import { meetAgain } from "../../src/faces/federation/retrieve/actor.ts";
import type { Hub } from "../../src/hub.ts";
import { migrate, openDatabase } from "../../src/storage/database.ts";
import type { Database } from "../../src/storage/engine.ts";
import { migrationsFor } from "../../src/storage/migrations/index.ts";
import { workOff } from "../../src/workers.ts";
import { beginServing, emptyPlace, newPlace, openPlace, post, serve, textsOf } from "../support/command.ts";
import type { Place, Serving } from "../support/command.ts";
import { makeChannel, onPostgres } from "../support/hub.ts";
import { inhabitant, openHubs } from "../support/hubs.ts";
import type { Inhabitant, TestHubs } from "../support/hubs.ts";

/** A hub is brought up to date while others deliver to it and answer (federation contract 16, check 15). */

/** The tables of the place have taken no step after this one. */
const before = "0105-posted-sketches";

let world: TestHubs;
let place: Place;
let serving: Serving;
let ben: Inhabitant;
const anna = (): string => `${place.url}/channel/anna`;

beforeAll(async () => {
  world = await openHubs(1);
  const made = await newPlace();
  place = { ...made, env: { ...made.env, HUBBUB_BASE_URL: made.url, HUBBUB_ALLOW_PRIVATE: "on" } };
  ben = await inhabitant(world.hubs[0]!, "ben");
  ben.at.hub.setClock(new Date());
  const hub = await openPlace(place);
  const channel = await makeChannel(hub, "anna", { role: "feed" });
  await connect(hub, channel, (await meetAgain(hub, ben.id))!);
  await hub.close();
  serving = await serve(place);
  const { xchan_id } = (await meetAgain(ben.at.hub, anna()))!;
  await ben.post("/api/friendships/create", { user_id: xchan_id });
});
afterAll(async () => {
  await serving?.stop();
  await place?.remove();
  await world.close();
});

/** Takes from the tables what steps since then have added, as it was with the version before. */
async function asBefore(): Promise<void> {
  const former = await emptyPlace();
  const settings = readConfig(former.env).database;
  const old = openDatabase(settings);
  await migrate(old, settings.engine, before);
  const tables = new Map((await old.introspection.getTables()).map(({ name, columns }) => [name, namesOf(columns)]));
  const rules = await rulesOf(old);
  await old.destroy();
  await former.remove();
  const db = openDatabase(readConfig(place.env).database);
  for (const rule of await rulesOf(db))
    if (!rules.includes(rule)) await sql.raw(onPostgres ? `drop ${rule} cascade` : `drop ${rule}`).execute(db);
  for (const { name, columns } of await db.introspection.getTables()) {
    const kept = tables.get(name);
    if (!kept) await sql`drop table ${sql.table(name)}`.execute(db);
    for (const column of kept ? namesOf(columns).filter((one) => !kept.includes(one)) : [])
      await sql`alter table ${sql.table(name)} drop column ${sql.ref(column)}`.execute(db);
  }
  await sql`delete from kysely_migration where name > ${before}`.execute(db);
  await db.destroy();
}

function namesOf(columns: readonly { name: string }[]): string[] {
  return columns.map(({ name }) => name);
}

/** What is beside tables: indexes, and triggers, on PostgreSQL with the functions that these call. */
async function rulesOf(db: Database): Promise<string[]> {
  const { rows } = onPostgres
    ? await sql<{ rule: string }>`select 'function ' || proname as rule from pg_proc
        where pronamespace = 'public'::regnamespace
        union all select 'index ' || relname from pg_class where relkind = 'i' and relnamespace = 'public'::regnamespace
        and not exists (select 1 from pg_constraint where conindid = pg_class.oid)`.execute(db)
    : await sql<{ rule: string }>`select type || ' ' || name as rule from sqlite_master
        where type = 'trigger' or (type = 'index' and sql is not null)`.execute(db);
  return rows.map(({ rule }) => rule);
}

/** The last step that its tables have taken. */
async function lastStep(): Promise<string | undefined> {
  const db = openDatabase(readConfig(place.env).database);
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name desc limit 1`.execute(
    db,
  );
  await db.destroy();
  return rows[0]?.name;
}

/** Does each follow the other, as the hub of ben knows it? */
async function isFollowedBoth(): Promise<boolean> {
  const row = await findConnectionTo(ben.at.hub, ben.channel.channel_id, anna());
  return row?.follow_out === "accepted" && row.follow_in === "accepted";
}

/** By then whatever was refused is sent again: half an hour later a host that was away is asked whether it is back. */
const later = 50 * 60;

/** What ben has said, as anna has it. */
async function saidByBen(hub: Hub): Promise<string[]> {
  return (await textsOf(hub, "anna", "ben ")).toSorted();
}

/** Has the hub of ben do what is due, at the present time and maybe some seconds more: the other one is a process. */
async function settle(secondsMore = 0): Promise<void> {
  ben.at.hub.setClock(new Date(Date.now() + secondsMore * 1000));
  await world.settle();
}

test("nothing is lost on either side, and each effect comes once", async () => {
  const saidHere: string[] = [];
  const saidThere: string[] = [];
  const say = async (text: string): Promise<void> => {
    if ((await post(place, "anna", text)) !== undefined) saidHere.push(text);
  };
  const sayThere = async (text: string): Promise<void> => {
    expect((await ben.post("/api/statuses/update", { status: text })).status).toBe(200);
    saidThere.push(text);
    await settle();
  };
  // Each follows the other.
  await expect.poll(async () => (await settle(), isFollowedBoth())).toBe(true);
  await sayThere("ben before");
  await ben.at.leave();
  await say("anna to nobody who answers");
  await ben.at.comeBack();
  await serving.stop();
  await sayThere("ben to nobody who answers");
  await asBefore();
  expect(await lastStep()).toBe(before);

  const begun = beginServing(place);
  let isReady = false;
  const ready = begun.ready.then(() => (isReady = true));
  for (let number = 0; !isReady; number++) await sayThere(`ben meanwhile ${number}`);
  await ready;
  serving = begun;
  expect(await lastStep()).toBe(Object.keys(migrationsFor(ben.at.hub.engine)).at(-1));
  for (const number of [1, 2, 3]) await Promise.all([say(`anna since ${number}`), sayThere(`ben since ${number}`)]);

  // What was refused comes again.
  for (const seconds of [later - 900, later]) await settle(seconds);
  expect(await serving.stop()).toEqual({ code: 0, signal: null });
  expect(serving.stderr()).not.toMatch(/failed|error/i);
  const hub = await openPlace(place, later);
  await workOff(hub);
  await settle(later);
  expect(await saidByBen(hub)).toEqual(saidThere.toSorted());
  expect((await textsOf(ben.at.hub, "ben", "anna ")).toSorted()).toEqual(saidHere.toSorted());
  expect(saidHere).toHaveLength(4);
  for (const one of [hub, ben.at.hub])
    for (const table of ["delivery", "inbox_activity"] as const) {
      const states = one.db
        .selectFrom(table as "delivery")
        .select("state")
        .distinct();
      expect([table, await states.execute()]).toEqual([table, [{ state: "done" }]]);
    }
  await hub.close();
});
