import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { password } from "../../../test/support/hub.ts";
import { befriend, mark } from "../../../test/support/people.ts";
import { visitorOf, withoutTokens } from "../../../test/support/visitor.ts";
import type { Visitor } from "../../../test/support/visitor.ts";
import { postItem } from "../../domain/items/posting/post.ts";
import { reshare } from "../../domain/items/posting/reshares.ts";
import type { Item } from "../../domain/items/types.ts";

/** Who shared a post, for whoever sees the post: those who did it where everybody sees that. */

let world: TestApp;
let people: Person[];
let bob: Visitor;
let post: Item;

beforeAll(async () => {
  world = await openTestApp();
  const { hub } = world;
  people = [];
  for (const nick of ["ann", "bob", "cara", "dora", "emil", "fay"]) people.push(await world.person(nick));
  const [ann, ...others] = people;
  for (const { channel } of others) await befriend(hub, ann!.channel, channel);
  await befriend(hub, people[1]!.channel, people[5]!.channel);
  await world.work();
  post = await postItem(hub, ann!.channel, { body: "Pass it on" });
  await world.work();
  bob = visitorOf(world.app);
  await bob.logIn("bob", password);
});
afterAll(() => world?.close());

const share = async (...nicks: string[]) => {
  for (const { nick, channel } of people)
    if (nicks.includes(nick)) await reshare(world.hub, channel, { mid: post.mid }, "test");
  await world.work();
};
const page = async (visitor: Visitor) =>
  withoutTokens((await visitor.get(`/display/${post.mid.split("/item/")[1]}`)).text)
    .replace(/<\/?bdi>/g, "")
    .replace(/\s+/g, " ");

test("few are named, many are listed, and whoever is blocked is not", async () => {
  expect(await page(bob)).not.toContain("shared this");
  await share("cara");
  expect(await page(bob)).toContain("Cara shared this");
  expect(await page(visitorOf(world.app))).toContain("Cara shared this");
  await share("bob", "dora", "fay");
  const text = await page(bob);
  expect(text).toMatch(/<details class="sharers"> <summary>You, Cara,? and 2 others shared this<\/summary>/);
  const listOf = (shown: string) =>
    /<details class="sharers">.*?<ul>(.*?)<\/ul>/.exec(shown)?.[1]?.match(/>(\w+)<\/a>/g);
  expect(listOf(text)).toEqual([">Cara</a>", ">Bob</a>", ">Dora</a>", ">Fay</a>"]);
  await mark(world.hub, people[1]!.channel, people[5]!.channel, { blocked: true });
  expect(await page(bob)).toMatch(/You, Cara,? and Dora shared this/);
  expect(await page(bob)).not.toContain("Fay");
});

test("what is shared says when it was written as all posts do, in the language of who reads", async () => {
  const [moment, odd] = ["2026-02-26 09:00:00", "2026-02-99 09:00:00"];
  const shared = (posted: string) =>
    `[share author='Zoe' link='https://far.example/1' posted='${posted}']Words[/share]`;
  const { uuid } = await postItem(world.hub, people[0]!.channel, { body: `Look ${shared(moment)} and ${shared(odd)}` });
  const { text } = await world.anonymous.get(`/display/${uuid}`, {}, { headers: { "accept-language": "de" } });
  expect(text).toMatch(
    /<a [^>]*href="https:\/\/far\.example\/1"[^>]*><time datetime="2026-02-26T09:00:00\.000Z" title="[^"]*"\s*>vor 3 Tagen<\/time\s*><\/a><\/header>/,
  );
  expect(text.includes(`>${moment}<`)).toBe(false);
  expect(text).toContain(`>${odd}</a></header>`);
});
