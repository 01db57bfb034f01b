import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { befriend } from "../../../../test/support/people.ts";

/** Two clients of somebody who do the same at the same moment make nothing twice, and nothing fails. */

let world: TestApp;
let ann: Person;
let bob: Person;
let id: number;

beforeAll(async () => {
  world = await openTestApp();
  [ann, bob] = [await world.person("ann"), await world.person("bob")];
  await befriend(world.hub, ann.channel, bob.channel);
  id = (await ann.post("/api/statuses/update", { status: "once" })).json.id;
  await world.work();
  // Connections of the pool are open before it counts.
  await atOnce(() => bob.get("/api/statuses/home_timeline.json"));
});
afterAll(() => world.close());

/** The statuses of the answers, in order; none of them is a failure of the hub. */
async function atOnce(send: () => Promise<{ status: number }>): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: 8 }, send));
  const statuses = answers.map((answer) => answer.status).toSorted((one, other) => one - other);
  expect(statuses.filter((status) => status >= 500)).toEqual([]);
  return statuses;
}

test("a saved search", async () => {
  expect(new Set(await atOnce(() => bob.post("/api/saved_searches/create", { query: "bread" })))).toEqual(
    new Set([200]),
  );
  expect((await bob.get("/api/saved_searches/list.json")).json).toHaveLength(1);
});

test("a list of one name, new or renamed", async () => {
  const statuses = await atOnce(() => bob.post("/api/lists/create", { name: "Choir" }));
  expect(statuses).toEqual([200, ...Array.from({ length: 7 }, () => 400)]);
  const ids = [];
  for (const name of ["One", "Two", "Three"]) ids.push((await bob.post("/api/lists/create", { name })).json.id);
  const rename = async (list_id: number) => bob.post("/api/lists/update", { list_id, name: "Same" });
  expect((await Promise.all(ids.map(rename))).map((answer) => answer.status).toSorted()).toEqual([200, 400, 400]);
});

test("a retweet, a favorite, a friendship, somebody in a list", async () => {
  await atOnce(() => bob.post(`/api/statuses/retweet/${id}`));
  await world.work();
  expect((await ann.get(`/api/statuses/retweets/${id}.json`)).json).toHaveLength(1);
  await atOnce(() => bob.post("/api/favorites/create", { id }));
  expect((await bob.get("/api/favorites.json")).json).toHaveLength(1);
  const cleo = await world.person("cleo");
  await atOnce(() => cleo.post("/api/friendships/create", { screen_name: "ann" }));
  const known = world.hub.db.selectFrom("abook").select("abook_id").where("abook_xchan", "=", ann.channel.channel_hash);
  expect(await known.where("abook_channel", "=", cleo.channel.channel_id).execute()).toHaveLength(1);
  const list_id = (await bob.post("/api/lists/create", { name: "Band" })).json.id;
  await atOnce(() => bob.post("/api/lists/members/create", { list_id, screen_name: "ann" }));
  expect((await bob.get("/api/lists/members.json", { list_id })).json.users).toHaveLength(1);
});
