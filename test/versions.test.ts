import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTransaction } from "../src/hub.ts";
import { addJob } from "../src/jobs/queue.ts";
import { freePort } from "./support/free-port.ts";
import { basic } from "./support/client.ts";
import { password } from "./support/hub.ts";
import { emptyPlace, hubbub, hubbubProcess, makePeople, newPlace, openPlace, serve } from "./support/command.ts";
import type { Place } from "./support/command.ts";
import { takeFormerProgram } from "./support/former-program.ts";

/** The program of the next version brings the tables up to date while the one before serves, and both go on (decision 113). */

let place: Place;

beforeAll(async () => {
  place = await newPlace();
  await makePeople(place, "anna", "bert");
});
afterAll(() => place.remove());

/** Tables that nearly every request reads. */
const read = ["account", "channel", "xchan", "abook", "item", "message", "job", "config"];

/** What the next version does first: it adds, with values for those who know nothing of it. */
async function bringUpToDate(): Promise<void> {
  const hub = await openPlace(place);
  await inTransaction(hub, async ({ db }) => {
    for (const table of read)
      await sql`alter table ${sql.table(table)} add column next_version text not null default 'new'`.execute(db);
    await sql`create table next_version (id integer primary key)`.execute(db);
    await sql`insert into kysely_migration (name, timestamp) values ('9999-next', '')`.execute(db);
  });
  await hub.close();
}

/** The same hub at another port. */
async function atAnotherPort(first: Place): Promise<Place> {
  const port = String(await freePort());
  const env = { ...first.env, HUBBUB_PORT: port, HUBBUB_BASE_URL: first.url };
  return { ...first, url: `http://127.0.0.1:${port}`, env };
}

const pages = ["/api/statuses/home_timeline.json", "/api/z/1.0/network/stream", "/api/z/1.0/abook", "/channel/anna"];

/** Somebody who writes and reads for so many rounds; answers what was not answered as usual. */
async function visit({ url }: Place, nick: string, isOver: (rounds: number) => boolean): Promise<string[]> {
  const faults: string[] = [];
  const headers = { authorization: basic(`${nick}:${password}`) };
  const ask = async (path: string, more: RequestInit = {}): Promise<void> => {
    const answer = await fetch(`${url}${path}`, { headers, ...more });
    const text = await answer.text();
    if (answer.status !== 200) faults.push(`${path} ${answer.status} ${text.slice(0, 200)}`);
  };
  for (let round = 0; !isOver(round); round++) {
    const body = new URLSearchParams({ status: `Round ${round} of ${nick} at ${url}` });
    await ask("/api/statuses/update.json", { method: "POST", body });
    for (const page of pages) await ask(page);
  }
  return faults;
}

test("tables get more columns under load, and nobody hears of it", async () => {
  const serving = await serve(place);
  let isNew = false;
  let begun: number | undefined;
  let rounds = 0;
  const visits = ["anna", "bert"].map((nick) =>
    visit(place, nick, (round) => {
      rounds = round;
      if (isNew) begun ??= round;
      return begun !== undefined && round > begun + 2;
    }),
  );
  await expect.poll(() => rounds).toBeGreaterThan(1);
  await bringUpToDate();
  isNew = true;
  expect((await Promise.all(visits)).flat()).toEqual([]);

  // One more of this version begins beside it, as when its process ends and is replaced.
  const beside = await atAnotherPort(place);
  const second = await serve(beside);
  expect(await visit(beside, "anna", (round) => round > 1)).toEqual([]);
  expect((await hubbub(place, ["doctor", "--json"])).stdout).toContain(
    "belong to a newer version of Hubbub (9999-next)",
  );
  expect(await second.stop()).toEqual({ code: 0, signal: null });
  expect(await serving.stop()).toEqual({ code: 0, signal: null });
  for (const { stderr } of [serving, second]) expect(stderr()).not.toMatch(/failed|error/i);
});

test("what only the next version can do is left to it, and the operator sees it", async () => {
  const hub = await openPlace(place);
  const [name, moment] = ["bake-bread", "2026-01-01 00:00:00"];
  await hub.db.insertInto("job").values({ name, payload: "{}", run_at: moment, created: moment }).execute();
  const serving = await serve(place);
  const jobOf = () => hub.db.selectFrom("job").selectAll().where("name", "=", name).execute();
  // What was added later is done, so this one has been looked at.
  await addJob(hub, "count-actor", { actor: "https://a.example/nobody" });
  const others = () => hub.db.selectFrom("job").select("id").where("name", "=", "count-actor").execute();
  await expect.poll(others, { timeout: 20_000 }).toEqual([]);
  expect(await jobOf()).toMatchObject([{ attempts: 0, dead: 0, last_error: "" }]);
  expect((await hubbub(place, ["doctor", "--json"])).stdout).toContain(`${name} (1) since ${moment}`);
  expect(await serving.stop()).toEqual({ code: 0, signal: null });
  expect((await hubbub(place, ["jobs", "forget", name])).stdout).toContain("1 job is removed");
  await hub.close();
});

test("a backup would leave out what is new, so there is none", async () => {
  const { code, stderr } = await hubbub(place, ["backup", place.folder]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("belongs to a newer version")]);
});

const former = takeFormerProgram();
afterAll(() => former?.remove());

test.skipIf(!former)("the program before and this one serve the same people at once", async () => {
  const { launcher } = former!;
  const shared = await emptyPlace();
  for (const nick of ["anna", "bert"]) {
    const who = ["--email", `${nick}@example.org`, "--password", password, "--nick", nick, "--name", nick];
    const { code, stderr } = await hubbubProcess(shared, ["account", "create", ...who], { launcher });
    expect([code, stderr]).toEqual([0, ""]);
  }
  const serving = await serve(shared, { launcher });
  let rounds = 0;
  let last = Infinity;
  const before = visit(shared, "anna", (round) => (rounds = round) > last);
  await expect.poll(() => rounds).toBeGreaterThan(1);
  const beside = await atAnotherPort(shared);
  const second = await serve(beside);
  const now = ["anna", "bert"].map((nick) => visit(beside, nick, (round) => round > 3));
  expect((await Promise.all(now)).flat()).toEqual([]);
  last = rounds + 2;
  expect(await before).toEqual([]);
  expect(await serving.stop()).toEqual({ code: 0, signal: null });
  expect(await visit(beside, "anna", (round) => round > 1)).toEqual([]);
  expect(await second.stop()).toEqual({ code: 0, signal: null });
  for (const { stderr } of [serving, second]) expect(stderr()).not.toMatch(/failed|error/i);
  await shared.remove();
});
