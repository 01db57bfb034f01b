import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { sql } from "kysely";
import type { PoolClient } from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openTestApp } from "../../test/support/app.ts";
import type { Person, TestApp } from "../../test/support/app.ts";
import { clientOf } from "../../test/support/client.ts";
import type { Client } from "../../test/support/client.ts";
import { password } from "../../test/support/hub.ts";
import { visitorOf } from "../../test/support/visitor.ts";
import { DatabaseAway } from "../errors.ts";
import { openHub } from "../hub.ts";
import type { Hub } from "../hub.ts";
import { createApp } from "../main.ts";
import type { PostgresSettings } from "./postgres-sessions.ts";
import { Silence } from "./postgres-silence.ts";

/** A PostgreSQL that hangs without closing anything, behind something that swallows what is said. */

let world: TestApp;
let line: Line;
let hub: Hub;
let alma: Person;
let almaHere: Client;

beforeAll(async () => {
  world = await openTestApp();
  alma = await world.person("alma");
  const { threads, log, config } = world.hub;
  const database = config.database as PostgresSettings;
  line = await openLine(new URL(database.url));
  hub = await openHub({ ...config, database: { ...database, url: line.url, silence: 1 } }, { threads, log });
  almaHere = clientOf(createApp(hub), `${alma.nick}:${password}`);
});
afterAll(async () => {
  await hub.close();
  await line.close();
  await world.close();
});

/** What stands between a hub and its server, and can swallow all that is said on some connections or on all. */
type Line = { url: string; swallow(which: "all" | "those" | "none"): void; close(): Promise<void> };

async function openLine(server: URL): Promise<Line> {
  let isSwallowing = false;
  const swallowed = new WeakSet<Socket>();
  const ends = new Set<Socket>();
  const proxy = createServer((here) => {
    const there = connect(Number(server.port), server.hostname);
    for (const [from, to] of [
      [here, there],
      [there, here],
    ] as const) {
      ends.add(from);
      from.on("data", (piece) => void (isSwallowing || swallowed.has(here) || to.write(piece)));
      from.on("error", () => undefined);
      from.on("close", () => (ends.delete(from), to.destroy()));
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const url = new URL(server);
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return {
    url: url.href,
    swallow(which) {
      isSwallowing = which === "all";
      if (which === "those") for (const end of ends) swallowed.add(end);
    },
    async close() {
      for (const end of ends) end.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

/** Waits: a server that others keep busy may be taken for silent here, too. */
const answers = () =>
  vi.waitUntil(
    async () => {
      const answer = await almaHere.get("/api/statuses/home_timeline.json");
      return answer.status === 200 && answer;
    },
    { timeout: 60_000, interval: 100 },
  );

test("whoever asks a hub whose server hangs hears it within seconds, in the form of each face, until it goes on", async () => {
  const visitor = visitorOf(createApp(hub));
  await answers();
  line.swallow("all");
  const began = performance.now();
  const [status, item, home, login, actor, ready] = await Promise.all([
    almaHere.post("/api/statuses/update.json", { status: "into the void" }),
    almaHere.post("/api/z/1.0/item/update", { body: "into the void" }),
    almaHere.get("/api/v1/timelines/home"),
    visitor.get("/login"),
    almaHere.get("/channel/alma", {}, { headers: { accept: "application/activity+json" } }),
    almaHere.get("/ready"),
  ]);
  expect(performance.now() - began).toBeLessThan(15_000);
  expect([status, home, login, actor, ready].map((answer) => answer.status)).toEqual([503, 503, 503, 503, 503]);
  expect(item).toMatchObject({ status: 500, json: { reason: "server_error" } });
  for (const { headers } of [status, item, home, login, actor]) expect(headers.get("retry-after")).toBe("5");
  expect((await almaHere.get("/api/statuses/home_timeline.json")).status).toBe(503);
  line.swallow("none");
  expect((await answers()).json).toEqual([]);
});

test("a connection that leads nowhere is given up, while the server answers on others", async () => {
  const lost = hub.db.transaction().execute(async (db) => {
    await sql`select 1`.execute(db);
    line.swallow("those");
    await sql`select 2`.execute(db);
  });
  await expect(lost).rejects.toBeInstanceOf(DatabaseAway);
  // Others that led nowhere rested in the pool: each is found out in its turn.
  const three = await vi.waitFor(() => sql`select 3 as three`.execute(hub.db), 60_000);
  expect(three.rows).toEqual([{ three: 3 }]);
});

test("a statement that takes long is left alone while the server says that somebody works on it", async () => {
  const cut = vi.fn<() => void>();
  const destroy = vi.fn<(error: Error) => void>();
  let asked = 0;
  const silence = new Silence(0.02, () => Promise.resolve((process) => process === 7 && ++asked > 0), cut);
  const heard = [7, 8].map((processID) =>
    silence.waitFor({ processID, connection: { stream: { destroy } } } as unknown as PoolClient),
  );
  await expect.poll(() => destroy.mock.calls.length > 0 && asked > 2).toBe(true);
  for (const end of heard) end();
  silence.end();
  expect(cut).not.toHaveBeenCalled();
  expect(asked).toBeGreaterThan(2);
});
