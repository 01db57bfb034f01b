import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  block,
  blockHost,
  findConnectionTo,
  refuse,
  removeConnection,
  unblockHost,
} from "../../src/domain/connections/connections.ts";
import { removeChannel } from "../../src/domain/connections/remove-channel.ts";
import { updateChannel } from "../../src/domain/identity/channels/channels.ts";
import { findXchan } from "../../src/domain/identity/xchans/xchans.ts";
import { listNotices } from "../../src/domain/notifications/notices.ts";
import { removeSiteBlock, setSiteBlock } from "../../src/domain/peers/site-blocks.ts";
import { retrieve } from "../../src/faces/federation/retrieve/retrieve.ts";
import type { Person } from "../support/app.ts";
import { mastodonPerson } from "../support/mastodon.ts";
import type { MastodonPerson } from "../support/mastodon.ts";
import { idOf, met, openHubs } from "../support/hubs.ts";
import type { Neighbour, TestHubs } from "../support/hubs.ts";

/** Following, answering and taking it back between two hubs. */

let world: TestHubs;
let one: Neighbour;
let two: Neighbour;
let ann: Person;
let ben: Person;
let round = 0;

beforeAll(async () => {
  world = await openHubs(2);
  [one, two] = world.hubs as [Neighbour, Neighbour];
});
afterAll(() => world.close());
beforeEach(async () => {
  round += 1;
  ann = await one.person(`ann${round}`);
  ben = await two.person(`ben${round}`, { role: "feed" });
});

/** What one has about the other. */
const row = (hub: Neighbour, who: Person, their: Neighbour, whom: Person) =>
  findConnectionTo(hub.hub, who.channel.channel_id, idOf(their, whom));
const anns = () => row(one, ann, two, ben);
const bens = () => row(two, ben, one, ann);

async function follow(hub: Neighbour, who: Person, their: Neighbour, whom: Person): Promise<void> {
  const { xchan_id } = await met(hub, their, whom);
  expect((await who.post("/api/friendships/create", { user_id: xchan_id })).status).toBe(200);
  await world.settle();
}
const asks = () => follow(one, ann, two, ben);
const kinds = async (hub: Neighbour, who: Person) =>
  (await listNotices(hub.hub, who.channel.channel_id)).map(({ kind }) => kind);

test("who approves everybody is followed at once, and only in this direction", async () => {
  await asks();
  expect(await anns()).toMatchObject({ follow_out: "accepted", follow_in: "none", abook_pending: 0 });
  expect(await bens()).toMatchObject({ follow_out: "none", follow_in: "accepted", abook_pending: 0 });
  expect((await anns())!.follow_out_id).toBe((await bens())!.follow_in_id);
  expect([await kinds(one, ann), await kinds(two, ben)]).toEqual([["confirmed"], ["follower"]]);
});

test("who wants to be asked is asked, and answers", async () => {
  await follow(two, ben, one, ann);
  expect(await bens()).toMatchObject({ follow_out: "requested" });
  expect(await anns()).toMatchObject({ follow_in: "pending", abook_pending: 1 });
  const { abook_id } = (await anns())!;
  await ann.post("/api/z/1.0/abook", { abook_id, pending: 0 });
  await world.settle();
  expect(await bens()).toMatchObject({ follow_out: "accepted" });
  expect(await anns()).toMatchObject({ follow_in: "accepted", abook_pending: 0 });
});

test("who is refused learns it, and may ask again", async () => {
  await follow(two, ben, one, ann);
  await refuse(one.hub, ann.channel, (await anns())!.abook_id);
  await world.settle();
  expect(await anns()).toBeUndefined();
  expect(await bens()).toMatchObject({ follow_out: "rejected" });
  expect(await kinds(two, ben)).toEqual(["declined"]);
  await follow(two, ben, one, ann);
  expect(await anns()).toMatchObject({ follow_in: "pending" });
});

test("following ends on both sides, and so does asking", async () => {
  await asks();
  await ann.post("/api/friendships/destroy", { user_id: (await met(one, two, ben)).xchan_id });
  await world.settle();
  expect([await anns(), await bens()]).toEqual([undefined, undefined]);
  await follow(two, ben, one, ann);
  await ben.post("/api/friendships/destroy", { user_id: (await met(two, one, ann)).xchan_id });
  await world.settle();
  expect([await anns(), await bens()]).toEqual([undefined, undefined]);
});

test("applications tell once of each who follows, whoever was the first", async () => {
  await asks();
  await follow(two, ben, one, ann);
  const anns = await mastodonPerson(one, ann.channel);
  const bens = await mastodonPerson(two, ben.channel);
  const told = async (who: MastodonPerson) =>
    (await who.get("/api/v1/notifications")).json.map((one: any) => [one.type, one.account.username]);
  expect(await told(anns)).toEqual([["follow", ben.channel.channel_address]]);
  expect(await told(bens)).toEqual([["follow", ann.channel.channel_address]]);
});

test("both follow each other, and a removed connection ends both ways", async () => {
  await asks();
  await follow(two, ben, one, ann);
  expect(await anns()).toMatchObject({ follow_out: "accepted", follow_in: "accepted", abook_pending: 0 });
  expect(await bens()).toMatchObject({ follow_out: "accepted", follow_in: "accepted", abook_pending: 0 });
  await removeConnection(one.hub, ann.channel, (await anns())!.abook_id);
  await world.settle();
  expect(await anns()).toBeUndefined();
  // Two things come at once; nothing is left where the refusal is the first.
  const { follow_out = "rejected", follow_in = "none" } = (await bens()) ?? {};
  expect([follow_out, follow_in]).toEqual(["rejected", "none"]);
});

test("who blocks is followed no more, and whoever is blocked asks in vain", async () => {
  await asks();
  await block(two.hub, ben.channel, await met(two, one, ann));
  await world.settle();
  expect(await anns()).toBeUndefined();
  await follow(one, ann, two, ben);
  expect(await anns()).toMatchObject({ follow_out: "requested" });
  expect(await bens()).toMatchObject({ follow_in: "none", abook_blocked: 1 });
});

test("who loses everything and asks again is accepted again, without another notice", async () => {
  await asks();
  await one.hub.db
    .deleteFrom("abook")
    .where("abook_channel", "=", ann.channel.channel_id)
    .where("abook_self", "=", 0)
    .execute();
  await asks();
  expect(await anns()).toMatchObject({ follow_out: "accepted" });
  expect((await bens())!.follow_in_id).toBe((await anns())!.follow_out_id);
  expect(await kinds(two, ben)).toEqual(["follower"]);
});

test("a limited hub's people wait, a suspended one's are refused at the door, until that ends", async () => {
  const treat = (level: "limit" | "suspend") => setSiteBlock(two.hub, { domain: one.host, level, noMedia: false });
  await treat("limit");
  await asks();
  expect(await bens()).toMatchObject({ follow_in: "pending" });
  await treat("suspend");
  await world.settle();
  const from = two.received.length;
  await ann.post("/api/friendships/destroy", {
    user_id: (await findXchan(one.hub, { hash: idOf(two, ben) }))!.xchan_id,
  });
  await world.settle();
  expect(new Set(two.received.slice(from).map(({ status }) => status))).toEqual(new Set([403]));
  expect(await bens()).toMatchObject({ follow_in: "pending" });
  const signed = await retrieve(one.hub, idOf(two, ben), ann.channel);
  expect(signed).toEqual({ fault: "refused" });
  await removeSiteBlock(two.hub, one.host);
  await world.settle();
  // What was refused is tried twice more within a day.
  for (let n = 0; n < 2; n++) {
    world.advance(12 * 3600);
    await world.settle();
  }
  expect(await bens()).toBeUndefined();
  await asks();
  expect(await bens()).toMatchObject({ follow_in: "accepted" });
});

test("a channel that blocks a host is followed by nobody there any more", async () => {
  await asks();
  await blockHost(two.hub, ben.channel, one.host, "block");
  await world.settle();
  expect([await bens(), await anns()]).toEqual([undefined, undefined]);
  await asks();
  expect(await bens()).toBeUndefined();
  await unblockHost(two.hub, ben.channel, one.host);
});

test("who removes their channel is gone elsewhere", async () => {
  await asks();
  await removeChannel(one.hub, ann.channel.channel_id);
  await world.settle();
  expect(await findXchan(two.hub, { hash: idOf(one, ann) })).toMatchObject({ xchan_deleted: 1 });
  expect(await bens()).toMatchObject({ abook_archived: 1 });
});

test("another name is seen elsewhere", async () => {
  await asks();
  await updateChannel(one.hub, ann.channel.channel_id, { name: "Ann the Second" });
  await world.settle();
  world.advance(120);
  await world.settle();
  expect(await findXchan(two.hub, { hash: idOf(one, ann) })).toMatchObject({ xchan_name: "Ann the Second" });
});
