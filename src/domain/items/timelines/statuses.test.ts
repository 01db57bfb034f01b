import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
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
