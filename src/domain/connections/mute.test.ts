import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { actorOf } from "../../../test/support/actors.ts";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { befriend } from "../../../test/support/people.ts";
import { observeAs } from "../identity/channels/observe-as.ts";
import { setPermissionLimits } from "../identity/channels/permission-limits.ts";
import { limits } from "../identity/channels/roles.ts";
import { findXchan } from "../identity/xchans/xchans.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";
import { meetActor } from "../peers/meet-actor.ts";
import { may } from "../permissions/may.ts";
import { momentIn } from "../../hub.ts";
import { block, connect, dropFollower, listPeople, mute, pageOfPeople, receiveFollow } from "./connections.ts";
import { relationsWith, unblock, unmute, updateConnection } from "./connections.ts";
import { directionEntries } from "./directions.ts";
import { addConnections } from "./restore.ts";
import { findRow } from "./rows.ts";

/** Mutes of anybody, connected or not, and followers who are sent away. */

let world: TestApp;
let ann: Person;
let bob: Person;
let carla: Xchan;
let round = 0;

beforeAll(async () => {
  world = await openTestApp();
});
afterAll(() => world.close());

beforeEach(async () => {
  round += 1;
  [ann, bob] = [await world.person(`ann${round}`), await world.person(`bob${round}`)];
  carla = await meetActor(world.hub, actorOf(`carla${round}`));
});

const here = ({ channel }: Person) => ({ xchan_hash: channel.channel_hash, xchan_network: "zot" });
const rowOf = (hash = bob.channel.channel_hash, who = ann) => findRow(world.hub, who.channel.channel_id, hash);
const muted = async () => (await pageOfPeople(world.hub, ann.channel.channel_id, "muted", { count: 9 })).keys;
const relation = async (id: number) =>
  (await relationsWith(world.hub, ann.channel.channel_id, [id])).get(id) ?? { ignoring: false };

test.each<[string, () => Xchan | ReturnType<typeof here>]>([
  ["of this hub", () => here(bob)],
  ["of elsewhere", () => carla],
])("a stranger %s is muted, and is a stranger afterwards", async (_where, whom) => {
  const { hub } = world;
  const person = whom();
  const id = person === carla ? carla.xchan_id : bob.channel.xchan_id;
  await mute(hub, ann.channel, person);
  await mute(hub, ann.channel, person);
  expect(await rowOf(person.xchan_hash)).toMatchObject({ abook_ignored: 1, abook_unconnected: 1, abook_pending: 0 });
  expect([await muted(), await relation(id)]).toMatchObject([[id], { ignoring: true, ignoringEnds: undefined }]);
  await unmute(hub, ann.channel, person.xchan_hash);
  await unmute(hub, ann.channel, person.xchan_hash);
  expect([await rowOf(person.xchan_hash), await muted()]).toEqual([undefined, []]);
});

test("nobody mutes themselves", async () => {
  await expect(mute(world.hub, ann.channel, here(ann))).rejects.toMatchObject({ code: "own_channel" });
});

test("a muted stranger sees and gets no more than others", async () => {
  const { hub } = world;
  const uid = ann.channel.channel_id;
  await mute(hub, ann.channel, here(bob));
  // Bob would read her, if she let him.
  await connect(hub, bob.channel, { xchan_hash: ann.channel.channel_hash });
  const observer = await observeAs(hub, (await findXchan(hub, { hash: bob.channel.channel_hash }))!);
  for (const limit of [limits.contacts, limits.anyConnections]) {
    await setPermissionLimits(hub, uid, { view_stream: limit, view_profile: limit });
    const seen = [await may(hub, observer, "view_stream", uid), await may(hub, observer, "view_profile", uid)];
    expect([limit, ...seen]).toEqual([limit, false, false]);
  }
  for (const policy of ["contacts", "any connections"])
    await ann.post("/api/z/1.0/item/update", { body: `For ${policy}`, public_policy: policy });
  await world.work();
  expect((await bob.get("/api/statuses/home_timeline")).text).not.toContain("For ");
  expect(await listPeople(hub, uid, { count: 9 })).toEqual({ people: [], more: false });
});

test("a follow by somebody muted is met with silence", async () => {
  await mute(world.hub, ann.channel, carla);
  expect(await receiveFollow(world.hub, ann.channel, carla, "https://far.example/follows/1")).toBe("silent");
  expect(await rowOf(carla.xchan_hash)).toMatchObject({ abook_ignored: 1, follow_in: "none" });
});

test("block and mute of a stranger end each by itself, in either order", async () => {
  const { hub } = world;
  const flags = async () => [(await rowOf())?.abook_blocked, (await rowOf())?.abook_ignored];
  const ways = [
    () => unblock(hub, ann.channel, bob.channel.channel_hash),
    () => unmute(hub, ann.channel, bob.channel.channel_hash),
  ];
  for (const [first, second] of [ways, ways.toReversed()]) {
    await mute(hub, ann.channel, here(bob));
    await block(hub, ann.channel, here(bob));
    expect(await flags()).toEqual([1, 1]);
    await first!();
    expect(await flags()).toEqual(first === ways[0] ? [0, 1] : [1, 0]);
    await second!();
    expect(await rowOf()).toBeUndefined();
  }
});

test("whoever is connected stays so, and the native interface ends a mute of a stranger", async () => {
  const { hub } = world;
  await befriend(hub, ann.channel, bob.channel);
  await mute(hub, ann.channel, here(bob));
  await unmute(hub, ann.channel, bob.channel.channel_hash);
  expect(await rowOf()).toMatchObject({ abook_ignored: 0, follow_in: "accepted", follow_out: "accepted" });
  await mute(hub, ann.channel, carla);
  const { abook_id } = (await rowOf(carla.xchan_hash))!;
  expect(await updateConnection(hub, ann.channel, abook_id, { ignored: false })).toMatchObject({ abook_ignored: 0 });
  expect(await rowOf(carla.xchan_hash)).toBeUndefined();
});

describe("an end", () => {
  const inSeconds = (seconds: number) => ({ until: momentIn(world.hub, seconds * 1000) });

  test("comes in time, and is shown", async () => {
    const { until } = inSeconds(3600);
    await mute(world.hub, ann.channel, carla, { until });
    await world.work();
    expect(await relation(carla.xchan_id)).toMatchObject({ ignoring: true, ignoringEnds: until });
    world.hub.advance(3600);
    await world.work();
    expect(await rowOf(carla.xchan_hash)).toBeUndefined();
  });

  test.each<[string, () => Promise<void>]>([
    ["without one", () => mute(world.hub, ann.channel, here(bob))],
    ["with a later one", () => mute(world.hub, ann.channel, here(bob), inSeconds(7200))],
  ])("of before does nothing to a mute that was begun anew, %s", async (_how, anew) => {
    await mute(world.hub, ann.channel, here(bob), inSeconds(3600));
    await anew();
    world.hub.advance(3600);
    await world.work();
    expect(await rowOf()).toMatchObject({ abook_ignored: 1 });
  });

  test("moves along with an export", async () => {
    const { until } = inSeconds(3600);
    await mute(world.hub, ann.channel, carla, { until });
    const {
      abook_id: _,
      abook_account: __,
      abook_channel: ___,
      follow_out: ____,
      ...row
    } = (await rowOf(carla.xchan_hash))!;
    const { follow_in: _____, ...given } = row;
    const abconfig = directionEntries((await rowOf(carla.xchan_hash))!, []);
    await unmute(world.hub, ann.channel, carla.xchan_hash);
    await addConnections(world.hub, ann.channel, [{ row: given, abconfig }]);
    expect(await rowOf(carla.xchan_hash)).toMatchObject({ abook_ignored: 1, mute_ends: until });
    world.hub.advance(3600);
    await world.work();
    expect(await rowOf(carla.xchan_hash)).toBeUndefined();
  });
});

describe("a follower is sent away", () => {
  const deeds = async () => {
    const jobs = await world.hub.db.selectFrom("job").select("payload").where("name", "=", "federate").execute();
    return jobs.map(({ payload }) => JSON.parse(payload).deed).filter(({ person }) => person === carla.xchan_hash);
  };

  test("who is read as well: that stays", async () => {
    await befriend(world.hub, ann.channel, bob.channel);
    await dropFollower(world.hub, ann.channel, bob.channel.channel_hash);
    expect(await rowOf()).toMatchObject({ follow_in: "none", follow_out: "accepted" });
    expect(await rowOf(ann.channel.channel_hash, bob)).toMatchObject({ follow_in: "accepted", follow_out: "none" });
    await ann.post("/api/z/1.0/item/update", { body: "No more of this" });
    await bob.post("/api/z/1.0/item/update", { body: "Still here" });
    await world.work();
    expect((await bob.get("/api/statuses/home_timeline")).text).not.toContain("No more of this");
    expect((await ann.get("/api/statuses/home_timeline")).text).toContain("Still here");
  });

  test("of elsewhere, who is told; nothing is left, and repeating it is harmless", async () => {
    const open = await world.person(`open${round}`, { role: "feed" });
    expect(await receiveFollow(world.hub, open.channel, carla, "https://far.example/follows/2")).toBe("accepted");
    await dropFollower(world.hub, open.channel, carla.xchan_hash);
    expect((await deeds()).at(-1)).toMatchObject({ deed: "reject", follow: "https://far.example/follows/2" });
    expect(await rowOf(carla.xchan_hash, open)).toBeUndefined();
    await dropFollower(world.hub, open.channel, carla.xchan_hash);
    expect((await deeds()).filter(({ deed }) => deed === "reject")).toHaveLength(1);
  });
});
