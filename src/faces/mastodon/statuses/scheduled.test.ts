import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { TestApp } from "../../../../test/support/app.ts";
import { password } from "../../../../test/support/hub.ts";
import { visitorOf } from "../../../../test/support/visitor.ts";
import type { Client } from "../../../../test/support/client.ts";
import { mastodonPeople } from "../../../../test/support/mastodon.ts";
import type { MastodonPerson } from "../../../../test/support/mastodon.ts";
import { befriend } from "../../../../test/support/people.ts";
import { setAccountFlag } from "../../../domain/identity/accounts/accounts.ts";
import { limits } from "../../../domain/identity/channels/roles.ts";
import { setPermissionLimits } from "../../../domain/identity/channels/permission-limits.ts";

/** Posts that wait for their date, and copies that somebody has only because of a like (mastodon contract 5.3, 11.12, 13.3). */

let world: TestApp;
let ann: MastodonPerson;
let bob: MastodonPerson;
let cara: MastodonPerson;
const start = new Date("2026-12-01T12:00:00Z");

beforeAll(async () => {
  world = await openTestApp();
  world.hub.setClock(start);
  [ann, bob, cara] = await mastodonPeople(world, "ann", "bob", "cara");
  await befriend(world.hub, ann.channel, bob.channel);
  await world.work();
});
afterAll(() => world.close());

const inMinutes = (minutes: number): Date => new Date(start.getTime() + minutes * 60_000);
const home = async (client: Client): Promise<any[]> => (await client.get("/api/v1/timelines/home")).json;
const plan = (form: object, headers = {}) => ann.post("/api/v1/statuses", form as Record<string, unknown>, { headers });

test("a post waits for its date, can be moved, and comes then with its id", async () => {
  const { status, json } = await plan({
    status: "Later @bob",
    scheduled_at: inMinutes(60).toISOString(),
    spoiler_text: "hush",
    visibility: "private",
    poll: { options: ["a", "b"], expires_in: 600 },
  });
  expect([status, json.scheduled_at, json.params]).toEqual([
    200,
    "2026-12-01T13:00:00.000Z",
    expect.objectContaining({
      text: "Later @bob",
      spoiler_text: "hush",
      visibility: "private",
      poll: { options: ["a", "b"], multiple: false, hide_totals: null, expires_in: 600 },
    }),
  ]);
  expect((await ann.get(`/api/v1/statuses/${json.id}`)).status).toBe(404);
  expect((await ann.get("/api/v1/scheduled_statuses")).json).toEqual([json]);
  expect((await ann.get(`/api/v1/scheduled_statuses/${json.id}`)).json).toEqual(json);
  for (const method of ["GET", "PUT", "DELETE"] as const)
    expect((await bob.send(method, `/api/v1/scheduled_statuses/${json.id}`)).status).toBe(404);
  const move = (scheduled_at: string) => ann.put(`/api/v1/scheduled_statuses/${json.id}`, { scheduled_at });
  expect((await move(inMinutes(1).toISOString())).status).toBe(422);
  expect((await move(inMinutes(30).toISOString())).json.scheduled_at).toBe("2026-12-01T12:30:00.000Z");
  world.hub.setClock(inMinutes(31));
  await world.work();
  expect((await ann.get("/api/v1/scheduled_statuses")).json).toEqual([]);
  const [shown] = await home(bob);
  expect([shown.spoiler_text, shown.created_at]).toEqual(["hush", "2026-12-01T12:30:00.000Z"]);
  expect((await ann.get(`/api/v1/statuses/${json.id}`)).status).toBe(200);
  world.hub.setClock(start);
});

test("several are listed by pages, and go before anybody has seen them", async () => {
  const ids: string[] = [];
  for (const minutes of [90, 80, 70])
    ids.unshift((await plan({ status: `in ${minutes}`, scheduled_at: inMinutes(minutes).toISOString() })).json.id);
  const list = async (query = {}) => (await ann.get("/api/v1/scheduled_statuses", query)).json.map((s: any) => s.id);
  expect(await list()).toEqual(ids);
  expect(await list({ limit: 1, max_id: ids[0] })).toEqual([ids[1]]);
  expect(await list({ limit: 1, min_id: ids[2] })).toEqual([ids[1]]);
  expect((await bob.get("/api/v1/scheduled_statuses")).json).toEqual([]);
  for (const id of ids) expect((await ann.send("DELETE", `/api/v1/scheduled_statuses/${id}`)).json).toEqual({});
  expect(await list()).toEqual([]);
});

test("a key makes one of two requests that wait", async () => {
  const send = () => plan({ status: "once", scheduled_at: inMinutes(60).toISOString() }, { "idempotency-key": "w1" });
  const { id } = (await send()).json;
  expect((await send()).json.id).toBe(id);
  await ann.send("DELETE", `/api/v1/scheduled_statuses/${id}`);
});

test.each([
  "tomorrow",
  "2026-12-01T13:00:00",
  "2026-11-30T12:00:00Z",
  inMinutes(1).toISOString(),
  "9999-12-01T12:00:00Z",
])("%s is no date to wait for", async (scheduled_at) => {
  expect((await plan({ status: "x", scheduled_at })).status).toBe(422);
  expect((await ann.get("/api/v1/scheduled_statuses")).json).toEqual([]);
});

test("an answer does not wait, and a post may go by itself", async () => {
  const top = (await plan({ status: "top", visibility: "public" })).json;
  const later = { status: "x", in_reply_to_id: top.id, scheduled_at: inMinutes(60).toISOString() };
  expect((await plan(later)).status).toBe(422);
  expect((await plan({ status: "x", expires_in: 60 })).status).toBe(422);
  const short = (await plan({ status: "short", visibility: "public", expires_in: 3600 })).json;
  world.hub.setClock(inMinutes(61));
  await world.work();
  expect((await ann.get(`/api/v1/statuses/${short.id}`)).status).toBe(404);
  world.hub.setClock(start);
});

test("what one has only starred or liked is not in home, and what one answers is", async () => {
  await setPermissionLimits(world.hub, ann.channel.channel_id, { post_comments: limits.site });
  const post = async () => {
    const { json } = await plan({ status: "far", visibility: "public" });
    await world.work();
    return json;
  };
  const has = async ({ uri }: { uri: string }) => (await home(cara)).some((one) => one.uri === uri);
  for (const name of ["favourite", "bookmark"]) {
    const status = await post();
    expect((await cara.post(`/api/v1/statuses/${status.id}/${name}`)).status).toBe(200);
    await world.work();
    await ann.post("/api/v1/statuses", { status: "more", in_reply_to_id: status.id });
    await world.work();
    expect(await has(status)).toBe(false);
    expect((await home(cara)).length).toBe(0);
    await cara.post("/api/v1/statuses", { status: "me too", in_reply_to_id: status.id });
    await world.work();
    expect(await has(status)).toBe(true);
    await cara.send("DELETE", `/api/v1/statuses/${(await home(cara))[0].id}`);
    await ann.send("DELETE", `/api/v1/statuses/${status.id}`);
    await world.work();
  }
});

test("of an account that is locked out by then nothing is published", async () => {
  const { json } = await plan({
    status: "Written before it came to light",
    scheduled_at: inMinutes(600).toISOString(),
  });
  await setAccountFlag(world.hub, ann.channel.channel_account_id, "blocked", true);
  world.hub.setClock(inMinutes(601));
  await world.work();
  expect((await home(bob)).map(({ content }) => content)).not.toContain("<p>Written before it came to light</p>");
  await setAccountFlag(world.hub, ann.channel.channel_account_id, "blocked", false);
  expect((await ann.get(`/api/v1/scheduled_statuses/${json.id}`)).status).toBe(200);
});

describe("what was due while its account was locked out", () => {
  const words = "<p>Planned long before</p>";
  const isOut = async (): Promise<boolean> => (await home(bob)).some(({ content }) => content === words);

  /** Plans a post, and locks its author out from before its date until so many minutes after it. */
  async function lockedOutFor(minutes: number): Promise<string> {
    const begun = world.hub.clock().getTime();
    const at = (later: number): Date => new Date(begun + later * 60_000);
    const { json } = await plan({ status: "Planned long before", scheduled_at: at(60).toISOString() });
    await setAccountFlag(world.hub, ann.channel.channel_account_id, "blocked", true);
    for (let later = 0; later <= minutes; later += 14) {
      world.hub.setClock(at(61 + later));
      await world.work();
    }
    expect(await isOut()).toBe(false);
    await setAccountFlag(world.hub, ann.channel.channel_account_id, "blocked", false);
    world.hub.advance(16 * 60);
    await world.work();
    return json.id as string;
  }

  test("goes out by itself within a day", async () => {
    const id = await lockedOutFor(120);
    expect(await isOut()).toBe(true);
    expect((await ann.get(`/api/v1/scheduled_statuses/${id}`)).status).toBe(404);
    await ann.send("DELETE", `/api/v1/statuses/${(await home(bob)).find(({ content }) => content === words)!.id}`);
    await world.work();
  });

  test("waits for a word of its author after that, and says so", async () => {
    const id = await lockedOutFor(25 * 60);
    expect(await isOut()).toBe(false);
    const visitor = visitorOf(world.app);
    await visitor.logIn("ann", password);
    const { text } = await visitor.get("/scheduled");
    expect(text).toContain("Your account was suspended on this date.");
    await visitor.post(`/scheduled/${id}`, { do: "publish" });
    await world.work();
    expect(await isOut()).toBe(true);
  });
});
