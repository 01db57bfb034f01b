import { inspect } from "node:util";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { setSetting } from "../src/domain/identity/site/site-settings.ts";
import { takeOne } from "../src/domain/import/channel/short-sections.ts";
import { DatabaseAway } from "../src/errors.ts";
import { inTransaction } from "../src/hub.ts";
import type { Hub } from "../src/hub.ts";
import { addJob } from "../src/jobs/queue.ts";
import { runDue, startRunner } from "../src/jobs/runner.ts";
import { jobs } from "../src/jobs/table.ts";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import { onPostgres } from "./support/hub.ts";
import { sendSigned } from "./support/oauth.ts";
import { befriend } from "./support/people.ts";
import { visitorOf } from "./support/visitor.ts";
import type { Visitor } from "./support/visitor.ts";
import { whileAway } from "./support/while-away.ts";

/** The database goes away under a running hub, or is in somebody else's hands: a clear answer, and it is all well afterwards. */

const token = "f00dfeedf00dfeedf00d";
let world: TestApp;
let alma: Person;
let bob: Person;
let almaAtHome: Visitor;
let visitor: Visitor;

beforeAll(async () => {
  world = await openTestApp({ env: { HUBBUB_METRICS_TOKEN: token } });
  [alma, bob] = [await world.person("alma"), await world.person("bob")];
  await befriend(world.hub, alma.channel, bob.channel);
  await world.work();
  [almaAtHome, visitor] = [visitorOf(world.app), visitorOf(world.app)];
  await almaAtHome.logIn("alma", "correct horse");
  await almaAtHome.get("/group");
  // Answers whose credentials are known already say what the change itself runs into.
  await alma.get("/api/account/verify_credentials.json");
});
afterAll(() => world.close());

async function bobReads(): Promise<string[]> {
  const { json } = await bob.get("/api/statuses/home_timeline.json");
  return (json as { text: string }[]).map(({ text }) => text);
}

const sentence = "The database of this hub does not answer at the moment. Please try again soon.";

describe("while the database is away", () => {
  test("a change is refused in the form of each face, and can be made afterwards", async () => {
    const statusUpdate = () => alma.post("/api/statuses/update.json", { status: "said twice" });
    const itemUpdate = () => alma.post("/api/z/1.0/item/update", { body: "said twice" });
    const newGroup = () => almaAtHome.post("/group", { name: "Patient friends" });
    await whileAway(world.hub, async () => {
      const status = await statusUpdate();
      expect(status).toMatchObject({ status: 503, json: { error: sentence, code: 503 } });
      expect(status.headers.get("retry-after")).toBe("5");
      const item = await itemUpdate();
      expect(item).toMatchObject({ status: 500, json: { error: "system error", reason: "server_error", code: 500 } });
      expect(item.headers.get("retry-after")).toBe("5");
      const group = await newGroup();
      expect([group.status, group.headers.get("retry-after")]).toEqual([503, "5"]);
      expect(group.text).toContain(sentence);
    });
    await expect.poll(async () => (await statusUpdate()).status).toBe(200);
    expect((await itemUpdate()).status).toBe(200);
    expect((await newGroup()).status).toBe(303);
  });

  if (onPostgres)
    test("whoever reads hears it too", async () => {
      await whileAway(world.hub, async () => {
        const order = { method: "POST", path: "/api/oauth/request_token", more: { oauth_callback: "oob" } };
        const asked = await sendSigned(world.app, world.hub, { key: "crow", secret: "x" }, order);
        expect([asked.status, asked.pairs["oauth_problem"]]).toEqual([503, "unavailable"]);
        const json = await bob.get("/api/statuses/home_timeline.json");
        expect(json).toMatchObject({ status: 503, json: { error: sentence } });
        const ready = { ready: false, database: false, migrations: false, blobs: false, stopping: false };
        expect(await world.anonymous.get("/ready")).toMatchObject({ status: 503, json: ready });
        const headers = { authorization: `Bearer ${token}` };
        expect((await world.anonymous.get("/metrics", {}, { headers })).text).toContain("\nhubbub_database_up 0\n");
        const xml = await bob.get("/api/statuses/home_timeline.xml");
        expect(xml).toMatchObject({ status: 503, text: expect.stringContaining(`<error>${sentence}</error>`) });
        for (const path of ["/login", "/channel/alma", "/api/oauth/authorize?oauth_token=x", "/feed/alma"]) {
          const page = await visitor.get(path);
          expect([path, page.status, page.headers.get("retry-after")]).toEqual([path, 503, "5"]);
          expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
          expect(page.text).toContain(sentence);
        }
      });
      await expect.poll(async () => (await visitor.get("/login")).status).toBe(200);
      expect((await bob.get("/api/statuses/home_timeline.json")).status).toBe(200);
    });

  test("jobs wait, and are done once when it is back", async () => {
    await alma.post("/api/statuses/update.json", { status: "for bob" });
    await whileAway(world.hub, async () => {
      await expect(runDue(world.hub)).rejects.toBeInstanceOf(DatabaseAway);
    });
    await expect.poll(() => runDue(world.hub).catch(() => "away")).toBeUndefined();
    expect((await bobReads()).filter((text) => text === "for bob")).toEqual(["for bob"]);
  });

  test("the runner of jobs goes on by itself", async () => {
    const faults: unknown[] = [];
    const error = (_text: string, told: { error: unknown }): void => void faults.push(told.error);
    const log = { error, warning: () => undefined, isEnabledFor: () => false } as unknown as Hub["log"];
    const hub = { ...world.hub, log };
    const runner = await startRunner(hub);
    await runner.drain();
    await alma.post("/api/statuses/update.json", { status: "from the runner" });
    await whileAway(world.hub, async () => {
      hub.wake();
      await expect.poll(() => faults.length).toBeGreaterThan(0);
    });
    expect(faults.filter((fault) => !(fault instanceof DatabaseAway))).toEqual([]);
    await expect.poll(() => bobReads().catch(() => [])).toContain("from the runner");
    await runner.stop();
  });

  test("a job that ends meanwhile was done, and is nobody else's", async () => {
    const said: string[] = [];
    const log = { error: (text: string) => void said.push(text), warning: () => undefined, isEnabledFor: () => false };
    const hub = { ...world.hub, log: log as unknown as Hub["log"] };
    const ending = Promise.withResolvers<void>();
    const work = vi.spyOn(jobs, "expire-item").mockReturnValue(ending.promise);
    const runner = await startRunner(hub);
    await addJob(hub, "expire-item", { message: 1 });
    await expect.poll(() => work.mock.calls).toHaveLength(1);
    await whileAway(hub, async () => {
      ending.resolve();
      await expect.poll(() => said).toContain("How a job has ended cannot be written down yet: {error}");
    });
    const left = () => hub.db.selectFrom("job").select("id").where("name", "=", "expire-item").execute();
    await expect.poll(() => left().catch(() => undefined)).toEqual([]);
    expect(work).toHaveBeenCalledTimes(1);
    await runner.stop();
    work.mockRestore();
  });

  test("an import leaves nothing out for that reason", async () => {
    const { hub } = world;
    const take = () =>
      inTransaction(hub, async (hub) => setSetting(hub, "adminEmail", "x").then(() => "imported" as const));
    await whileAway(hub, async () => {
      await expect(takeOne(hub, take, "a record")).rejects.toBeInstanceOf(DatabaseAway);
    });
    await expect.poll(() => takeOne(hub, take, "a record").catch(() => "away")).toBe("imported");
  });
});

test.each([new Error("connect ECONNREFUSED"), new AggregateError([new Error("connect ECONNREFUSED")])])(
  "the log has one line for it, with the reason",
  (cause) => {
    expect(inspect(new DatabaseAway(cause))).toBe("the database does not answer (connect ECONNREFUSED)");
  },
);

if (!onPostgres)
  test("a disk without room for the database is said, and nothing is half done", async () => {
    const { db } = world.hub;
    const pages = (await sql<{ page_count: number }>`pragma page_count`.execute(db)).rows[0]!.page_count;
    await sql`pragma max_page_count = ${sql.lit(pages)}`.execute(db);
    const add = (n: number) => alma.post("/api/lists/create.json", { name: `${n} ${"x".repeat(50)}` });
    const refused = [];
    for (let n = 0; n < 500 && refused.length === 0; n++)
      refused.push(...[await add(n)].filter((one) => one.status !== 200));
    expect(refused[0]).toMatchObject({
      status: 503,
      json: { error: "The disk of this hub is full; nothing was stored." },
    });
    await sql`pragma max_page_count = 1000000`.execute(db);
    expect((await add(1000)).status).toBe(200);
  });
