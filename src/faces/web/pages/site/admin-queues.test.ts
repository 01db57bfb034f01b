import { afterAll, beforeAll, expect, test } from "vitest";
import { actorOf } from "../../../../../test/support/actors.ts";
import { openTestApp } from "../../../../../test/support/app.ts";
import type { TestApp } from "../../../../../test/support/app.ts";
import { openElsewhere } from "../../../../../test/support/elsewhere.ts";
import { makeAccount, password } from "../../../../../test/support/hub.ts";
import { visitorOf } from "../../../../../test/support/visitor.ts";
import type { Visitor } from "../../../../../test/support/visitor.ts";
import { recordArrival } from "../../../../domain/delivery/arrivals.ts";
import { sendOut } from "../../../../domain/delivery/outgoing.ts";
import { createChannel } from "../../../../domain/identity/channels/channels.ts";
import { meetActor } from "../../../../domain/peers/meet-actor.ts";

/** What administrators see of what goes to other servers and comes from them, and what they can do about it. */

let world: TestApp;
let root: Visitor;
let member: Visitor;
const elsewhere = openElsewhere();

beforeAll(async () => {
  world = await openTestApp({ env: { HUBBUB_BASE_URL: "https://hub.example" }, fetch: elsewhere.fetch });
  await createChannel(world.hub, await makeAccount(world.hub, "root@example.org", { roles: 4096 }), {
    nick: "root",
    name: "Root",
  });
  await world.person("ann");
  [root, member] = [visitorOf(world.app), visitorOf(world.app)];
  await root.logIn("root", password);
  await member.logIn("ann", password);
  await meetActor(world.hub, actorOf("carla"));
});
afterAll(() => world.close());

async function delivery(n: number): Promise<void> {
  const to = [{ inbox: `https://far.example/inbox/${n}`, people: [1], shared: false }];
  await sendOut(world.hub, [{ deed: `create ${n}`, variant: "", sender: 2, objectId: `o${n}`, bytes: "{}", to }]);
}
const states = async (): Promise<string[]> =>
  (await world.hub.db.selectFrom("delivery").select("state").orderBy("id").execute()).map(({ state }) => state);
const setState = (state: string) => world.hub.db.updateTable("delivery").set({ state }).execute();

test("what is held since a restore is sent or given up, as the operator decides", async () => {
  expect((await root.get("/admin/queues")).text).not.toContain("Held since");
  await delivery(1);
  await setState("failed");
  await delivery(2);
  await world.hub.db.updateTable("delivery").set({ state: "held" }).where("object_id", "=", "o2").execute();
  expect((await root.get("/admin/queues")).text).toMatch(/1 delivery was\s+on the way/);
  expect((await root.post("/admin/queues/held", { answer: "perhaps" })).status).toBe(303);
  expect(await states()).toEqual(["failed", "held"]);
  expect((await root.post("/admin/queues/held", { answer: "send" })).status).toBe(303);
  expect(await states()).toEqual(["failed", "waiting"]);
  await setState("held");
  expect((await root.post("/admin/queues/held", { answer: "drop" })).status).toBe(303);
  expect(await states()).toEqual(["given up", "given up"]);
});

test("what waits for a server is tried at once", async () => {
  await setState("waiting");
  const later = { next_at: "2099-01-01 00:00:00" };
  await world.hub.db.updateTable("delivery").set(later).execute();
  await world.hub.db
    .updateTable("peer")
    .set({ circuit: "open", next_probe: later.next_at, software: "snac" })
    .execute();
  expect((await root.get("/admin/hosts")).text).toMatch(/2 deliveries wait; runs snac/);
  expect((await root.post("/admin/hosts/try", { host: "far.example" })).status).toBe(303);
  const due = await world.hub.db.selectFrom("delivery").select("id").where("next_at", "<", "2099").execute();
  const probed = await world.hub.db.selectFrom("peer").select("id").where("next_probe", "<", "2099").execute();
  expect([due.length, probed.length]).toEqual([2, 1]);
  expect((await root.post("/admin/hosts/try", { host: "elsewhere.example" })).status).toBe(404);
});

test("what could not be processed is shown with its reason, and tried again", async () => {
  for (const n of [1, 2, 3])
    await recordArrival(world.hub, {
      activityId: `https://far.example/activities/${n}`,
      signer: "https://far.example/users/carla",
      scheme: "cavage",
      bytes: Buffer.from("secret bytes"),
      recipients: [],
      objectId: `n${n}`,
    });
  await world.hub.db
    .updateTable("inbox_activity")
    .set({ state: "failed", attempts: 5, last_error: "out of cheese" })
    .execute();
  const shown = (await root.get("/admin/queues")).text;
  expect(shown).toMatch(/far\.example\/activities\/3[^]*tried 5 times[^]*out of cheese/);
  expect(shown).not.toContain("secret bytes");
  const failed = async (): Promise<number> =>
    (await world.hub.db.selectFrom("inbox_activity").select("id").where("state", "=", "failed").execute()).length;
  const [id] = [...shown.matchAll(/name="id" value="(\d+)"/g)].map((match) => match[1]!);
  expect((await root.post("/admin/queues/retry", { id: id! })).status).toBe(303);
  expect(await failed()).toBe(2);
  expect((await root.post("/admin/queues/retry", {})).status).toBe(303);
  expect(await failed()).toBe(0);
});

test("a look-up is shown step by step, with its answers", async () => {
  elsewhere.actor("dora");
  const found = await root.post("/admin/probe", { address: "@dora@far.example" });
  expect(found.status).toBe(200);
  expect(found.text).toMatch(/Who has the address[^]*webfinger\?resource=[^]*200 · application\/jrd\+json · \d+ ms/);
  expect(found.text).toMatch(/Who it is[^]*Person dora/);
  expect((await root.post("/admin/probe", { address: "nobody@far.example" })).text).toContain("Nothing of use is said");
  elsewhere.asked.length = 0;
  for (const address of ["", "<b>"]) expect((await root.post("/admin/probe", { address })).status).toBe(200);
  expect(elsewhere.asked).toEqual([]);
});

test("for everybody else these pages do not exist", async () => {
  elsewhere.asked.length = 0;
  for (const path of ["/admin/queues", "/admin/probe"])
    expect([path, (await member.get(path)).status]).toEqual([path, 404]);
  for (const path of ["/admin/queues/held", "/admin/queues/retry", "/admin/probe", "/admin/hosts/try"])
    expect([path, (await member.post(path, { address: "dora@far.example", host: "far.example" })).status]).toEqual([
      path,
      404,
    ]);
  expect(elsewhere.asked).toEqual([]);
});
