import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate, openDatabase } from "../src/storage/database.ts";
import { basic } from "./support/client.ts";
import { makePeople, newPlace, openPlace, serve, textsOf } from "./support/command.ts";
import type { Place } from "./support/command.ts";
import { findPrograms } from "./support/find-postgres.ts";
import { password } from "./support/hub.ts";
import { quick, startCluster, startReplica } from "./support/postgres.ts";
import { openTcpProxy } from "./support/tcp-proxy.ts";
import type { TcpProxy } from "./support/tcp-proxy.ts";

/** The primary dies, its replica takes over, and the address of the database leads there (docs/operating.md, When the primary dies). */

const programs = findPrograms();
// What the replica does not have is not acknowledged.
const settings = { ...quick, synchronous_commit: "on", wal_level: "replica", max_wal_senders: 4 };
const portOf = (url: string): number => Number(new URL(url).port);

let undo: (() => unknown)[] = [];
let place: Place;
let proxy: TcpProxy;
let primary: Awaited<ReturnType<typeof startCluster>>;
let replica: typeof primary;

beforeAll(async () => {
  if (programs === undefined) return;
  primary = await startCluster(programs, { ...settings, synchronous_standby_names: "*" });
  undo.push(() => primary.stop());
  replica = await startReplica(programs, primary.url, settings);
  undo.push(() => replica.stop());
  proxy = await openTcpProxy(portOf(primary.url));
  undo.push(() => proxy.close());
  const url = `postgres://postgres@127.0.0.1:${proxy.port}/postgres`;
  const db = openDatabase({ engine: "postgres", url });
  await migrate(db, "postgres");
  await db.destroy();
  place = await newPlace({ HUBBUB_DATABASE_URL: url, HUBBUB_LOG_LEVEL: "off" });
  undo.push(() => place.remove());
  await makePeople(place, "anna");
});
afterAll(async () => {
  for (const step of undo.toReversed()) await step();
  undo = [];
});

async function promote(): Promise<void> {
  await primary.stop();
  const client = new pg.Client({ connectionString: replica.url });
  await client.connect();
  await client.query("select pg_promote()");
  await client.end();
  proxy.leadTo(portOf(replica.url));
}

test.skipIf(programs === undefined)("nothing that was acknowledged is lost, and all is well soon", async () => {
  const serving = await serve(place);
  undo.push(() => serving.stop());
  let isOver = false;
  let since = Infinity;
  let firstTaken = Infinity;
  const acknowledged: string[] = [];
  const refused: unknown[] = [];
  const write = async (name: string): Promise<void> => {
    for (let n = 0; !isOver; n++) {
      const status = `${name} ${n} end`;
      const init = { method: "POST", headers: { authorization: basic(`anna:${password}`) } };
      const answer = await fetch(`${place.url}/api/statuses/update.json`, {
        ...init,
        body: new URLSearchParams({ status }),
        signal: AbortSignal.timeout(60_000),
      });
      await answer.arrayBuffer();
      if (answer.ok) acknowledged.push(status);
      else refused.push([answer.status, answer.headers.has("retry-after")]);
      if (answer.ok && performance.now() > since) firstTaken = Math.min(firstTaken, performance.now());
      if (!answer.ok) await sleep(100);
    }
  };
  const writers = [write("one"), write("two"), write("three")];
  try {
    await expect.poll(() => acknowledged.length).toBeGreaterThan(5);
    await promote();
    since = performance.now();
    await expect.poll(() => firstTaken).toBeLessThan(Infinity);
  } finally {
    isOver = true;
    await Promise.all(writers);
  }
  expect(firstTaken - since).toBeLessThan(15_000);
  expect(refused.length).toBeGreaterThan(0);
  for (const one of refused) expect(one).toEqual([503, true]);
  const hub = await openPlace(place);
  const stored = await textsOf(hub, "anna", "");
  await hub.close();
  expect(acknowledged.filter((text) => !stored.includes(text))).toEqual([]);
  expect(stored.length).toBe(new Set(stored).size);
});
