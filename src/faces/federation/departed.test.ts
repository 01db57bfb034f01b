import { afterAll, beforeAll, expect, test } from "vitest";
import { clientOf } from "../../../test/support/client.ts";
import { makeAccount, password } from "../../../test/support/hub.ts";
import { follows, inhabitant, openHubs } from "../../../test/support/hubs.ts";
import type { Inhabitant, Neighbour, TestHubs } from "../../../test/support/hubs.ts";
import { befriend } from "../../../test/support/people.ts";
import { addMembers, createGroup } from "../../domain/groups/groups.ts";
import { findConnectionTo } from "../../domain/connections/connections.ts";
import { changeChannelSettings } from "../../domain/identity/channels/channel-settings.ts";
import { importNow } from "../../domain/import/start.ts";

/** A channel is fetched by another hub: who followed it at the old one, there or elsewhere, follows it at the new one (federation contract 11). */

let world: TestHubs;
let [there, here, far]: Neighbour[] = [];
let alma: Inhabitant;
let ben: Inhabitant;
let carla: Inhabitant;

beforeAll(async () => {
  world = await openHubs(3);
  [there, here, far] = world.hubs;
  [alma, ben] = [await inhabitant(there!, "alma"), await inhabitant(there!, "ben")];
  carla = await inhabitant(far!, "carla");
  await befriend(there!.hub, alma.channel, ben.channel);
  await follows(world, carla, alma);
});
afterAll(() => world.close());

/** What the reader follows: the channel at the old hub, and at the new one. */
const reads = ({ at, channel }: Inhabitant, old: string) =>
  Promise.all(
    [old, `${here!.url}/channel/alma`].map(
      async (id) => (await findConnectionTo(at.hub, channel.channel_id, id))?.follow_out,
    ),
  );

/** The Moves that the old hub has sent. */
async function moves(): Promise<object[]> {
  const rows = await there!.hub.db.selectFrom("outbox_activity").select("bytes").orderBy("id").execute();
  return rows.map(({ bytes }) => JSON.parse(bytes)).filter(({ type }) => type === "Move");
}

async function bring(nick: string) {
  const { account_id } = await makeAccount(here!.hub, `${nick}@example.org`);
  const origin = { url: there!.url, login: nick, password };
  const options = { mode: "moving", nick: "", posts: true } as const;
  return importNow(here!.hub, account_id, origin, options, () => undefined);
}

test("both hubs say so, and everybody follows the new place once", async () => {
  expect(await reads(carla, alma.id)).toEqual(["accepted", undefined]);
  expect((await bring("alma")).state).toBe("done");
  await world.settle();
  expect(await moves()).toMatchObject([
    { actor: alma.id, object: alma.id, target: `${here!.url}/channel/alma`, to: [`${there!.url}/followers/alma`] },
  ]);
  expect(await reads(carla, alma.id)).toEqual(["none", "accepted"]);
  // Alma had connected with him as well.
  expect(await reads(ben, alma.channel.channel_hash)).toEqual(["none", "accepted"]);
  // Told again of the same place, the old hub has nothing to tell anybody.
  await alma.post("/api/z/1.0/channel/moved", { url: here!.url, nick: "alma" });
  await world.settle();
  expect(await moves()).toHaveLength(1);
});

test("a hub that does not name the channel gets nobody's followers", async () => {
  const dora = await inhabitant(there!, "dora");
  await follows(world, carla, dora);
  await inhabitant(here!, "dora");
  expect((await dora.post("/api/z/1.0/channel/moved", { url: here!.url, nick: "dora" })).status).toBe(200);
  await world.settle();
  expect(await moves()).toHaveLength(1);
  expect((await findConnectionTo(far!.hub, carla.channel.channel_id, dora.id))?.follow_out).toBe("accepted");
});

test("one that does not answer is asked again", async () => {
  const emil = await inhabitant(there!, "emil");
  await follows(world, carla, emil);
  const successor = await inhabitant(here!, "emil");
  await here!.leave();
  await emil.post("/api/z/1.0/channel/moved", { url: here!.url, nick: "emil" });
  await world.settle();
  expect(await moves()).toHaveLength(1);
  const aliases = { aliases: [emil.id] };
  await changeChannelSettings(here!.hub, successor.channel.channel_id, aliases);
  await here!.comeBack();
  world.advance(3600);
  await world.settle();
  expect(await moves()).toHaveLength(2);
  expect((await findConnectionTo(far!.hub, carla.channel.channel_id, successor.id))?.follow_out).toBe("accepted");
});

test("what waits for its date is published where the channel is by then, and nowhere else", async () => {
  const gerda = await inhabitant(there!, "gerda");
  const created = new Date(there!.hub.clock().getTime() + 24 * 3600_000).toISOString();
  const { status } = await gerda.post("/api/z/1.0/item/update", { body: "Tomorrow, from my new home", created });
  expect(status).toBe(200);
  expect((await bring("gerda")).state).toBe("done");
  world.advance(25 * 3600);
  await world.settle();
  const published = async (app: Neighbour["app"]) =>
    (await clientOf(app, `gerda:${password}`).get("/api/statuses/user_timeline.json")).text.includes("my new home");
  expect([await published(there!.app), await published(here!.app)]).toEqual([false, true]);
});

test("people of the new hub are those whom the channel knew from the old one", async () => {
  const hanna = await inhabitant(there!, "hanna");
  const dirk = await inhabitant(here!, "dirk");
  await follows(world, dirk, hanna);
  await follows(world, hanna, dirk);
  const near = await createGroup(there!.hub, hanna.channel.channel_id, "Near");
  await addMembers(there!.hub, hanna.channel.channel_id, near.id, [dirk.id]);
  await hanna.post("/api/z/1.0/item/update", { body: "For him alone", contact_allow: [dirk.id] });
  await hanna.post("/api/z/1.0/item/update", { body: "For those who are near", group_allow: [near.hash] });
  const run = await bring("hanna");
  for (const section of ["xchan", "abook", "group_member"]) expect(run.report.sections[section]?.left).toEqual({});
  await world.settle();
  const moved = clientOf(here!.app, `hanna:${password}`);
  await moved.post("/api/z/1.0/item/update", { body: "From the new place", group_allow: [near.hash] });
  await world.settle();
  const each = { follow_out: "accepted", follow_in: "accepted" };
  const { channel_hash: hash } = hanna.channel;
  expect(await findConnectionTo(here!.hub, dirk.channel.channel_id, hash)).toMatchObject(each);
  expect(await findConnectionTo(here!.hub, run.channelId, dirk.channel.channel_hash)).toMatchObject(each);
  expect((await dirk.get("/api/statuses/home_timeline.json")).text).toContain("From the new place");
  const wall = await dirk.get("/api/statuses/user_timeline.json", { screen_name: "hanna" });
  for (const words of ["For him alone", "For those who are near"]) expect(wall.text).toContain(words);
});
