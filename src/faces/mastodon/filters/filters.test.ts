import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { TestApp } from "../../../../test/support/app.ts";
import { clientOf } from "../../../../test/support/client.ts";
import type { Client } from "../../../../test/support/client.ts";
import { mastodonPeople, postStatus, uploadPicture } from "../../../../test/support/mastodon.ts";
import type { MastodonPerson } from "../../../../test/support/mastodon.ts";
import { befriend } from "../../../../test/support/people.ts";
import { visitorOf } from "../../../../test/support/visitor.ts";
import { password } from "../../../../test/support/hub.ts";
import { importFilter } from "../../../domain/items/import-filter.ts";

/** What somebody does not want to read (mastodon contract 11.19, 11.20, 12.8). */

let world: TestApp;
let ann: MastodonPerson;
let bob: MastodonPerson;
let native: Client;
let count = 0;

beforeAll(async () => {
  world = await openTestApp();
  [ann, bob] = await mastodonPeople(world, "ann", "bob");
  native = clientOf(world.app, `ann:${password}`);
  await befriend(world.hub, ann.channel, bob.channel);
  await world.work();
});
afterAll(() => world.close());

const everywhere = ["home", "notifications", "public", "thread", "account"];
const add = (form: object) => ann.post("/api/v2/filters", { context: everywhere, ...form });
const words = (...phrases: string[]) => phrases.map((keyword) => ({ keyword, whole_word: true }));

/** A new post, that names Ann, with a word that nothing else has. */
async function post(text: string) {
  const marker = `marker${++count}`;
  const { json } = await bob.post("/api/v1/statuses", { status: `${text} ${marker} @ann`, visibility: "public" });
  await world.work();
  return { marker, uri: json.uri as string };
}

type Filtered = { uri: string; id: string; filtered: { filter: { title: string; keywords?: object } }[] };
const page = async (path: string): Promise<Filtered[]> => {
  const { json } = await ann.get(path);
  return path.includes("notifications") ? json.flatMap(({ status }: { status?: Filtered }) => status ?? []) : json;
};
const on = async (path: string, { uri }: { uri: string }) => (await page(path)).find((status) => status.uri === uri);

const lists = {
  home: "/api/v1/timelines/home",
  public: "/api/v1/timelines/public?local=true",
  notifications: "/api/v1/notifications",
};

test("a filter that warns marks posts, and one that hides keeps them out of the lists where it counts", async () => {
  const { json: filter } = await add({ title: "Ball", keywords_attributes: words("football", "rugby") });
  expect(filter).toMatchObject({ title: "Ball", context: everywhere, expires_at: null, filter_action: "warn" });
  const hit = await post("Rugby, and FOOTBALL!");
  const miss = await post("footballs");
  for (const path of Object.values(lists)) {
    expect((await on(path, hit))!.filtered).toEqual([
      {
        filter: { id: filter.id, title: "Ball", context: everywhere, expires_at: null, filter_action: "warn" },
        keyword_matches: expect.arrayContaining(["football", "rugby"]),
        status_matches: null,
      },
    ]);
    expect((await on(path, miss))!.filtered).toEqual([]);
  }
  for (const [context, path] of Object.entries(lists)) {
    await ann.put(`/api/v2/filters/${filter.id}`, { filter_action: "hide", context: [context] });
    for (const other of Object.values(lists))
      expect([context, other, (await on(other, hit)) === undefined]).toEqual([context, other, other === path]);
  }
  expect((await ann.get(`/api/v1/statuses/${(await on(lists.home, hit))!.id}`)).json.filtered).toHaveLength(1);
  const own = (await bob.get(lists.home)).json.find(({ uri }: Filtered) => uri === hit.uri);
  expect(own.filtered).toEqual([]);
  expect((await ann.send("DELETE", `/api/v2/filters/${filter.id}`)).json).toEqual({});
  expect((await on(lists.notifications, hit))!.filtered).toEqual([]);
});

test("words are added, changed and removed by themselves; regular expressions are text", async () => {
  const { json: filter } = await add({ title: "T", filter_action: "blur", keywords_attributes: words("a.c") });
  const hit = await post("a.c");
  expect((await on(lists.home, hit))!.filtered[0]).toMatchObject({ filter: { filter_action: "blur" } });
  expect((await on(lists.home, await post("abc")))!.filtered).toEqual([]);
  const { json: word } = await ann.post(`/api/v2/filters/${filter.id}/keywords`, { keyword: "Tea" });
  expect(word).toEqual({ id: expect.any(String), keyword: "Tea", whole_word: false });
  expect((await ann.put(`/api/v2/filters/keywords/${word.id}`, { whole_word: true })).json.whole_word).toBe(true);
  expect((await ann.get(`/api/v2/filters/keywords/${word.id}`)).json.keyword).toBe("Tea");
  // Words that a filter has already are changed, and are what is answered.
  const again = await ann.post(`/api/v2/filters/${filter.id}/keywords`, { keyword: "a.c", whole_word: true });
  expect(again.json).toEqual({ id: filter.keywords[0].id, keyword: "a.c", whole_word: true });
  const changed = await ann.put(`/api/v2/filters/${filter.id}`, {
    keywords_attributes: [{ id: word.id, _destroy: true }, { keyword: "coffee" }],
  });
  expect(changed.json.keywords.map(({ keyword }: { keyword: string }) => keyword)).toEqual(["a.c", "coffee"]);
  const [first] = changed.json.keywords;
  await ann.send("DELETE", `/api/v2/filters/keywords/${first.id}`);
  expect((await ann.get(`/api/v2/filters/${filter.id}/keywords`)).json).toHaveLength(1);
  await ann.send("DELETE", `/api/v2/filters/${filter.id}`);
});

test("single posts are filtered, by any copy", async () => {
  const { json: filter } = await add({ title: "That one", filter_action: "warn" });
  const hit = await post("that");
  const { id } = (await on(lists.home, hit))!;
  const { json: entry } = await ann.post(`/api/v2/filters/${filter.id}/statuses`, { status_id: id });
  expect(entry.status_id).toBe(id);
  expect((await on(lists.public, hit))!.filtered).toMatchObject([{ keyword_matches: null, status_matches: [id] }]);
  await ann.put(`/api/v2/filters/${filter.id}`, { filter_action: "hide" });
  expect(await on(lists.public, hit)).toBeUndefined();
  expect((await ann.get(`/api/v2/filters/${filter.id}/statuses`)).json).toEqual([entry]);
  expect((await ann.get(`/api/v2/filters/statuses/${entry.id}`)).json).toEqual(entry);
  await ann.send("DELETE", `/api/v2/filters/statuses/${entry.id}`);
  expect(await on(lists.public, hit)).toBeDefined();
  await ann.send("DELETE", `/api/v2/filters/${filter.id}`);
});

test("a filter ends in its time, and stays to be begun anew", async () => {
  const { json: filter } = await add({
    title: "For an hour",
    expires_in: 3600,
    filter_action: "hide",
    keywords_attributes: words("briefly"),
  });
  const hit = await post("briefly");
  expect(await on(lists.home, hit)).toBeUndefined();
  world.hub.setClock(new Date(world.hub.clock().getTime() + 3_601_000));
  await world.work();
  expect((await on(lists.home, hit))!.filtered).toEqual([]);
  expect((await ann.get(`/api/v2/filters/${filter.id}`)).json.expires_at).toBe(filter.expires_at);
  await ann.put(`/api/v2/filters/${filter.id}`, { expires_in: "" });
  expect(await on(lists.home, hit)).toBeUndefined();
  await ann.send("DELETE", `/api/v2/filters/${filter.id}`);
});

test("the first form has each word by itself, and pages show both", async () => {
  const { json: old } = await ann.post("/api/v1/filters", {
    phrase: "cake",
    context: ["home"],
    irreversible: true,
    whole_word: true,
  });
  expect(old).toEqual({
    id: expect.any(String),
    phrase: "cake",
    context: ["home"],
    expires_at: null,
    irreversible: true,
    whole_word: true,
  });
  const { json: filter } = await add({ title: "Sweet", keywords_attributes: words("jam", "honey") });
  expect((await ann.get("/api/v1/filters")).json.map(({ phrase }: { phrase: string }) => phrase)).toEqual([
    "cake",
    "jam",
    "honey",
  ]);
  expect((await ann.get(`/api/v1/filters/${old.id}`)).json).toEqual(old);
  expect((await ann.put(`/api/v1/filters/${old.id}`, { phrase: "tart", irreversible: false })).json).toMatchObject({
    phrase: "tart",
    irreversible: false,
    context: ["home"],
  });
  const visitor = visitorOf(world.app);
  await visitor.logIn("ann", password);
  const { text } = await visitor.get("/settings/filters");
  expect(text).toContain("Sweet");
  expect(text).toMatch(/“jam”, “honey”/);
  await visitor.post("/settings/filters", { phrase: "by page", action: "hide" });
  const all = (await ann.get("/api/v2/filters")).json;
  expect(all.at(-1)).toMatchObject({
    title: "by page",
    context: ["home", "public", "thread", "account"],
    filter_action: "hide",
  });
  for (const { id } of (await ann.get("/api/v1/filters")).json) await ann.send("DELETE", `/api/v1/filters/${id}`);
  expect((await ann.get("/api/v2/filters")).json).toEqual([]);
  expect((await ann.get(`/api/v2/filters/${filter.id}`)).status).toBe(404);
});

test("words are found in titles, warnings, options of polls and descriptions of files, and in what is shared", async () => {
  const { json: filter } = await add({ title: "Root", keywords_attributes: words("celeriac") });
  const media = await uploadPicture(bob, { description: "A celeriac on a table" });
  const poll = { options: ["Celeriac", "Turnip"], expires_in: 600 };
  const forms: Record<string, object> = {
    title: { status: "words", title: "Celeriac" },
    warning: { status: "words", spoiler_text: "Celeriac" },
    poll: { status: "Soup?", poll },
    description: { status: "words", media_ids: [media.id] },
  };
  for (const [place, form] of Object.entries(forms)) {
    const made = await postStatus(world, bob, { ...form, visibility: "public" });
    for (const action of ["warn", "hide"]) {
      await ann.put(`/api/v2/filters/${filter.id}`, { filter_action: action });
      const found = await on(lists.home, made);
      const told = action === "warn" ? found?.filtered.map((one) => one.filter.title) : found;
      expect([place, action, told]).toEqual([place, action, action === "warn" ? ["Root"] : undefined]);
    }
  }
  await ann.put(`/api/v2/filters/${filter.id}`, { filter_action: "warn" });
  const { id } = await postStatus(world, bob, { status: "Celeriac", visibility: "public" });
  await bob.post(`/api/v1/statuses/${id}/reblog`);
  await world.work();
  const shares = (await ann.get(`/api/v1/accounts/${bob.channel.xchan_id}/statuses`)).json;
  const share = shares.find(({ reblog }: { reblog: object | null }) => reblog !== null);
  expect([share.filtered, share.reblog.filtered].flat()[0]).toMatchObject({ filter: { title: "Root" } });
  await ann.send("DELETE", `/api/v2/filters/${filter.id}`);
});

test("what cannot be is refused, and filters of others are not there", async () => {
  const { json: filter } = await add({ title: "Mine", keywords_attributes: words("mine") });
  const wrong: object[] = [
    { title: "" },
    { title: "x", context: [] },
    { title: "x", context: ["kitchen"] },
    { title: "x", expires_in: -5 },
    { title: "x", filter_action: "burn" },
    { title: "x", keywords_attributes: [{ keyword: " " }] },
    { title: "x", keywords_attributes: Array.from({ length: 101 }, (_, n) => ({ keyword: `w${n}` })) },
  ];
  for (const form of wrong) expect([form, [422, 403].includes((await add(form)).status)]).toEqual([form, true]);
  expect((await add({ title: "x", keywords_attributes: [{ id: "99999", keyword: "x" }] })).status).toBe(404);
  expect((await ann.get("/api/v2/filters")).json).toHaveLength(1);
  const [word] = filter.keywords;
  for (const path of [`v2/filters/${filter.id}`, `v2/filters/keywords/${word.id}`, `v1/filters/${word.id}`]) {
    expect((await bob.get(`/api/${path}`)).status).toBe(404);
    expect((await bob.send("DELETE", `/api/${path}`)).status).toBe(404);
    expect((await bob.send("PUT", `/api/${path}`, new URLSearchParams({ title: "y" }))).status).toBe(404);
  }
  for (const form of [{ keyword: "y" }, {}])
    expect((await bob.post(`/api/v2/filters/${filter.id}/keywords`, form)).status).toBe(404);
  for (const form of [{ keyword: " " }, {}]) {
    const { status, json } = await ann.post(`/api/v2/filters/${filter.id}/keywords`, form);
    expect([status, json.error]).toEqual([422, "Validation failed: Keyword can't be blank"]);
  }
  expect((await ann.get(`/api/v2/filters/${filter.id}`)).json).toEqual(filter);
});

test("exports carry filters, and imports take them over once", async () => {
  const made = await add({ title: "Exported", filter_action: "hide", keywords_attributes: words("marrow", "leek") });
  expect(made.status).toBe(200);
  const { json } = await native.get("/api/z/1.0/channel/export/basic", { sections: "config" });
  const record = json.filter.find((one: { title: string }) => one.title === "Exported");
  expect(record).toEqual({
    title: "Exported",
    context: everywhere.join(" "),
    action: "hide",
    ends: "0001-01-01 00:00:00",
    words: ["marrow", "leek"].map((phrase) => ({ phrase, whole_words: "1" })),
  });
  const take = (changed: object) => importFilter(world.hub, bob.channel, { ...record, ...changed });
  expect([await take({}), await take({}), await take({ action: "x" }), await take({ words: "x", title: "" })]).toEqual([
    "imported",
    "there",
    "unreadable",
    "unreadable",
  ]);
  expect((await bob.get("/api/v2/filters")).json).toMatchObject([
    { title: "Exported", context: everywhere, filter_action: "hide", keywords: [{ keyword: "marrow" }, {}] },
  ]);
});
