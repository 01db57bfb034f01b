import { afterAll, beforeAll, expect, test } from "vitest";
import { actorOf } from "../../../test/support/actors.ts";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { arrivesIn } from "../../../test/support/incoming.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import { connect, receiveAccept } from "../../domain/connections/connections.ts";
import { formerPoll, formerVersions } from "../../domain/items/history.ts";
import { deleteItem } from "../../domain/items/posting/delete.ts";
import { editItem } from "../../domain/items/posting/edit.ts";
import { postItem } from "../../domain/items/posting/post.ts";
import { meetActor } from "../../domain/peers/meet-actor.ts";

/** What posts said before they were edited (decision 65). */

let world: TestApp;
let ann: Person;

beforeAll(async () => {
  world = await openTestApp({ fetch: () => Promise.resolve(new Response(null, { status: 202 })) });
  ann = await world.person("ann");
});
afterAll(() => world.close());

const said = async (message: number): Promise<string[]> =>
  (await formerVersions(world.hub, message)).map(({ title, html }) => title + html);

test("whoever sees a post sees what it said, and when, the newest first", async () => {
  const item = await postItem(world.hub, ann.channel, { body: "One", title: "T" });
  world.hub.advance(3600);
  await editItem(world.hub, ann.channel, item.id, { body: "Two [b]<script>[/b]", summary: "Warning" });
  world.hub.advance(3600);
  await editItem(world.hub, ann.channel, item.id, { body: "Three" });
  const visitor = visitorOf(world.app);
  expect((await visitor.get("/channel/ann")).text).toContain(`href="/item/${item.uuid}/history"`);
  const { status, text } = await visitor.get(`/item/${item.uuid}/history`);
  const order = ["as it is now", "Three", "13:00", "Two <strong>&lt;script&gt;", "12:00", ">One<"].map((words) =>
    text.indexOf(words),
  );
  expect([status, order]).toEqual([200, order.toSorted((one, other) => one - other)]);
  expect(order).not.toContain(-1);
});

test("what could be chosen stands with what was asked", async () => {
  const asked = (...options: string[]) => ({ body: "Which?", poll: { options, several: false, ends: undefined } });
  const item = await postItem(world.hub, ann.channel, asked("Tea", "Coffee"));
  await editItem(world.hub, ann.channel, item.id, asked("Tea", "Milk"));
  const { text } = await visitorOf(world.app).get(`/item/${item.uuid}/history`);
  expect([...text.matchAll(/<li><bdi>(\w+)/g)].map(([, name]) => name)).toEqual(["Tea", "Milk", "Tea", "Coffee"]);
});

test("whom it was for leaves a version, too", async () => {
  const item = await postItem(world.hub, ann.channel, { body: "Look", nsfw: true });
  await editItem(world.hub, ann.channel, item.id, { body: "Look", nsfw: false });
  const { text } = await visitorOf(world.app).get(`/item/${item.uuid}/history`);
  const versions = text.split('<article class="card">').slice(1);
  expect(versions.map((version) => version.includes("not for every eye"))).toEqual([false, true]);
});

test("an edit that changes no text leaves nothing", async () => {
  const item = await postItem(world.hub, ann.channel, { body: "Same" });
  await editItem(world.hub, ann.channel, item.id, { body: "Same", location: "Here" });
  expect(await said(item.message_id)).toEqual([]);
});

test("of many versions the first and the newest are kept", async () => {
  const item = await postItem(world.hub, ann.channel, { body: "Text 0" });
  for (let at = 1; at <= 24; at++) await editItem(world.hub, ann.channel, item.id, { body: `Text ${at}` });
  const kept = await said(item.message_id);
  expect([kept.length, kept[0], kept[1], kept.at(-1)]).toEqual([21, "Text 0", "Text 4", "Text 23"]);
});

test("with a post all of them go", async () => {
  const item = await postItem(world.hub, ann.channel, { body: "Secret" });
  await editItem(world.hub, ann.channel, item.id, { body: "None" });
  expect(await said(item.message_id)).toEqual(["Secret"]);
  await deleteItem(world.hub, ann.channel, { id: item.id });
  expect(await said(item.message_id)).toEqual([]);
});

test("those of posts from elsewhere are kept as well", async () => {
  const carla = await meetActor(world.hub, actorOf("carla"));
  await connect(world.hub, ann.channel, carla);
  await receiveAccept(world.hub, ann.channel, carla);
  const actor = actorOf("carla").id;
  const to = "https://www.w3.org/ns/activitystreams#Public";
  const note = { id: `${actor}/1`, type: "Note", attributedTo: actor, to, content: "<p>Before</p>" };
  const arrives = arrivesIn(world.hub);
  await arrives({ id: `${actor}/1/create`, type: "Create", actor, to, object: note });
  const updated = new Date(world.hub.clock().getTime() + 1000).toISOString();
  world.hub.advance(60);
  await arrives({
    id: `${actor}/1/update`,
    type: "Update",
    actor,
    to,
    object: { ...note, content: "<p>After</p>", updated },
  });
  const { id } = await world.hub.db
    .selectFrom("message")
    .select("id")
    .where("mid", "=", note.id)
    .executeTakeFirstOrThrow();
  expect(await said(id)).toEqual(["<p>Before</p>"]);
});

test("those of polls from elsewhere are kept where other things can be chosen, and not where they are counted", async () => {
  const actor = actorOf("carla").id;
  const to = "https://www.w3.org/ns/activitystreams#Public";
  const poll = (votes: number, ...names: string[]) => ({
    id: `${actor}/2`,
    type: "Question",
    attributedTo: actor,
    to,
    content: "<p>Which?</p>",
    oneOf: names.map((name) => ({ type: "Note", name, replies: { type: "Collection", totalItems: votes } })),
  });
  const arrives = arrivesIn(world.hub);
  const updates = (at: number, object: object) =>
    arrives({ id: `${actor}/2/update${at}`, type: "Update", actor, to, object });
  await arrives({ id: `${actor}/2/create`, type: "Create", actor, to, object: poll(0, "Tea", "Coffee") });
  await updates(1, poll(3, "Tea", "Coffee"));
  world.hub.advance(60);
  await updates(2, poll(0, "Tea", "Milk"));
  const item = await world.hub.db
    .selectFrom("message")
    .select(["id", "obj_type", "obj"])
    .where("mid", "=", `${actor}/2`)
    .executeTakeFirstOrThrow();
  const former = await formerVersions(world.hub, item.id);
  expect(former.map((version) => formerPoll(version, item)?.options.map(({ name }) => name))).toEqual([
    ["Tea", "Coffee"],
  ]);
});
