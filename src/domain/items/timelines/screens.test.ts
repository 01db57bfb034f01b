import { afterAll, beforeAll, expect, test } from "vitest";
import { actorOf } from "../../../../test/support/actors.ts";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { inTransaction } from "../../../hub.ts";
import { block, connect, findConnectionTo, unblock, updateConnection } from "../../connections/connections.ts";
import { blockHost, unblockHost } from "../../connections/host-blocks.ts";
import { chooseOf } from "../../connections/follow-choices.ts";
import type { SomeChoices } from "../../connections/follow-choices.ts";
import { receiveBlock, receiveUnblock } from "../../connections/shut-out.ts";
import { chooseForList } from "../../groups/list-choices.ts";
import { createGroup } from "../../groups/groups.ts";
import { findChannelById } from "../../identity/channels/channels.ts";
import { screenBits } from "../../identity/channels/screens.ts";
import type { Screen } from "../../identity/channels/screens.ts";
import { meetActor } from "../../peers/meet-actor.ts";
import { addFilter, changeFilter, endFilters, filterContexts, removeFilter } from "../filters.ts";

/** What a channel's row says of what its lists leave out, so that nobody need look where that is nothing (decision 146). */

let world: TestApp;
let ann: Person;
let bob: Person;
beforeAll(async () => {
  world = await openTestApp();
  [ann, bob] = [await world.person("ann"), await world.person("bob")];
});
afterAll(() => world.close());

async function screens(who = ann): Promise<Screen[]> {
  const { channel_screens: bits } = (await findChannelById(world.hub, who.channel.channel_id))!;
  return (Object.keys(screenBits) as Screen[]).filter((one) => (bits & screenBits[one]) !== 0);
}

const somebody = () => ({ xchan_hash: bob.channel.channel_hash, xchan_network: "zot" });

test("is nothing at first, and with a connection", async () => {
  expect(await screens()).toEqual([]);
  await connect(world.hub, ann.channel, somebody());
  expect(await screens()).toEqual([]);
});

test("follows each filter from its making to its end", async () => {
  const fields = { title: "Rain", contexts: [...filterContexts], action: "hide", ends: undefined } as const;
  const words = [{ phrase: "rain" }];
  const { id } = await addFilter(world.hub, ann.channel, { ...fields, contexts: [...filterContexts] }, words);
  expect(await screens()).toEqual(["filters", ...filterContexts]);
  for (const context of filterContexts) {
    await changeFilter(world.hub, ann.channel, id, { contexts: [context] });
    expect(await screens()).toEqual(["filters", context]);
  }
  await changeFilter(world.hub, ann.channel, id, { action: "warn" });
  expect(await screens()).toEqual(["filters"]);
  await removeFilter(world.hub, ann.channel, id);
  expect(await screens()).toEqual([]);
});

test("forgets a filter that has ended in time", async () => {
  const ends = "2001-01-01 00:00:00";
  await addFilter(world.hub, bob.channel, { title: "Snow", contexts: ["home"], action: "hide", ends }, []);
  await endFilters(world.hub);
  expect(await screens(bob)).toEqual([]);
});

test("knows of people who are blocked, and who are ignored", async () => {
  const { abook_id } = (await findConnectionTo(world.hub, ann.channel.channel_id, bob.channel.channel_hash))!;
  await updateConnection(world.hub, ann.channel, abook_id, { ignored: true });
  expect(await screens()).toEqual(["people"]);
  await block(world.hub, ann.channel, somebody());
  await updateConnection(world.hub, ann.channel, abook_id, { ignored: false });
  expect(await screens()).toEqual(["people"]);
  await unblock(world.hub, ann.channel, bob.channel.channel_hash);
  expect(await screens()).toEqual([]);
  // Without a connection the row comes and goes with the block.
  await block(world.hub, bob.channel, { xchan_hash: ann.channel.channel_hash, xchan_network: "zot" });
  expect(await screens(bob)).toEqual(["people"]);
  await unblock(world.hub, bob.channel, ann.channel.channel_hash);
  expect(await screens(bob)).toEqual([]);
});

test("knows of people by whom the channel is blocked", async () => {
  const carla = await meetActor(world.hub, actorOf("carla"));
  await connect(world.hub, ann.channel, carla);
  expect(await screens()).toEqual([]);
  await receiveBlock(world.hub, ann.channel, carla);
  expect(await screens()).toEqual(["people"]);
  await receiveUnblock(world.hub, ann.channel, carla);
  expect(await screens()).toEqual([]);
});

test("knows of hosts that are blocked", async () => {
  await blockHost(world.hub, ann.channel, "far.example", "mute");
  await blockHost(world.hub, ann.channel, "other.example", "block");
  await unblockHost(world.hub, ann.channel, "far.example");
  expect(await screens()).toEqual(["people"]);
  await unblockHost(world.hub, ann.channel, "other.example");
  expect(await screens()).toEqual([]);
});

test("holds of changes at once all", async () => {
  const hide = (title: string) =>
    inTransaction(world.hub, (hub) =>
      addFilter(hub, ann.channel, { title, contexts: ["notifications"], action: "hide", ends: undefined }, []),
    );
  await Promise.all([hide("Fog"), block(world.hub, ann.channel, somebody()), hide("Hail")]);
  expect(await screens()).toEqual(["filters", "notifications", "people"]);
});

test("knows of choices for the home of applications", async () => {
  const { abook_id } = (await findConnectionTo(world.hub, bob.channel.channel_id, ann.channel.channel_hash))!;
  const choose = (choices: SomeChoices) =>
    inTransaction(world.hub, (hub) => chooseOf(hub, bob.channel, { abook_id }, choices));
  await choose({ tells: true });
  expect(await screens(bob)).toEqual([]);
  for (const [choice, usual] of [
    [{ shares: false }, { shares: true }],
    [{ languages: ["de"] }, { languages: [] }],
  ]) {
    await choose(choice!);
    expect(await screens(bob)).toEqual(["choices"]);
    await choose(usual!);
    expect(await screens(bob)).toEqual([]);
  }
  const list = await createGroup(world.hub, bob.channel.channel_id, "Apart");
  await chooseForList(world.hub, list, { replies: "none" });
  expect(await screens(bob)).toEqual([]);
  await chooseForList(world.hub, list, { exclusive: true });
  expect(await screens(bob)).toEqual(["choices"]);
  await chooseForList(world.hub, list, { exclusive: false });
  expect(await screens(bob)).toEqual([]);
});
