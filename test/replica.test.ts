import { tmpdir } from "node:os";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { findReplica } from "../src/cli/checks/replica.ts";
import { sendOut } from "../src/domain/delivery/outgoing.ts";
import { addresses } from "../src/faces/federation/addresses.ts";
import { pages } from "../src/faces/web/pages/table.ts";
import { rowsOf } from "../src/http/face.ts";
import { faces } from "../src/main.ts";
import { openDatabases } from "../src/storage/database.ts";
import { mostBehind } from "../src/storage/replica.ts";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import { findPrograms } from "./support/find-postgres.ts";
import { onPostgres } from "./support/hub.ts";
import { quick, startCluster, startReplica } from "./support/postgres.ts";

/** A hub beside a replica of its PostgreSQL: what strangers read there, and what happens when it is behind or away. */

test("what may be a second old only reads", async () => {
  const rows = (await Promise.all(faces.map(rowsOf))).flat().filter((row) => row.mayBeStale);
  expect(rows.length).toBeGreaterThan(15);
  for (const { path, writes = false, access } of rows) expect([path, writes, access]).toEqual([path, false, "public"]);
  for (const { path, get, access } of pages.filter((page) => page.mayBeStale))
    expect([path, typeof get, ["anybody", "reader"].includes(access)]).toEqual([path, "function", true]);
  // What is kept is kept by a state of the database, and the replica has its own.
  expect(pages.filter((page) => page.kept && !page.mayBeStale)).toEqual([]);
  expect(addresses.filter((address) => address.signed && address.mayBeStale)).toEqual([]);
});

const patience = 60_000;
const programs = onPostgres ? findPrograms() : undefined;

describe.skipIf(programs === undefined)("beside a replica", () => {
  const token = "f00dfeedf00dfeedf00d";
  let primary: Awaited<ReturnType<typeof startCluster>>;
  let replica: typeof primary;
  let there: pg.Client;
  let world: TestApp;
  let alma: Person;

  beforeAll(async () => {
    const logged = { ...quick, wal_level: "replica", max_wal_senders: 4 };
    primary = await startCluster(programs!, logged, tmpdir());
    replica = await startReplica(programs!, primary.url, logged);
    there = new pg.Client({ connectionString: replica.url });
    // The server goes away in the end.
    there.on("error", () => undefined);
    await there.connect();
    const urls = { HUBBUB_DATABASE_URL: primary.url, HUBBUB_DATABASE_REPLICA_URL: replica.url };
    world = await openTestApp({ env: { ...urls, HUBBUB_METRICS_TOKEN: token } });
    alma = await world.person("alma");
    await untilFresh();
  });
  afterAll(async () => {
    await world.close();
    await there.end();
    await primary.stop();
  });

  const isFresh = () => world.hub.replica!.isFresh();
  const untilFresh = () => vi.waitFor(() => expect(isFresh()).toBe(true), patience);
  const untilBehind = () => vi.waitFor(() => expect(isFresh()).toBe(false), patience);

  /** How often strangers' questions were answered from where while something was done. */
  async function readsDuring(work: () => Promise<unknown>): Promise<{ replica: number; primary: number }> {
    const { replicaReads } = world.hub.counters;
    const before = { ...replicaReads };
    await work();
    return { replica: replicaReads.replica - before.replica, primary: replicaReads.primary - before.primary };
  }

  const post = async (body: string): Promise<{ id: string; uuid: string }> => {
    const { item } = (await alma.post("/api/z/1.0/item/update", { body })).json;
    return { id: item.id, uuid: new URL(item.mid).pathname.replace("/item/", "") };
  };

  const channel = async (): Promise<string> => (await world.anonymous.get("/channel/alma")).text;
  const document = (uuid: string) =>
    world.anonymous.get(`/item/${uuid}`, {}, { headers: { accept: "application/activity+json" } });
  const timeline = async (): Promise<string> => (await world.anonymous.get("/api/v1/timelines/public")).text;

  /** What strangers read by each way in. */
  const allWays = async (uuid: string): Promise<string[]> => [
    await channel(),
    (await document(uuid)).text,
    await timeline(),
  ];

  const pauseReplay = async (): Promise<void> => {
    await there.query("select pg_wal_replay_pause()");
    await vi.waitFor(async () => {
      const { rows } = await there.query<{ state: string }>("select pg_get_wal_replay_pause_state() as state");
      expect(rows).toEqual([{ state: "paused" }]);
    }, patience);
  };
  const goOn = async (): Promise<void> => {
    await there.query("select pg_wal_replay_resume()");
    await untilFresh();
  };

  test("strangers read there, and who has a log-in never", async () => {
    const { uuid } = await post("Read by everybody");
    await vi.waitFor(async () => {
      await untilFresh();
      const reads = await readsDuring(async () => {
        for (const text of await allWays(uuid)) expect(text).toContain("Read by everybody");
      });
      expect(reads).toEqual({ replica: 3, primary: 0 });
    }, patience);
    const own = await readsDuring(async () => {
      for (let n = 0; n < 3; n++) {
        const { id } = await post(`Seen at once ${n}`);
        expect((await alma.get("/api/z/1.0/item/full", { item_id: id })).status).toBe(200);
        expect((await alma.get("/api/statuses/home_timeline.json")).text).toContain(`Seen at once ${n}`);
      }
    });
    expect(own).toEqual({ replica: 0, primary: 0 });
  });

  test("what is not there yet is asked of the primary", async () => {
    await untilFresh();
    await pauseReplay();
    const { uuid } = await post("As new as it gets");
    const found = await document(uuid);
    expect([found.status, found.text.includes("As new as it gets")]).toEqual([200, true]);
    await goOn();
  });

  test("nothing is shown for longer than a second after it was deleted, however far the replica is behind", async () => {
    const { id, uuid } = await post("Soon to be gone");
    await vi.waitFor(async () => expect(await channel()).toContain("Soon to be gone"), patience);
    await untilFresh();
    // It is on the shelves of the replica by now.
    for (const text of await allWays(uuid)) expect(text).toContain("Soon to be gone");
    await pauseReplay();
    expect((await alma.post(`/api/statuses/destroy/${id}.json`)).status).toBe(200);
    const gone = performance.now();
    for (let isOver = false; !isOver;) {
      isOver = performance.now() - gone > mostBehind;
      const texts = await allWays(uuid);
      if (isOver) for (const text of texts) expect(text).not.toContain("Soon to be gone");
    }
    expect(isFresh()).toBe(false);
    const reads = await readsDuring(() => allWays(uuid));
    expect(reads).toEqual({ replica: 0, primary: 3 });
    expect((await findReplica(world.hub.replica))[0]).toMatchObject({ check: "replica", state: "warning" });
    await goOn();
    for (const text of await allWays(uuid)) expect(text).not.toContain("Soon to be gone");
  });

  test("others are told when the replica has it, too", async () => {
    const to = [{ inbox: "https://there.example/inbox", people: [], shared: false }];
    const objectId = "http://hub.example/item/1";
    await sendOut(world.hub, [{ deed: "d", variant: "", sender: alma.channel.channel_id, objectId, bytes: "{}", to }]);
    const row = await world.hub.db
      .selectFrom("delivery")
      .select(["created", "next_at"])
      .where("object_id", "=", objectId)
      .executeTakeFirstOrThrow();
    expect(Date.parse(`${row.next_at}Z`) - Date.parse(`${row.created}Z`)).toBe(mostBehind);
  });

  test("doctor and /metrics tell how old it is", async () => {
    await untilFresh();
    expect((await findReplica(world.hub.replica))[0]).toMatchObject({ check: "replica", state: "ok" });
    const self = openDatabases({ engine: "postgres", url: primary.url, replica: primary.url });
    expect((await findReplica(self.replica))[0]).toMatchObject({ found: "is not used: It is no replica." });
    await self.replica!.close();
    await self.db.destroy();
    const { text } = await world.anonymous.get("/metrics", {}, { headers: { authorization: `Bearer ${token}` } });
    expect(text).toMatch(/^hubbub_replica_seconds [01](?:\.\d+)?(?:e-\d+)?$/m);
    expect(text).toMatch(/^hubbub_replica_reads_total\{.*from="replica".*\} [1-9]/m);
  });

  test("while it is away, everything is read from the primary", async () => {
    const { uuid } = await post("Still readable");
    await replica.stop();
    for (const text of await allWays(uuid)) expect(text).toContain("Still readable");
    await untilBehind();
    expect((await findReplica(world.hub.replica))[0]).toMatchObject({ state: "warning" });
  });
});
