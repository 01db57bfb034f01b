import { afterAll, beforeAll, expect, test } from "vitest";
import { retrieve } from "../../src/faces/federation/retrieve/retrieve.ts";
import type { Person } from "../support/app.ts";
import { idOf, met, openHubs } from "../support/hubs.ts";
import type { Neighbour, TestHubs } from "../support/hubs.ts";

/** People of one hub as another one sees them, by nothing but its documents. */

let world: TestHubs;
let [one, two]: Neighbour[] = [];
let [ann, ben]: Person[] = [];

beforeAll(async () => {
  world = await openHubs(2);
  [one, two] = world.hubs;
  ann = await one!.person("ann", { name: "Ann Ä." });
  ben = await two!.person("ben");
});
afterAll(() => world.close());

test("somebody is met with name and address, both ways", async () => {
  const seen = await met(two!, one!, ann!);
  expect(seen).toMatchObject({
    xchan_hash: idOf(one!, ann!),
    xchan_name: "Ann Ä.",
    xchan_addr: `ann@${one!.host}`,
    xchan_network: "activitypub",
    xchan_follow: `${one!.url}/follow?f=&url=%s`,
  });
  expect(await met(one!, two!, ben!)).toMatchObject({ xchan_addr: `ben@${two!.host}` });
  const { json } = await ben!.get("/api/users/show", { screen_name: `ann@${one!.host}` });
  expect(json).toMatchObject({ id: seen.xchan_id, name: "Ann Ä." });
});

test("nobody is met who is not there, and what is there is asked for in somebody's name", async () => {
  const channel = ben!.channel;
  expect(await retrieve(two!.hub, `${one!.url}/channel/nobody`, channel)).toEqual({ fault: "gone" });
  const found = await retrieve(two!.hub, idOf(one!, ann!), channel);
  expect(found).toMatchObject({ fetched: { asked: idOf(one!, ann!), type: "application/activity+json" } });
  expect(one!.received.at(-1)).toMatchObject({ method: "GET", path: "/channel/ann", status: 200 });
});
