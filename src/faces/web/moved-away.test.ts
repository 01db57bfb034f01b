import { afterAll, beforeAll, expect, test } from "vitest";
import { annAtHome } from "../../../test/support/ann-at-home.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
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
  place: page.includes('This channel has moved to <a href="https://new.example/channel/ann">ann@new.example</a>'),
});

test("the stream, walls and threads are read, and say where the channel is", async () => {
  const pages = async () => {
    const stream = (await visitor.get("/network")).text;
    const [, thread = ""] =
      /href="(?:http:\/\/hub\.example)?(\/display\/[^"#]+)"/.exec((await visitor.get("/channel/bob")).text) ?? [];
    const own = (await visitor.get("/channel/ann")).text;
    return [stream, own, (await visitor.get(thread)).text];
  };
  for (const page of await pages()) expect(offers(page)).toEqual({ post: true, actions: true, place: false });
  expect((await ann.post("/api/z/1.0/channel/moved", { url: "https://new.example", nick: "ann" })).status).toBe(200);
  const [stream, own, thread] = await pages();
  for (const page of [stream!, own!, thread!])
    expect(offers(page)).toEqual({ post: false, actions: false, place: true });
  expect([stream, thread].every((page) => page!.includes("Words of Bob"))).toBe(true);
  expect(own).toContain("Words of Ann");
});
