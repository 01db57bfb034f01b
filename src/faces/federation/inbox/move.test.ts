import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { openElsewhere } from "../../../../test/support/elsewhere.ts";
import type { Elsewhere } from "../../../../test/support/elsewhere.ts";
import { changeChannelSettings } from "../../../domain/identity/channels/channel-settings.ts";
import { connect, findConnectionTo } from "../../../domain/connections/connections.ts";
import { addMembers, createGroup } from "../../../domain/groups/groups.ts";
import { isMember } from "../../../domain/groups/lists-of.ts";
import type { Xchan } from "../../../domain/identity/xchans/xchans.ts";
import { recordArrival } from "../../../domain/delivery/arrivals.ts";
import { metActor } from "../retrieve/actor.ts";

/** People of elsewhere who go on as somebody else (federation contract 11). */

let world: TestApp;
let elsewhere: Elsewhere;
let alma: Person;
let old: Xchan;
let round = 0;

beforeAll(async () => {
  elsewhere = openElsewhere();
  world = await openTestApp({ fetch: elsewhere.fetch });
});
afterAll(() => world.close());
beforeEach(async () => {
  alma = await world.person(`alma${++round}`);
  elsewhere.actor(`old${round}`);
  old = (await metActor(world.hub, elsewhere.actor(`old${round}`).id))!;
  await connect(world.hub, alma.channel, old);
});

const followOut = async (hash: string, who = alma) =>
  (await findConnectionTo(world.hub, who.channel.channel_id, hash))?.follow_out;

async function moves(target: string, stamp = "1"): Promise<void> {
  const activity = {
    "@context": "https://www.w3.org/ns/activitystreams",
    id: `${old.xchan_hash}/moves/${round}/${stamp}`,
    type: "Move",
    actor: old.xchan_hash,
    object: old.xchan_hash,
    target,
  };
  await recordArrival(world.hub, {
    activityId: activity.id,
    signer: old.xchan_hash,
    scheme: "cavage",
    bytes: Buffer.from(JSON.stringify(activity)),
    recipients: [],
    objectId: old.xchan_hash,
  });
  await world.work();
}

test("those who read them read the other from now on, in the same groups", async () => {
  const group = await createGroup(world.hub, alma.channel.channel_id, "Near");
  await addMembers(world.hub, alma.channel.channel_id, group.id, [old.xchan_hash]);
  const { id } = elsewhere.actor(`new${round}`, { alsoKnownAs: [old.xchan_hash] });
  await moves(id);
  expect([await followOut(id), await followOut(old.xchan_hash)]).toEqual(["requested", undefined]);
  expect(await isMember(world.hub, alma.channel.channel_id, group.id, id)).toBe(true);
});

test("not where the other does not name them, whatever the activity says", async () => {
  const { id } = elsewhere.actor(`stranger${round}`);
  await moves(id);
  expect([await followOut(id), await followOut(old.xchan_hash)]).toEqual([undefined, "requested"]);
});

test("not those who have blocked them, and nobody twice within a week", async () => {
  const other = await world.person(`beate${round}`);
  await connect(world.hub, other.channel, old);
  const row = await findConnectionTo(world.hub, other.channel.channel_id, old.xchan_hash);
  await other.post("/api/z/1.0/abook", { abook_id: row!.abook_id, ignored: true });
  const { id } = elsewhere.actor(`new${round}`, { alsoKnownAs: [old.xchan_hash] });
  await moves(id);
  expect([await followOut(id), await followOut(id, other)]).toEqual(["requested", undefined]);
  const late = await world.person(`late${round}`);
  await connect(world.hub, late.channel, old);
  await moves(id, "2");
  expect(await followOut(id, late)).toBeUndefined();
  world.hub.advance(7 * 24 * 3600 + 1);
  await moves(id, "3");
  expect(await followOut(id, late)).toBe("requested");
});

test("to a channel of this hub, where its owner has named them", async () => {
  const home = await world.person(`home${round}`);
  const id = `http://hub.example/channel/${home.nick}`;
  await moves(id);
  expect(await followOut(home.channel.channel_hash)).toBeUndefined();
  await changeChannelSettings(world.hub, home.channel.channel_id, { aliases: [old.xchan_hash] });
  await moves(id, "2");
  expect(["requested", "accepted"]).toContain(await followOut(home.channel.channel_hash));
});
