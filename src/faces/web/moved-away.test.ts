import { TrieRouter } from "hono/router/trie-router";
import { afterAll, beforeAll, expect, test } from "vitest";
import { annAtHome } from "../../../test/support/ann-at-home.ts";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { crawl } from "../../../test/support/crawl.ts";
import { mastodonPerson } from "../../../test/support/mastodon.ts";
import { password } from "../../../test/support/hub.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import type { Visitor } from "../../../test/support/visitor.ts";
import { wholeChannel } from "../../../test/support/whole-channel.ts";
import { setAdministrator } from "../../domain/identity/accounts/accounts.ts";
import { leaveFor } from "../../domain/identity/channels/moved.ts";
import { keepSketch } from "../../domain/items/posting/sketches.ts";
import type { Page } from "./page.ts";
import { pages } from "./pages/table.ts";

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

test("what has been read can be said by pages and APIs, and empty pages name nothing that is not there", async () => {
  const house = await annAtHome();
  const app = await mastodonPerson(house.world, house.ann.channel);
  const tell = async () => {
    await house.bob.post("/api/statuses/update", { status: "@ann look" });
    await house.world.work();
  };
  for (const _ of [1, 2, 3]) await tell();
  const { json } = await app.post("/api/v1/statuses", { status: "@bob psst", visibility: "direct" });
  await house.world.work();
  await leaveFor(house.world.hub, house.ann.channel, { url: "https://new.example", nick: "ann" });
  const waiting = async () => (await house.ann.get("/api/svc/notifications")).json.filter((one: any) => one.seen === 0);
  const [first, second, ...rest] = await waiting();
  expect((await house.ann.post("/api/svc/notifications/seen", { id: first.id })).status).toBe(200);
  expect((await waiting()).map(({ id }: any) => id)).toEqual([second, ...rest].map(({ id }) => id));
  const { text } = await house.visitor.get("/notifications");
  expect(text).toContain('action="/notifications"');
  await house.visitor.post("/notifications", { id: String(second.id) });
  expect((await waiting()).map(({ id }: any) => id)).toEqual(rest.map(({ id }: any) => id));
  expect((await house.visitor.post("/notifications", {})).status).toBe(303);
  expect(await waiting()).toEqual([]);
  expect((await app.post("/api/v1/markers", { notifications: { last_read_id: "1" } })).status).toBe(200);
  const [{ id }] = (await app.get("/api/v1/conversations")).json;
  expect((await app.post(`/api/v1/conversations/${id}/read`)).status).toBe(200);
  expect((await app.post("/api/v1/notifications/clear")).status).toBe(403);
  expect((await app.post(`/api/v1/statuses/${json.id}/favourite`)).status).toBe(403);
  const [filters, drafts] = [
    (await house.visitor.get("/settings/filters")).text,
    (await house.visitor.get("/drafts")).text,
  ];
  expect([filters.includes("You filter nothing."), filters.includes("above")]).toEqual([true, false]);
  expect([drafts.includes("There are no drafts."), drafts.includes("Write a post")]).toEqual([true, false]);
  await house.world.close();
});

test("drafts are read in whole where they are listed, as the pages that they belong to have no form", async () => {
  const house = await annAtHome();
  const body = `Begun at home. ${"Words and words. ".repeat(30)}The end.`;
  await keepSketch(house.world.hub, house.ann.channel, {
    name: "a".repeat(32),
    place: "/network",
    fields: [["body", body]],
  });
  const listed = async () => {
    const { text } = await house.visitor.get("/drafts");
    return [text.includes("?draft="), text.includes(body)];
  };
  expect(await listed()).toEqual([true, false]);
  await leaveFor(house.world.hub, house.ann.channel, { url: "https://new.example", nick: "ann" });
  expect(await listed()).toEqual([false, true]);
  await house.world.close();
});

const rows = new TrieRouter<Page>();
for (const page of pages) rows.add("ALL", page.path, page);

function rowOf(path: string): Page | undefined {
  return rows.match("GET", path.split("?")[0]!)[0][0]?.[0];
}

function kindOf(path: string): string | undefined {
  return path.startsWith("/logout") ? undefined : rowOf(path)?.path;
}

const place = 'This channel has moved to <a href="https://new.example/channel/alma">alma@new.example</a>';

test("no page has a form that is refused, and no button or list leads to one that is there for such a form", async () => {
  const house = await openTestApp();
  const alma = await wholeChannel(house.hub, "alma");
  await setAdministrator(house.hub, alma.channel_account_id, true);
  const owner = visitorOf(house.app);
  await owner.logIn("alma", password);
  const own = ["cloud", "photos", "webpages", "menu", "wiki", "articles", "cards", "chat"].map((one) => `/${one}/alma`);
  const start = [...own, "/network", "/channel/alma", "/events?from=2026-06-20", "/mail", "/settings", "/moderate"];
  const before = await crawl(owner, [...start, "/welcome", "/drafts", "/scheduled"], kindOf, () => undefined, 2);
  expect(before.forms.length).toBeGreaterThan(60);
  await leaveFor(house.hub, alma, { url: "https://new.example", nick: "alma" });
  const after = await crawl(
    owner,
    before.paths,
    kindOf,
    (path, { status, text }) => {
      // Where nothing else is left on a page, this says why.
      if (status === 200 && text.includes("<main"))
        expect([path, text.includes(place), text.includes("<h1")]).toEqual([path, true, true]);
      for (const [, link = ""] of text.matchAll(/<a class="[^"]*\bbutton\b[^"]*"[^>]* href="([^"]*)"/g))
        expect([path, link, rowOf(link)?.onlyForm]).toEqual([path, link, undefined]);
    },
    2,
  );
  const refused: string[] = [];
  for (const { action } of after.forms) {
    // It says so before it looks at the form, and without its token nothing happens.
    const answer = await owner.post(action, { form_security_token: "" });
    if (answer.text.includes("has moved to https://new.example")) refused.push(action);
  }
  expect(refused).toEqual([]);
  const settings = (await owner.get("/settings")).text;
  expect(["profile", "account", "move"].map((one) => settings.includes(`href="/settings/${one}"`))).toEqual([
    false,
    true,
    true,
  ]);
  await house.close();
});
