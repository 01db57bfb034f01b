import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { password } from "../../../../test/support/hub.ts";
import { visitorOf } from "../../../../test/support/visitor.ts";
import type { Visitor } from "../../../../test/support/visitor.ts";
import { createGuest } from "../../connections/connections.ts";
import { befriend } from "../../../../test/support/people.ts";
import { postItem } from "../posting/post.ts";
import { react } from "../posting/react.ts";
import { setStarred } from "../posting/star.ts";

let app: TestApp;
let queries = 0;
const people: Person[] = [];

beforeAll(async () => {
  app = await openTestApp({ onQuery: () => void (queries += 1) });
  for (const nick of ["ann", "bea", "cid"]) people.push(await app.person(nick));
  const [ann, bea, cid] = people.map((person) => person.channel);
  await befriend(app.hub, ann!, bea!);
  await befriend(app.hub, ann!, cid!);
});
afterAll(() => app.close());

async function cost(path: string, parameters: Record<string, unknown> = {}): Promise<number> {
  await people[0]!.get(path, parameters);
  queries = 0;
  expect((await people[0]!.get(path, parameters)).status).toBe(200);
  return queries;
}

test("a page of statuses takes four queries, whoever is on it and whatever they did", async () => {
  const [ann, bea, cid] = people.map((person) => person.channel);
  for (let n = 0; n < 3; n++) {
    const top = await postItem(app.hub, ann!, { body: `Top ${n} for @bea` });
    await app.work();
    for (const other of [bea!, cid!]) {
      await postItem(app.hub, other, { body: `Answer @ann`, parent: { mid: top.mid } });
      await react(app.hub, other, { mid: top.mid }, "like", "stays");
    }
    await setStarred(app.hub, ann!, { id: top.id }, true);
    await app.work();
  }
  const paths = ["statuses/home_timeline", "statuses/mentions", "statuses/public_timeline", "favorites"];
  for (const path of paths) {
    expect([path, await cost(`/api/${path}.json`)]).toEqual([path, 4]);
    expect([path, await cost(`/api/1.1/${path}.json`, { count: 2 })]).toEqual([path, 4]);
  }
});

/** So many queries at most, once the visitor has been there, on either engine: what must not grow without a reason. */
const most: Record<string, { member: number; guest?: number }> = {
  "/channel/ann": { member: 27, guest: 20 },
  "/display/id": { member: 20, guest: 12 },
  // One of them only as long as the site has no channel of its own.
  "/search?search=from:bea": { member: 15, guest: 12 },
  "/directory": { member: 10, guest: 7 },
  "/network": { member: 21 },
};

test("who looks costs no page a query more: members, guests and nobody", async () => {
  const [ann, bea] = people.map((person) => person.channel);
  const top = await postItem(app.hub, ann!, { body: "Seen by everybody" });
  await app.work();
  await postItem(app.hub, bea!, { body: "Answer @ann", parent: { mid: top.mid } });
  await app.work();
  const { atoken_token } = await createGuest(app.hub, ann!, { name: "Granny" });
  const [member, guest] = [visitorOf(app.app), visitorOf(app.app)];
  await member.logIn("bea", password);
  await guest.get(`/channel/ann?zat=${atoken_token}`);
  const pageCost = async (visitor: Visitor, path: string): Promise<number> => {
    const here = path.replace(/id$/, top.uuid);
    await visitor.get(here);
    queries = 0;
    expect((await visitor.get(here)).status).toBe(200);
    return queries;
  };
  for (const [path, limit] of Object.entries(most)) {
    expect(await pageCost(member, path), `${path} as member`).toBeLessThanOrEqual(limit.member);
    if (limit.guest !== undefined)
      expect(await pageCost(guest, path), `${path} as guest`).toBeLessThanOrEqual(limit.guest);
  }
  expect(await cost("/api/statuses/show.json", { id: top.id })).toBeLessThanOrEqual(4);
  const shown = "/api/users/show.json";
  await app.anonymous.get(shown, { screen_name: "ann" });
  queries = 0;
  expect((await app.anonymous.get(shown, { screen_name: "ann" })).status).toBe(200);
  expect(queries, `${shown} as nobody`).toBeLessThanOrEqual(11);
});
