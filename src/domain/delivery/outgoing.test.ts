import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { inTransaction } from "../../hub.ts";
import { recordPeer } from "../peers/peers.ts";
import { listen } from "./bells.ts";
import { sendOut } from "./outgoing.ts";
import type { Addressee, Outgoing } from "./outgoing.ts";

let hub: TestHub;
let statements: string[] = [];

beforeAll(async () => {
  hub = await openTestHub({ onQuery: ({ query }) => statements.push(query.sql) });
});
afterAll(() => hub.close());

const inbox = (host: string, ...people: number[]): Addressee => ({
  inbox: `https://${host}/inbox`,
  people,
  shared: true,
});

function create(name: string, to: Addressee[], more: Partial<Outgoing> = {}): Outgoing {
  const objectId = `http://hub.example/item/${name}`;
  return { deed: `create ${name}`, variant: "", sender: 1, objectId, bytes: `{"id":"${name}"}`, to, ...more };
}

const rowsOf = (name: string) =>
  hub.db
    .selectFrom("delivery")
    .innerJoin("outbox_activity", "outbox_activity.id", "delivery.activity")
    .select(["deed", "inbox", "host", "recipients", "state", "priority", "last_error"])
    .where("outbox_activity.object_id", "=", `http://hub.example/item/${name}`)
    .orderBy("delivery.id")
    .execute();

test("one row for each inbox, however many live there, and none a second time", async () => {
  const to = [inbox("a.example", 1, 2), inbox("a.example:8443", 3), inbox("a.example", 2, 4)];
  await sendOut(hub, [create("one", to)]);
  await sendOut(hub, [create("one", [inbox("later.example", 9)])]);
  expect(await rowsOf("one")).toMatchObject([
    { host: "a.example", recipients: "[1,2,4]", state: "waiting", priority: 0 },
    { host: "a.example:8443", recipients: "[3]" },
  ]);
});

test("rows and what caused them are committed together, and the worker hears of it then", async () => {
  let heard = 0;
  listen(hub, "outgoing", () => void heard++);
  const work = inTransaction(hub, async (hub) => {
    await sendOut(hub, [create("undone", [inbox("a.example", 1)])]);
    expect(heard).toBe(0);
    throw new Error("half-way");
  });
  await expect(work).rejects.toThrow("half-way");
  expect(await rowsOf("undone")).toEqual([]);
  await sendOut(hub, [create("done", [inbox("a.example", 1)])]);
  expect(heard).toBe(1);
  listen(hub, "outgoing", () => undefined);
});

test("500 hosts are one statement for the rows; who gets much gets it after who gets little", async () => {
  await recordPeer(hub, "h1.example");
  statements = [];
  const to = Array.from({ length: 501 }, (_, n) => inbox(`h${n}.example`, n));
  await sendOut(hub, [create("many", to)]);
  expect(statements.filter((sql) => sql.startsWith('insert into "delivery"'))).toHaveLength(2);
  expect(statements.length).toBeLessThan(8);
  const rows = await rowsOf("many");
  expect(rows).toHaveLength(501);
  expect(rows.filter(({ priority }) => priority === 1).map(({ host }) => host)).toEqual(["h1.example"]);
  expect(rows.filter(({ priority }) => priority === 2)).toHaveLength(500);
});

test("hosts that are dead get nothing, and those that are probed keep what comes", async () => {
  for (const [host, circuit] of [
    ["dead.example", "dead"],
    ["open.example", "open"],
  ] as const) {
    await recordPeer(hub, host);
    await hub.db.updateTable("peer").set({ circuit, failures: 5 }).where("host", "=", host).execute();
  }
  await sendOut(hub, [create("cut off", [inbox("dead.example", 1), inbox("open.example", 2)])]);
  const rows = hub.db.selectFrom("delivery").select(["host", "next_at"]);
  expect(await rows.where("object_id", "like", "%cut off").execute()).toEqual([
    { host: "open.example", next_at: "9999-12-31 00:00:00" },
  ]);
});

test("what is deleted before anybody was tried goes nowhere", async () => {
  const to = [inbox("a.example", 1), inbox("b.example", 2), inbox("c.example", 3)];
  await sendOut(hub, [create("gone", to, { stage: "first" })]);
  await sendOut(hub, [create("gone", to, { deed: "update gone 1" })]);
  const tried = hub.db.updateTable("delivery").set({ attempts: 1, state: "done" });
  const first = hub.db.selectFrom("outbox_activity").select("id").where("deed", "=", "create gone");
  await tried.where("host", "=", "b.example").where("activity", "in", first).execute();
  await sendOut(hub, [create("gone", [...to, inbox("d.example", 4)], { deed: "delete gone", stage: "last" })]);
  const rows = (await rowsOf("gone")).map(({ deed, host, state }) => `${deed.split(" ")[0]} ${host} ${state}`);
  expect(rows).toEqual([
    "create a.example done",
    "create b.example done",
    "create c.example done",
    "update a.example done",
    "update b.example done",
    "update c.example done",
    // They had it, or nobody knows any more what they had.
    "delete b.example waiting",
    "delete d.example waiting",
  ]);
});
