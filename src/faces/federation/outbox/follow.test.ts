import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { actorOf } from "../../../../test/support/actors.ts";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { outOf } from "../../../../test/support/sent.ts";
import type { Sent } from "../../../../test/support/sent.ts";
import {
  askAgain,
  receiveAccept,
  receiveFollow,
  refuse,
  removeConnection,
  undoAgain,
} from "../../../domain/connections/connections.ts";
import type { Xchan } from "../../../domain/identity/xchans/xchans.ts";
import { meetActor } from "../../../domain/peers/meet-actor.ts";

/** Who follows whom between hubs, as people change it here and others hear of it (federation contract 1.5). */

let world: TestApp;
let sent: () => Promise<Sent[]>;
let alma: Person;
let count = 0;

const actor = "http://hub.example/channel/alma";

beforeAll(async () => {
  world = await openTestApp();
  sent = outOf(world);
  alma = await world.person("alma");
});
afterAll(() => world.close());
beforeEach(async () => void (await sent()));

const somebody = (): Promise<Xchan> => meetActor(world.hub, actorOf(`person${++count}`));
const follow = (person: Xchan) => alma.post("/api/friendships/create", { user_id: person.xchan_id });
const unfollow = (person: Xchan) => alma.post("/api/friendships/destroy", { user_id: person.xchan_id });

/** They ask to follow; the id of their Follow. */
async function isAsked(person: Xchan): Promise<string> {
  const id = `${person.xchan_hash}/follows/${++count}`;
  await receiveFollow(world.hub, alma.channel, person, id);
  return id;
}

async function rowOf(person: Xchan): Promise<any> {
  const rows = (await alma.get("/api/z/1.0/abook")).json as { abook_xchan: string }[];
  return rows.find((row) => row.abook_xchan === person.xchan_hash);
}

const change = async (person: Xchan, changes: object) =>
  alma.post("/api/z/1.0/abook", { abook_id: (await rowOf(person)).abook_id, ...changes });

/** What was sent, all of it to this person. */
async function told(person: Xchan): Promise<any[]> {
  const all = await sent();
  for (const { inbox, activity, people } of all) {
    expect([inbox, people]).toEqual([`${person.xchan_hash}/inbox`, [person.xchan_id]]);
    expect([activity.actor, activity.to]).toEqual([actor, [person.xchan_hash]]);
  }
  return all.map(({ activity }) => activity);
}

test("following asks, once, and taking it back undoes what was asked", async () => {
  const person = await somebody();
  expect((await follow(person)).status).toBe(200);
  await follow(person);
  const [asked, ...more] = await told(person);
  expect([asked.type, asked.object, more]).toEqual(["Follow", person.xchan_hash, []]);
  expect(asked.id).toMatch(/^http:\/\/hub\.example\/follow\/[0-9a-f-]{36}$/);
  await unfollow(person);
  expect(await told(person)).toMatchObject([{ type: "Undo", object: { id: asked.id, type: "Follow", actor } }]);
  expect(await rowOf(person)).toBeUndefined();
  await follow(person);
  const [again] = await told(person);
  expect(again.id).not.toBe(asked.id);
});

test("a request that is approved is accepted, and followed back by following", async () => {
  const person = await somebody();
  const id = await isAsked(person);
  expect(await told(person)).toEqual([]);
  await change(person, { pending: false });
  expect(await told(person)).toMatchObject([
    { type: "Accept", object: { id, type: "Follow", actor: person.xchan_hash, object: actor } },
  ]);
  await follow(person);
  expect(await told(person)).toMatchObject([{ type: "Follow" }]);
});

test("following somebody who waits accepts and asks", async () => {
  const person = await somebody();
  const id = await isAsked(person);
  await follow(person);
  expect(await told(person)).toMatchObject([{ type: "Accept", object: { id } }, { type: "Follow" }]);
});

test("somebody who asks again is accepted again, also by the same id a second later", async () => {
  const person = await somebody();
  const id = await isAsked(person);
  await change(person, { pending: false });
  const [first] = await told(person);
  world.hub.advance(1);
  await receiveFollow(world.hub, alma.channel, person, id);
  const [second] = await told(person);
  expect(second).toMatchObject({ type: "Accept", object: { id } });
  expect(second.id).not.toBe(first.id);
});

test("whoever is followed is accepted without a question", async () => {
  const person = await somebody();
  await follow(person);
  await told(person);
  const id = await isAsked(person);
  expect(await told(person)).toMatchObject([{ type: "Accept", object: { id } }]);
});

test("a request that is refused is rejected", async () => {
  const person = await somebody();
  const id = await isAsked(person);
  await refuse(world.hub, alma.channel, (await rowOf(person)).abook_id);
  expect(await told(person)).toMatchObject([{ type: "Reject", object: { id, type: "Follow" } }]);
  expect(await rowOf(person)).toBeUndefined();
});

test("a connection that ends undoes the one follow and rejects the other", async () => {
  const person = await somebody();
  await follow(person);
  const [asked] = await told(person);
  await receiveAccept(world.hub, alma.channel, person, asked.id);
  const id = await isAsked(person);
  await told(person);
  await removeConnection(world.hub, alma.channel, (await rowOf(person)).abook_id);
  expect(await told(person)).toMatchObject([
    { type: "Undo", object: { id: asked.id } },
    { type: "Reject", object: { id } },
  ]);
});

test("whoever is blocked is no follower any more, and hears no more than that", async () => {
  const person = await somebody();
  await follow(person);
  const id = await isAsked(person);
  await told(person);
  await change(person, { blocked: true });
  expect(await told(person)).toMatchObject([{ type: "Reject", object: { id } }]);
  await change(person, { blocked: false });
  expect(await told(person)).toEqual([]);
});

test("a follow that nobody answers is sent once more after a week, with its id", async () => {
  const [silent, quick] = [await somebody(), await somebody()];
  for (const person of [silent, quick]) await follow(person);
  await receiveAccept(world.hub, alma.channel, quick);
  const toSilent = async () =>
    (await sent()).filter(({ people }) => people[0] === silent.xchan_id).map(({ activity }) => activity);
  const [first] = await toSilent();
  const again = async (days: number): Promise<any[]> => {
    world.hub.advance(days * 24 * 3600);
    await askAgain(world.hub);
    return toSilent();
  };
  expect(await again(6)).toEqual([]);
  expect(await again(1)).toMatchObject([{ type: "Follow", id: first.id }]);
  expect(await again(30)).toEqual([]);
});

test("who accepts what was taken back is told so again, once a day", async () => {
  const person = await somebody();
  await follow(person);
  const [{ id }] = (await told(person)) as [{ id: string }];
  expect(await undoAgain(world.hub, person, id)).toBe(true);
  expect(await told(person)).toEqual([]);
  await unfollow(person);
  expect(await told(person)).toMatchObject([{ type: "Undo" }]);
  const late = async () => (await undoAgain(world.hub, person, id), told(person));
  expect(await late()).toMatchObject([{ type: "Undo", object: { id, type: "Follow" } }]);
  expect(await late()).toEqual([]);
  world.hub.advance(24 * 3600);
  expect(await late()).toMatchObject([{ type: "Undo" }]);
  expect(await undoAgain(world.hub, person, `${id}x`)).toBe(false);
});
