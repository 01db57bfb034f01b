import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { actorOf } from "../../../../test/support/actors.ts";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { outOf } from "../../../../test/support/sent.ts";
import type { Sent } from "../../../../test/support/sent.ts";
import { receiveFollow, receiveUndo } from "../../../domain/connections/connections.ts";
import { changeChannelSettings } from "../../../domain/identity/channels/channel-settings.ts";
import type { Channel } from "../../../domain/identity/channels/channel.ts";
import { findChannelById } from "../../../domain/identity/channels/channels.ts";
import { comeBack, moveTo } from "../../../domain/identity/channels/moved.ts";
import { meetActor } from "../../../domain/peers/meet-actor.ts";

/** Channels that go on as somebody of another hub (federation contract 11). */

let world: TestApp;
let sent: () => Promise<Sent[]>;
let round = 0;
let alma: Person;

const newHome = "https://new.example/users/alma";
const own = (): string => `http://hub.example/channel/${alma.nick}`;

beforeAll(async () => {
  world = await openTestApp();
  sent = outOf(world);
});
afterAll(() => world.close());
beforeEach(async () => {
  alma = await world.person(`alma${++round}`);
  const bob = await meetActor(world.hub, actorOf("bob"));
  await receiveFollow(world.hub, alma.channel, bob, `https://far.example/follows/${round}`);
  for (const { abook_id } of (await alma.get("/api/z/1.0/abook")).json)
    await alma.post("/api/z/1.0/abook", { abook_id, pending: false });
  await sent();
});

const successor = (alsoKnownAs: string[]) =>
  meetActor(world.hub, {
    ...actorOf("alma", { alsoKnownAs, keys: [] }),
    id: newHome,
    address: "alma@new.example",
    url: "https://new.example/@alma",
    inbox: `${newHome}/inbox`,
  });

const document = async () =>
  (await world.anonymous.get(`/channel/${alma.nick}`, {}, { headers: { accept: "application/activity+json" } })).json;

/** As it is now. */
const channel = async (): Promise<Channel> => (await findChannelById(world.hub, alma.channel.channel_id))!;

test("nobody takes a channel over who does not name it", async () => {
  const stranger = await successor(["https://elsewhere.example/alma"]);
  await expect(moveTo(world.hub, alma.channel, stranger)).rejects.toMatchObject({ code: "does_not_know_you" });
  expect(await sent()).toEqual([]);
  expect(await document()).not.toHaveProperty("movedTo");
});

test("followers are told, the document says where, and what is here stays to be read", async () => {
  await alma.post("/api/statuses/update", { status: "before" });
  await sent();
  await moveTo(world.hub, alma.channel, await successor([own()]));
  expect((await sent()).map(({ inbox, activity }) => [inbox, activity])).toEqual([
    [
      "https://far.example/inbox",
      expect.objectContaining({
        type: "Move",
        actor: own(),
        object: own(),
        target: newHome,
        to: [`http://hub.example/followers/${alma.nick}`],
      }),
    ],
  ]);
  expect(await document()).toMatchObject({ movedTo: newHome });
  expect((await alma.post("/api/statuses/update", { status: "after" })).status).toBe(403);
  expect((await alma.get("/api/statuses/user_timeline")).json).toHaveLength(1);
  world.hub.advance(61);
  expect((await sent()).map(({ activity }) => [activity.type, activity.object.movedTo])).toEqual([["Update", newHome]]);
});

test("whoever comes back writes here again, and moves again after 30 days", async () => {
  const person = await successor([own()]);
  await moveTo(world.hub, alma.channel, person);
  await comeBack(world.hub, await channel());
  expect((await alma.post("/api/statuses/update", { status: "back" })).status).toBe(200);
  expect(await document()).not.toHaveProperty("movedTo");
  await expect(moveTo(world.hub, await channel(), person)).rejects.toMatchObject({ code: "moved_lately" });
  world.hub.advance(30 * 24 * 3600 + 1);
  await sent();
  await moveTo(world.hub, await channel(), person);
  expect((await sent()).map(({ activity }) => activity.type)).toEqual(["Move"]);
});

test("whoever was told of the move hears that it is taken back, also who has gone along", async () => {
  await moveTo(world.hub, alma.channel, await successor([own()]));
  await sent();
  const bob = await meetActor(world.hub, actorOf("bob"));
  expect(await receiveUndo(world.hub, await channel(), bob, `https://far.example/follows/${round}`)).toBe(true);
  await comeBack(world.hub, await channel());
  world.hub.advance(61);
  const told = (await sent())
    .filter(({ activity }) => activity.actor === own())
    .map(({ inbox, activity }) => [inbox, activity.type, activity.object.movedTo]);
  expect(told).toEqual([["https://far.example/inbox", "Update", undefined]]);
});

test("other ids of the same person stand in the document", async () => {
  await changeChannelSettings(world.hub, alma.channel.channel_id, {
    aliases: [newHome, "https://old.example/users/a"],
  });
  expect(await document()).toMatchObject({ alsoKnownAs: [newHome, "https://old.example/users/a"] });
});
