import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { annAtHome } from "../../../test/support/ann-at-home.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { password } from "../../../test/support/hub.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import type { Visitor } from "../../../test/support/visitor.ts";
import { findConnectionTo, updateConnection } from "../../domain/connections/connections.ts";
import { addFilter, listFilters } from "../../domain/items/filters.ts";

/** Words and people of which a member wants to read less (federation contract 13). */

let world: TestApp;
let ann: Person;
let bob: Person;
let cleo: Person;
let visitor: Visitor;

beforeAll(async () => {
  ({ world, ann, bob, cleo, visitor } = await annAtHome());
});
afterAll(() => world.close());

const uid = () => ann.channel.channel_id;

async function filter(phrase: string, action: "hide" | "fold", whole = true): Promise<void> {
  await visitor.get("/settings/filters");
  const { status } = await visitor.post("/settings/filters", { phrase, action, ...(whole && { whole: "1" }) });
  expect(status).toBe(303);
}

/** Where Ann comes across a post: in her stream, and in those of the two APIs. */
async function seenIn(text: string): Promise<Record<"page" | "native" | "microblog", boolean>> {
  const page = await visitor.get("/network");
  const native = await ann.get("/api/z/1.0/network/stream", { records: 50 });
  const microblog = await ann.get("/api/statuses/home_timeline", { count: 50 });
  return {
    page: page.text.includes(text),
    native: native.text.includes(text),
    microblog: microblog.text.includes(text),
  };
}

const everywhere = { page: true, native: true, microblog: true };
const nowhere = { page: false, native: false, microblog: false };
let round = 0;

describe("words", () => {
  let marker: string;

  const posted = async (who: Person, words: Record<string, string>): Promise<string> => {
    const { json } = await who.post("/api/z/1.0/item/update", words);
    await world.work();
    return json.item.mid.split("/").at(-1);
  };

  beforeEach(async () => {
    round += 1;
    marker = `marker${round}x`;
    for (const { id } of await listFilters(world.hub, uid())) {
      await visitor.get("/settings/filters");
      await visitor.post("/settings/filters/remove", { id: String(id) });
    }
  });

  const found: [string, string, boolean, Record<string, string>][] = [
    ["a word", "Football", true, { body: "It is FOOTBALL again" }],
    ["a word with signs around it", "football", true, { body: "(football!)" }],
    ["a hashtag", "football", true, { body: "Again #football" }],
    ["a title", "football", true, { title: "On football", body: "again" }],
    ["a content warning", "football", true, { summary: "Football", body: "again" }],
    ["several words", "late  football", true, { body: "Late, football" }],
    ["a part of a word", "otb", false, { body: "Football" }],
    ["other letters", "ÉTÉ", true, { body: "Un bel été" }],
    ["signs that are no words", "🏈", true, { body: "Look 🏈" }],
    ["a sign that means something to databases", "100%", false, { body: "It is 100% sure" }],
  ];
  test.each(found)("%s is found, hidden in streams and folded elsewhere", async (_name, phrase, whole, words) => {
    const uuid = await posted(bob, { ...words, body: `${words["body"]!} ${marker}` });
    expect(await seenIn(marker)).toEqual(everywhere);
    await filter(phrase, "hide", whole);
    expect(await seenIn(marker)).toEqual(nowhere);
    for (const path of [`/display/${uuid}`, "/channel/bob"]) {
      const { text } = await visitor.get(path);
      expect(text).toMatch(new RegExp(`which you filter[^]*${marker}`));
    }
    // It is a matter of the reader alone.
    for (const other of [cleo, bob].map(({ nick }) => nick)) {
      const their = visitorOf(world.app);
      await their.logIn(other, password);
      expect((await their.get(`/display/${uuid}`)).text).not.toContain("which you filter");
    }
  });

  const passed: [string, string, boolean, string][] = [
    ["a part of a word where whole ones are meant", "foot", true, "football"],
    ["one word of two", "late football", true, "football, late"],
    ["a sign that stands for others in databases", "f%l_", false, "football"],
  ];
  test.each(passed)("%s is not found", async (_name, phrase, whole, body) => {
    await posted(bob, { body: `${body} ${marker}` });
    await filter(phrase, "hide", whole);
    expect(await seenIn(marker)).toEqual(everywhere);
  });

  test("a filter that folds leaves the post in its place, folded, with its comments", async () => {
    const uuid = await posted(bob, { title: "Football", body: marker });
    await posted(bob, { body: `football comment ${marker}`, parent_mid: `http://hub.example/item/${uuid}` });
    await filter("football", "fold");
    expect(await seenIn(marker)).toEqual(everywhere);
    const { text } = await visitor.get("/network");
    expect(text.match(/Has “football”, which you filter/g)!.length).toBeGreaterThanOrEqual(2);
  });

  test("what the member wrote, starred or asks for stands", async () => {
    const own = await posted(ann, { body: `My football ${marker}own` });
    await posted(bob, { body: `Starred football ${marker}star` });
    const [{ id }] = (await ann.get("/api/statuses/home_timeline", { count: 1 })).json;
    await ann.post(`/api/favorites/create/${id}`, {});
    await filter("football", "hide");
    expect(await seenIn(`${marker}own`)).toEqual(everywhere);
    expect((await visitor.get(`/display/${own}`)).text).not.toContain("which you filter");
    expect((await visitor.get("/network?star=1")).text).toContain(`${marker}star`);
  });

  test("the same words again replace the filter; nothing, too much and what is unknown is refused", async () => {
    await filter("football", "hide");
    await filter("football", "fold", false);
    expect(await listFilters(world.hub, uid())).toMatchObject([
      { title: "football", action: "warn", words: [{ phrase: "football", wholeWords: false }] },
    ]);
    await visitor.get("/settings/filters");
    expect((await visitor.post("/settings/filters", { phrase: " ", action: "fold" })).status).toBe(422);
    const odd = await visitor.post("/settings/filters", { phrase: "rugby", action: "burn" });
    expect([odd.status, odd.text.includes('value="rugby"')]).toEqual([422, true]);
    const fields = { title: "Many", contexts: ["home" as const], action: "warn" as const, ends: undefined };
    const words = Array.from({ length: 99 }, (_, n) => ({ phrase: `p${n}` }));
    await addFilter(world.hub, ann.channel, fields, words);
    await visitor.get("/settings/filters");
    expect((await visitor.post("/settings/filters", { phrase: "rugby", action: "fold" })).status).toBe(422);
  });

  test("a filter is removed with one button, and the post stands again", async () => {
    await posted(bob, { body: `football ${marker}` });
    await filter("football", "hide");
    const { id } = (await listFilters(world.hub, uid()))[0]!;
    await visitor.get("/settings/filters");
    expect((await visitor.post("/settings/filters/remove", { id: String(id) })).location).toMatch(/done=removed$/);
    expect([await listFilters(world.hub, uid()), await seenIn(marker)]).toEqual([[], everywhere]);
  });

  test("filters of others are not there", async () => {
    await filter("football", "hide");
    const { id } = (await listFilters(world.hub, uid()))[0]!;
    const their = visitorOf(world.app);
    await their.logIn("bob", password);
    expect((await their.get("/settings/filters")).text).not.toContain("football");
    expect((await their.post("/settings/filters/remove", { id: String(id) })).status).toBe(404);
    expect((await visitorOf(world.app).get("/settings/filters")).status).not.toBe(200);
    expect(await listFilters(world.hub, uid())).toHaveLength(1);
  });
});

test("muted people are listed, and heard again with one button", async () => {
  const row = () => findConnectionTo(world.hub, uid(), bob.channel.channel_hash);
  expect((await visitor.get("/connections/muted")).text).toContain("You haven&#39;t muted anybody.");
  await updateConnection(world.hub, ann.channel, (await row())!.abook_id, { ignored: true });
  expect((await visitor.get("/connections/muted")).text).toMatch(/Muted people[^]*Bob/);
  const done = await visitor.post("/connections/muted", { xchan: bob.channel.channel_hash });
  expect(done.location).toBe("/connections/muted?done=unmuted");
  expect((await row())!.abook_ignored).toBe(0);
  await visitor.get("/connections/muted");
  for (const xchan of [bob.channel.channel_hash, cleo.channel.channel_hash, "nobody"])
    expect((await visitor.post("/connections/muted", { xchan })).status).toBe(404);
});

test("strangers are muted, and readers sent away, from the menus of their pages", async () => {
  const [bobs, cleos] = [bob, cleo].map(({ channel }) => channel.channel_hash) as [string, string];
  const row = (hash: string) => findConnectionTo(world.hub, uid(), hash);
  for (const [page, hash, button, door, done] of [
    ["/channel/cleo", cleos, "Mute", "mute", "muted"],
    ["/channel/cleo", cleos, "Unmute", "unmute", "unmuted"],
    ["/channel/bob", bobs, "Have them stop reading", "drop-reader", "noreader"],
  ] as const) {
    expect((await visitor.get(page)).text).toContain(`${button}</button>`);
    const { location } = await visitor.post(`/connections/${door}`, { xchan: hash, back: page });
    expect(location).toBe(`${page}?done=${done}`);
  }
  expect((await row(bobs))?.follow_in ?? "none").toBe("none");
  expect((await visitor.get("/channel/bob")).text).not.toContain("Have them stop reading");
  for (const door of ["mute", "unmute", "drop-reader"])
    for (const xchan of ["nobody", ann.channel.channel_hash])
      expect((await visitor.post(`/connections/${door}`, { xchan })).status).toBe(404);
});

test("muted people and filtered words are nobody else's business", async () => {
  await filter("secretword", "fold");
  await visitor.get("/connections/muted");
  await visitor.post("/connections/mute", { xchan: bob.channel.channel_hash });
  for (const path of ["/connections/muted", "/settings/filters"])
    expect((await visitor.get(path)).text).toMatch(/Unmute[^]*Bob|secretword/);
  for (const { nick } of [bob, cleo]) {
    const other = visitorOf(world.app);
    await other.logIn(nick, password);
    for (const path of ["/connections/muted", "/settings/filters", "/channel/ann", "/channel/bob"])
      expect((await other.get(path)).text).not.toMatch(/>\s*Unmute|secretword/);
  }
  for (const path of ["/connections/muted", "/settings/filters", "/connections/mute", "/connections/drop-reader"])
    expect((await visitorOf(world.app).get(path)).text).not.toMatch(/secretword|Unmute/);
});
