import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  beginServing,
  hubbub,
  hubbubProcess,
  makePeople,
  emptyPlace,
  newPlace,
  openPlace,
  post,
  serve,
} from "../../test/support/command.ts";
import type { Place } from "../../test/support/command.ts";
import { makeAccount } from "../../test/support/hub.ts";
import { readConfig } from "../config/config.ts";
import type { DatabaseSettings } from "../config/database.ts";
import { migrate, migrationSteps, openDatabase } from "../storage/database.ts";
import type { Database } from "../storage/engine.ts";
import { accountRoles } from "../domain/identity/accounts/accounts.ts";

let place: Place;
beforeAll(async () => {
  place = await emptyPlace();
});
afterAll(() => place.remove());

test("the first run says where the set-up link is, every run prints one line when it is ready", async () => {
  const base = `http://localhost:${place.env["HUBBUB_PORT"]}`;
  // Both by the same flags: what is compiled by others is no use to them.
  const first = await serve(place, { isLight: true });
  const file = join(place.env["HUBBUB_DATA"]!, "setup-link");
  expect(first.printed).toBe(
    `First run: make the administrator's account at the link in ${file}\nHubbub is ready at ${base}\n`,
  );
  expect(readFileSync(file, "utf8")).toMatch(new RegExp(`^${base}/setup/[\\w-]{20,}\n$`));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await fetch(`${place.url}/api/z/1.0/version.json`)).status).toBe(200);
  expect(await first.stop()).toEqual({ code: 0, signal: null });

  await makePeople(place, "anna");
  const hub = await openPlace(place);
  await makeAccount(hub, "root@example.org", { roles: accountRoles.administrator });
  await hub.close();
  const second = await serve(place, { isLight: true });
  if (existsSync("/proc/self/status")) {
    const memory = (name: string): number =>
      Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${second.child.pid}/status`, "utf8"))![1]);
    // What loading has left behind is given back by then: in kilobytes, a quarter of it all.
    expect(memory("VmHWM") - memory("VmRSS")).toBeGreaterThan(15_000);
    // The rest of the 110 MB that an idle process may take is Node's own files.
    expect(memory("RssAnon")).toBeLessThan(62_000);
  }
  expect(second.printed).toBe(`Hubbub is ready at ${base}\n`);
  expect(existsSync(file)).toBe(false);
  expect(await post(place, "anna", "hello")).toBeGreaterThan(0);
  expect([await second.stop("SIGINT"), second.stderr()]).toEqual([{ code: 0, signal: null }, ""]);
});

test("with --json it prints one JSON value; flags win over the environment", async () => {
  const other = await newPlace({ HUBBUB_BASE_URL: "https://wrong.example" });
  const args = ["--json", "--base-url", "https://hub.example", "--listen", "127.0.0.1", "--data", other.folder];
  const running = await serve(other, { args });
  expect(JSON.parse(running.printed)).toEqual({
    ready: true,
    url: "https://hub.example",
    listening: other.url,
    setup_file: expect.stringMatching(/setup-link$/),
  });
  await running.stop();
  const wrong = await hubbub(other, ["serve"]);
  expect(wrong).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^The address of this hub is https:.*\n$/),
  });
  await other.remove();
});

test("requests that are under way are finished", async () => {
  const running = await serve(place);
  const posts = Array.from({ length: 20 }, (_, number) => post(place, "anna", `last words ${number}`));
  await Promise.race(posts);
  const [ids, end] = await Promise.all([Promise.all(posts), running.stop()]);
  expect(end).toEqual({ code: 0, signal: null });
  const acknowledged = ids.filter((id) => id !== undefined);
  expect(acknowledged.length).toBeGreaterThan(0);
  expect(new Set(acknowledged).size).toBe(acknowledged.length);
});

test.each(["serve", "work"] as const)(
  "%s heeds a signal while the tables are being brought up to date",
  async (command) => {
    const old = await emptyPlace();
    const { database } = readConfig(old.env);
    const db = openDatabase(database);
    await migrate(db, database.engine, "0002-files-events-mail");
    for (const step of endless[database.engine]) await sql.raw(step).execute(db);
    const begun = beginServing(old, { command });
    try {
      await expect.poll(() => isMigrating(db, database)).toBe(true);
      begun.child.kill("SIGTERM");
      await expect.poll(() => begun.child.signalCode).toBe("SIGTERM");
      expect([begun.printed, begun.stderr()]).toEqual(["", ""]);
    } finally {
      begun.child.kill("SIGKILL");
    }
    if (database.engine === "postgres") await sql.raw(endOfLeftovers).execute(db);
    const taken = async () => (await migrationSteps(db, database.engine)).filter((step) => step.taken).length;
    expect(await taken()).toBe(2);
    await sql.raw(`drop trigger endless ${database.engine === "postgres" ? "on kysely_migration" : ""}`).execute(db);
    const next = await serve(old, { command });
    expect([await next.stop(), next.stderr()]).toEqual([{ code: 0, signal: null }, ""]);
    expect(await taken()).toBeGreaterThan(2);
    await db.destroy();
    await old.remove();
  },
);

/** From then on whoever notes a step of the migration is never done with it: on SQLite a single statement holds the process. */
const endless = {
  sqlite: [
    `create trigger endless after insert on kysely_migration begin select count(*) from
      (with recursive s(n) as (select 1 union all select n + 1 from s) select n from s); end`,
  ],
  postgres: [
    "create function endless() returns trigger language plpgsql as $$ begin perform pg_sleep(100000); return new; end $$",
    "create trigger endless after insert on kysely_migration for each row execute function endless()",
  ],
};

const sleeper = "pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'";
const endOfLeftovers = `select pg_terminate_backend(pid) from ${sleeper}`;

async function isMigrating(db: Database, database: DatabaseSettings): Promise<boolean> {
  if (database.engine === "postgres") return (await sql.raw(`select 1 from ${sleeper}`).execute(db)).rows.length > 0;
  const other = new DatabaseSync(database.file, { timeout: 0 });
  try {
    other.exec("begin immediate");
    return false;
  } catch {
    return true;
  } finally {
    other.close();
  }
}

test("commands work beside a running hub", async () => {
  const running = await serve(place);
  const posts = Array.from({ length: 30 }, (_, number) => post(place, "anna", `beside ${number}`));
  const made = await Promise.all(
    ["bob", "cleo"].map((nick) =>
      hubbubProcess(place, [
        ..."account create --json --password".split(" "),
        "correct horse",
        ...`--email ${nick}@example.org --nick ${nick} --name ${nick}`.split(" "),
      ]),
    ),
  );
  expect(made.map(({ stdout }) => (JSON.parse(stdout) as { nick: string }).nick)).toEqual(["bob", "cleo"]);
  expect(await Promise.all(posts)).not.toContain(undefined);
  expect(await post(place, "bob", "here I am")).toBeGreaterThan(0);
  expect([await running.stop(), running.stderr()]).toEqual([{ code: 0, signal: null }, ""]);
});
