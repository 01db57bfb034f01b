import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { openElsewhere } from "../../../../test/support/elsewhere.ts";
import type { Elsewhere } from "../../../../test/support/elsewhere.ts";
import { connect, receiveAccept } from "../../../domain/connections/connections.ts";
import { sendOut } from "../../../domain/delivery/outgoing.ts";
import { metActor } from "../retrieve/actor.ts";

/** What a new reader finds of somebody elsewhere (federation contract 1.5, 6.6). */

let world: TestApp;
let elsewhere: Elsewhere;
let alma: Person;

beforeAll(async () => {
  elsewhere = openElsewhere();
  world = await openTestApp({ fetch: elsewhere.fetch });
  alma = await world.person("alma");
});
afterAll(() => world.close());

const everybody = "https://www.w3.org/ns/activitystreams#Public";
const texts = async (): Promise<string[]> =>
  ((await alma.get("/api/statuses/home_timeline")).json as { text: string }[]).map(({ text }) => text.trim());

/** Something for these people that nobody takes off the hub until the clock goes on. */
async function hasToSend(objectId: string, people: number[]): Promise<void> {
  const to = [{ inbox: "https://far.example/inbox", people, shared: true }];
  const sender = alma.channel.channel_id;
  await sendOut(world.hub, [{ deed: objectId, variant: "", sender, objectId, bytes: "{}", to }]);
}

/** Puts a post at its address, and answers what made it. */
function post(author: string, name: string, more: object = {}): object {
  const id = `https://far.example/notes/${name}`;
  const note = {
    id,
    type: "Note",
    attributedTo: author,
    content: name,
    to: [everybody],
    published: `2026-02-01T00:00:0${name.at(-1)}Z`,
    ...more,
  };
  elsewhere.put(id, note);
  return { id: `${id}/made`, type: "Create", actor: author, to: [everybody], object: note };
}

test("their newest public posts are there, as their own server has them, soon after they accept", async () => {
  const { id } = elsewhere.actor("ann", { outbox: "https://far.example/users/ann/outbox" });
  const ann = (await metActor(world.hub, id))!;
  const forged = {
    ...post(id, "forged8"),
    object: {
      id: "https://far.example/notes/other8",
      type: "Note",
      attributedTo: id,
      content: "never said",
      to: [everybody],
    },
  };
  elsewhere.put("https://far.example/notes/other8", {
    id: "https://far.example/notes/other8",
    type: "Note",
    attributedTo: "https://far.example/users/ben",
    content: "said by Ben",
    to: [everybody],
  });
  const page = {
    id: `${id}/outbox?page=1`,
    type: "OrderedCollectionPage",
    orderedItems: [
      post(id, "third3"),
      post(id, "answer9", { inReplyTo: "https://far.example/notes/unknown" }),
      { type: "Announce", actor: id, object: "https://far.example/notes/shared" },
      forged,
      post(id, "second2", { content: "second2 as it is now" }),
      { type: "Create", actor: id, object: "https://other.example/notes/1" },
      post(id, "first1"),
      post(id, "gone7"),
    ],
  };
  elsewhere.put("https://far.example/notes/gone7", 410);
  elsewhere.put(`${id}/outbox`, { id: `${id}/outbox`, type: "OrderedCollection", first: page.id });
  elsewhere.put(page.id, page);
  await connect(world.hub, alma.channel, ann);
  await receiveAccept(world.hub, alma.channel, ann);
  for (let n = 0; n < 10; n++) {
    await world.work();
    world.hub.advance(5);
  }
  expect(await texts()).toEqual(["third3", "second2 as it is now", "first1"]);
  expect(elsewhere.asked.some(({ url }) => url.startsWith("https://other.example"))).toBe(false);
});

test("what the hub has to send comes first: until then nobody is asked for their posts, nor asked again", async () => {
  for (const inbox of ["inbox", "users/cleo/inbox"]) elsewhere.put(`https://far.example/${inbox}`, 202);
  const { id } = elsewhere.actor("cleo", { outbox: "https://far.example/users/cleo/outbox" });
  const cleo = (await metActor(world.hub, id))!;
  elsewhere.put(`${id}/outbox`, { id: `${id}/outbox`, type: "OrderedCollection", orderedItems: [post(id, "late4")] });
  await connect(world.hub, alma.channel, cleo);
  await receiveAccept(world.hub, alma.channel, cleo);
  await hasToSend("old", [cleo.xchan_id]);
  world.hub.advance(25 * 3600);
  elsewhere.asked.length = 0;
  await metActor(world.hub, id);
  await world.work();
  expect(elsewhere.asked.filter(({ options }) => options.method !== "POST")).toEqual([]);
  for (let n = 0; n < 3; n++) {
    world.hub.advance(15 * 60);
    await world.work();
  }
  expect(await texts()).toContain("late4");
  await metActor(world.hub, id);
  await world.work();
  expect(elsewhere.asked.map(({ url }) => url)).toContain(id);
});

test("whoever is known is still asked again when their posts already have to wait", async () => {
  elsewhere.put("https://far.example/users/dana/inbox", 202);
  const { id } = elsewhere.actor("dana", { outbox: "https://far.example/users/dana/outbox" });
  const dana = (await metActor(world.hub, id))!;
  world.hub.advance(25 * 3600);
  await world.work();
  await connect(world.hub, alma.channel, dana);
  await receiveAccept(world.hub, alma.channel, dana);
  await hasToSend("late", [dana.xchan_id]);
  world.hub.advance(16 * 60);
  elsewhere.asked.length = 0;
  await metActor(world.hub, id);
  await world.work();
  const asked = elsewhere.asked.map(({ url }) => url);
  expect(asked).toContain(id);
  expect(asked).not.toContain(`${id}/outbox`);
});
