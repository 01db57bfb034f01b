import { afterAll, beforeAll, expect, test } from "vitest";
import { annAtHome } from "../../../test/support/ann-at-home.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import type { Visitor } from "../../../test/support/visitor.ts";

/** Pages of whose channel has moved away: nothing is offered that would be refused. */

let world: TestApp;
let ann: Person;
let bob: Person;
let visitor: Visitor;

beforeAll(async () => {
  ({ world, ann, bob, visitor } = await annAtHome());
  await bob.post("/api/statuses/update", { status: "Words of Bob" });
  await ann.post("/api/statuses/update", { status: "Words of Ann" });
  await world.work();
});
afterAll(() => world.close());

const offers = (page: string) => ({
  post: page.includes('action="/network"') || page.includes('name="body"'),
  actions: page.includes('class="actions" method="post"'),
  places:
    page.split('This channel has moved to <a href="https://new.example/channel/ann">ann@new.example</a>').length - 1,
});

test("the stream, walls and threads are read, and every page says once where the channel is", async () => {
  const pages = async () => {
    const stream = (await visitor.get("/network")).text;
    const [, thread = ""] =
      /href="(?:http:\/\/hub\.example)?(\/display\/[^"#]+)"/.exec((await visitor.get("/channel/bob")).text) ?? [];
    const own = (await visitor.get("/channel/ann")).text;
    const wall = (await visitor.get("/channel/bob")).text;
    return [stream, own, wall, (await visitor.get(thread)).text];
  };
  for (const page of await pages()) expect(offers(page)).toEqual({ post: true, actions: true, places: 0 });
  expect((await ann.post("/api/z/1.0/channel/moved", { url: "https://new.example", nick: "ann" })).status).toBe(200);
  const [stream, own, wall, thread] = await pages();
  for (const page of [stream!, own!, wall!, thread!])
    expect(offers(page)).toEqual({ post: false, actions: false, places: 1 });
  expect(offers((await visitor.get("/mail/new")).text).places).toBe(1);
  const stranger = visitorOf(world.app);
  expect(offers((await stranger.get("/channel/ann")).text).places).toBe(1);
  expect(offers((await stranger.get("/channel/bob")).text).places).toBe(0);
  expect([stream, wall, thread].every((page) => page!.includes("Words of Bob"))).toBe(true);
  expect(own).toContain("Words of Ann");
});
