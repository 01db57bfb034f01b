import { afterAll, beforeAll, expect, test } from "vitest";
import { actorOf } from "../../../test/support/actors.ts";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { password } from "../../../test/support/hub.ts";
import { befriend, deliver } from "../../../test/support/people.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import type { Answer } from "../../domain/delivery/answers.ts";
import { deliveries } from "../../domain/delivery/deliveries.ts";
import { sendOut } from "../../domain/delivery/outgoing.ts";
import { Worker } from "../../domain/delivery/worker.ts";
import { postItem } from "../../domain/items/posting/post.ts";
import type { Item } from "../../domain/items/types.ts";
import { meetActor } from "../../domain/peers/meet-actor.ts";

/** What authors learn of where their words went, by the API and on the page (federation contract 17). */

let world: TestApp;
let alma: Person;
let bob: Person;
let item: Item;

beforeAll(async () => {
  world = await openTestApp();
  [alma, bob] = [await world.person("alma"), await world.person("bob")];
  await befriend(world.hub, alma.channel, bob.channel);
  const carla = await meetActor(world.hub, actorOf("carla"));
  item = await postItem(world.hub, alma.channel, { body: "Hello" });
  await deliver(world.hub);
  const inboxes = ["far.example", "slow.example", "cross.example"].map((host) => `https://${host}/inbox`);
  const to = inboxes.map((inbox) => ({ inbox, people: [carla.xchan_id], shared: true }));
  const objectId = `http://hub.example/item/${item.uuid}`;
  await sendOut(world.hub, [
    { deed: "create x", variant: "x", sender: alma.channel.channel_id, objectId, bytes: "{}", to },
  ]);
  const answers: Record<string, Answer> = {
    "far.example": { scheme: "cavage", status: 202 },
    "slow.example": { scheme: "cavage", fault: "unreachable", detail: "refused" },
    "cross.example": { scheme: "cavage", status: 422 },
  };
  const courier = {
    post: (_: unknown, { host }: { host: string }) => Promise.resolve(answers[host]!),
    meetAgain: () => Promise.resolve(),
  };
  await new Worker(world.hub, deliveries(courier)).drain();
});
afterAll(() => world.close());

const report = (who: Person, query: object) => who.get("/api/z/1.0/item/deliveries", query as Record<string, string>);

function one(host: string, state: string, last_status: number, last_error: string): object {
  return { host, people: ["carla@far.example"], state, attempts: 1, last_status, last_error, next_at: "" };
}

test("say of each hub what became of it, in plain words", async () => {
  for (const query of [{ item_id: item.id }, { mid: item.mid }]) {
    const { status, json } = await report(alma, query);
    expect(status).toBe(200);
    expect(json).toEqual({
      success: true,
      consent: "",
      deliveries: [
        one("far.example", "done", 202, "Delivered"),
        {
          ...one("slow.example", "waiting", 0, "Waiting to be tried again: the other hub does not answer"),
          next_at: expect.stringMatching(/^2026-03-01 12:0[01]:\d\d$/),
        },
        one("cross.example", "failed", 422, "Refused: the other hub answered with status 422"),
      ],
    });
  }
  const visitor = visitorOf(world.app);
  await visitor.logIn("alma", password);
  const page = await visitor.get(`/item/${item.uuid}/deliveries`);
  expect(page.status).toBe(200);
  for (const words of ["far.example", "carla@far.example", "Delivered", "the other hub answered with status 422"])
    expect(page.text).toContain(words);
  expect((await visitor.get(`/display/${item.uuid}`)).text).toContain(`/item/${item.uuid}/deliveries`);
});

test("are their author's alone: for everybody else they are as little there as for unknown ids", async () => {
  const copy = await world.hub.db
    .selectFrom("item")
    .select("id")
    .where("message_id", "=", item.message_id)
    .where("uid", "=", bob.channel.channel_id)
    .executeTakeFirstOrThrow();
  const unknown = await report(bob, { item_id: 999_999 });
  expect(unknown.status).toBe(404);
  for (const query of [{ item_id: item.id }, { item_id: copy.id }, { mid: item.mid }])
    expect((await report(bob, query)).json).toEqual(unknown.json);
  const visitor = visitorOf(world.app);
  expect((await visitor.get(`/item/${item.uuid}/deliveries`)).text).not.toContain("far.example");
  await visitor.logIn("bob", password);
  const [seen, never] = [
    await visitor.get(`/item/${item.uuid}/deliveries`),
    await visitor.get(`/item/${item.uuid.replace(/.$/, "x")}/deliveries`),
  ];
  expect([seen.status, never.status]).toEqual([404, 404]);
  expect(seen.text).not.toContain("far.example");
  expect((await visitor.get(`/display/${item.uuid}`)).text).not.toContain("/deliveries");
});
