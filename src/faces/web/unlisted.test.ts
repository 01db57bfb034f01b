import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { password } from "../../../test/support/hub.ts";
import { visitorOf } from "../../../test/support/visitor.ts";

/** Posts for everybody that stand in no list which everybody reads (federation contract 5). */

let world: TestApp;
let alma: Person;
let bruno: Person;
const everybody = "https://www.w3.org/ns/activitystreams#Public";

beforeAll(async () => {
  world = await openTestApp();
  [alma, bruno] = [await world.person("alma"), await world.person("bruno")];
});
afterAll(() => world.close());

const lists = ["/", "/search?search=marmalade", "/search?search=armalad", "/search?tag=quince"];
const timelines = ["statuses/public_timeline", "statuses/networkpublic_timeline", "search?q=marmalade"];

async function isListed(word: string): Promise<boolean[]> {
  const pages = await Promise.all(lists.map((path) => world.anonymous.get(path)));
  const answers = await Promise.all(timelines.map((path) => bruno.get(`/api/${path}`)));
  return [...pages, ...answers].map(({ text }) => text.includes(word));
}

test.each<[string, (body: string, isUnlisted: boolean) => Promise<unknown>]>([
  [
    "by a program",
    (body, isUnlisted) => alma.post("/api/z/1.0/item/update", { body, ...(isUnlisted && { unlisted: "1" }) }),
  ],
  [
    "on a page",
    async (body, isUnlisted) => {
      const visitor = visitorOf(world.app);
      await visitor.logIn("alma", password);
      await visitor.get("/network");
      return visitor.post("/network", { body, audience: "public", ...(isUnlisted && { unlisted: "1" }) });
    },
  ],
])("written %s, it is on the wall and goes out, and is in no list", async (way, write) => {
  const name = way.replaceAll(" ", "");
  await write(`Marmalade ${name}1 #quince`, false);
  expect(await isListed(`${name}1`)).toEqual([...lists, ...timelines].map(() => true));
  await write(`Marmalade ${name}2 #quince`, true);
  await world.work();
  expect(await isListed(`${name}2`)).toEqual([...lists, ...timelines].map(() => false));
  const wall = await world.anonymous.get("/channel/alma");
  expect(wall.text).toContain(`${name}2`);
  const row = await world.hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .select(["item.id", "message.uuid"])
    .where("message.body", "like", `%${name}2%`)
    .executeTakeFirstOrThrow();
  const headers = { accept: "application/activity+json" };
  const { json } = await world.anonymous.get(`/item/${row.uuid}`, {}, { headers });
  expect(json).toMatchObject({ to: ["http://hub.example/followers/alma"], cc: [everybody] });
  // An edit changes nothing of that.
  await alma.post("/api/z/1.0/item/update", { post_id: row.id, body: `Marmalade ${name}2 #quince, edited` });
  await world.work();
  expect((await world.anonymous.get("/channel/alma")).text).toContain(", edited");
  expect(await isListed(`${name}2`)).toEqual([...lists, ...timelines].map(() => false));
});
