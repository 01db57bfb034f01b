import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { catchUpAfterRestore } from "../../src/domain/connections/catch-up.ts";
import { connect, receiveAccept, receiveFollow } from "../../src/domain/connections/connections.ts";
import type { Channel } from "../../src/domain/identity/channels/channel.ts";
import { findChannelByNick } from "../../src/domain/identity/channels/find-channel.ts";
import { postItem } from "../../src/domain/items/posting/post.ts";
import { meetAgain } from "../../src/faces/federation/retrieve/actor.ts";
import type { Hub } from "../../src/hub.ts";
import { startWorkers, workOff } from "../../src/workers.ts";
import { hubbub, hubbubJson, newPlace, openPlace } from "../support/command.ts";
import type { Place } from "../support/command.ts";
import { makeChannel } from "../support/hub.ts";
import { inhabitant, openHubs } from "../support/hubs.ts";
import type { TestHubs } from "../support/hubs.ts";
import { befriend } from "../support/people.ts";

/** A hub that is restored from a backup, and another one that has heard of it (federation contract 18.1). */

let world: TestHubs;
let place: Place;

beforeAll(async () => {
  world = await openHubs(1);
  const made = await newPlace();
  place = { ...made, env: { ...made.env, HUBBUB_BASE_URL: made.url, HUBBUB_ALLOW_PRIVATE: "on" } };
});
afterAll(async () => {
  await world.close();
  await place.remove();
});

const day = 24 * 3600;

/** What the hub of the place does at some time, and all that follows. */
async function inPlace(secondsLater: number, work: (hub: Hub) => Promise<unknown> = () => Promise.resolve()) {
  const hub = await openPlace(place, secondsLater);
  await work(hub);
  await workOff(hub);
  await hub.close();
}

test("nothing goes out again by itself, until the operator wants it", async () => {
  const there = world.hubs[0]!;
  const ben = await inhabitant(there, "ben");
  const told = () => there.received.filter(({ method }) => method === "POST").length;
  const say = async (hub: Hub, body: string) => postItem(hub, (await findChannelByNick(hub, "anna"))!, { body });
  await inPlace(0, async (hub) => {
    const anna = await makeChannel(hub, "anna", { role: "feed" });
    await receiveFollow(hub, anna, (await meetAgain(hub, ben.id))!, `${ben.id}/follow/1`);
    await say(hub, "sent before, and not acknowledged");
  });
  const before = told();
  expect(before).toBeGreaterThan(0);
  const hub = await openPlace(place);
  await say(hub, "not sent before");
  await hub.close();
  const file = join(place.folder, "of-before.gz");
  for (const args of [
    ["backup", file],
    ["restore", file, "--force"],
  ])
    expect((await hubbub(place, args)).code).toBe(0);
  // All of it would be due by now.
  await inPlace(2 * day);
  expect(told()).toBe(before);
  // That the follow is accepted, and both posts.
  expect(await hubbubJson<unknown>(place, "deliveries", "retry")).toEqual({ retried: 3 });
  await inPlace(3 * day);
  expect(told()).toBeGreaterThan(before);
});

test("what a forum had still to hand on does not go out by itself either", async () => {
  const there = world.hubs[0]!;
  const dora = await inhabitant(there, "dora");
  const file = join(place.folder, "forum.gz");
  let writer: Channel;
  await inPlace(0, async (hub) => {
    const board = await makeChannel(hub, "board", { role: "forum" });
    writer = await makeChannel(hub, "writer", {});
    await befriend(hub, board, writer);
    await receiveFollow(hub, board, (await meetAgain(hub, dora.id))!, `${dora.id}/follow/1`);
  });
  const hub = await openPlace(place);
  await postItem(hub, writer!, { body: "Posted to @board, and not handed on before" });
  await hub.close();
  expect((await hubbub(place, ["backup", file])).code).toBe(0);
  expect((await hubbub(place, ["restore", file, "--force"])).code).toBe(0);
  await inPlace(2 * day);
  const held = await hubbubJson<{ deed: string }[]>(place, "deliveries", "list", "--state", "held");
  // What was said, and the post alone.
  expect(held.filter(({ deed }) => deed.startsWith("announce "))).toHaveLength(2);
});

test("what others have posted since the backup comes back by itself", async () => {
  const there = world.hubs[0]!;
  const cleo = await inhabitant(there, "cleo");
  const file = join(place.folder, "missed.gz");
  const bodies = async (hub: Hub) =>
    (await hub.db.selectFrom("message").select("body").execute()).map(({ body }) => body);
  await inPlace(0, async (hub) => {
    const anna = (await findChannelByNick(hub, "anna"))!;
    await connect(hub, anna, (await meetAgain(hub, cleo.id))!);
    await receiveAccept(hub, anna, (await meetAgain(hub, cleo.id))!);
  });
  expect((await hubbub(place, ["backup", file])).code).toBe(0);
  await cleo.post("/api/z/1.0/item/update", { body: "Said while you were gone" });
  await world.settle();
  expect((await hubbub(place, ["restore", file, "--force"])).code).toBe(0);
  await inPlace(0, async (hub) => (await startWorkers(hub)).stop());
  for (const seconds of [10, 20, 30]) await inPlace(seconds);
  await inPlace(40, async (hub) => {
    expect(await bodies(hub)).toContain("Said while you were gone");
    // Once is enough.
    await catchUpAfterRestore(hub);
    expect(await hub.db.selectFrom("job").select("id").where("name", "=", "catch-up").execute()).toEqual([]);
  });
});
