import { randomUUID } from "node:crypto";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAccount } from "../src/domain/identity/accounts/accounts.ts";
import type { ImportRun } from "../src/domain/import/run-state.ts";
import { importNow } from "../src/domain/import/start.ts";
import { makeKeys } from "../src/keys.ts";
import type { KeyPair } from "../src/keys.ts";
import { openTestApp } from "./support/app.ts";
import type { TestApp } from "./support/app.ts";
import { clientOf } from "./support/client.ts";
import { channelExport, itemsPage, oldHub, signed } from "./support/hubzilla.ts";
import type { Json } from "./support/hubzilla.ts";
import { password } from "./support/hub.ts";
import { photoOfTelephone } from "./support/pictures.ts";
import { visitorOf } from "./support/visitor.ts";
import type { Visitor } from "./support/visitor.ts";

/** What a channel of another program brings along has a place here, and what has none is named. */

let world: TestApp;
let keys: KeyPair;
let run: ImportRun;
let owner: Visitor;
let visitor: Visitor;
let api: ReturnType<typeof clientOf>;
let member: Visitor;
let original: Buffer;

const uuid = {
  guests: randomUUID(),
  direct: randomUUID(),
  plain: randomUUID(),
  warned: randomUUID(),
  article: randomUUID(),
  card: randomUUID(),
  closed: randomUUID(),
  poll: randomUUID(),
};
const photoHash = "ab".repeat(16);

beforeAll(async () => {
  keys = (await makeKeys()).rsa;
  original = await photoOfTelephone(900, 600);
  const fetch = oldHub({ basic: exported(), items: items(), files: [{ form: photoForm(), bytes: original }] });
  world = await openTestApp({ clock: "2026-12-01T12:00:00Z", fetch });
  const account = await createAccount(world.hub, { email: "alice@example.org", password });
  await world.person("bob");
  const old = { url: "https://hz.test", login: "alice", password };
  const options = { mode: "clone", nick: "", posts: true } as const;
  run = await importNow(world.hub, account.account_id, old, options, () => undefined);
  owner = visitorOf(world.app);
  await owner.logIn("alice@example.org", password);
  visitor = visitorOf(world.app);
  member = visitorOf(world.app);
  await member.logIn("bob@example.org", password);
  api = clientOf(world.app, `alice:${password}`);
});

afterAll(() => world?.close());

function exported(): Json {
  const guest = { atoken_name: "Aunt Agda", atoken_guid: "guid-of-agda", atoken_token: "agda-token" };
  const { compatibility, relocate, ...rest } = channelExport(keys);
  return {
    compatibility,
    relocate,
    ...rest,
    atoken: [guest],
    chatroom: [
      { cr_name: "Salon", cr_expire: 30, cr_created: "2026-11-01 10:00:00", cr_edited: "2026-11-01 10:00:00" },
      { cr_name: "Back room", cr_expire: 0, allow_cid: `<${guestHash()}>` },
    ],
    channel_features: [{ name: "one" }, { name: "two" }],
    productivity: { a: 1 },
  };
}

/** A post of the recording, with what is given in place of its own. */
function post(given: { uuid: string; [field: string]: unknown }): Json {
  const [top] = itemsPage(keys)["item"] as Json[];
  const mid = `https://hz.test/item/${given.uuid}`;
  const ids = { message_id: mid, message_top: mid, message_parent: mid, permalink: mid };
  const item: Json = { ...top, ...ids, item_private: 0, ...given };
  return { ...item, signature: `sha256.${signed(keys, item["body"])}` };
}

function items(): Json[] {
  const seen = { allow_cid: `<${guestHash()}>`, item_private: 1 };
  return [
    post({ uuid: uuid.plain, body: "A plain post" }),
    post({ uuid: uuid.warned, title: "Dinner", summary: "Contains &amp; spoilers", body: "The butler did it" }),
    post({ uuid: uuid.guests, body: "For Agda alone", ...seen }),
    post({ uuid: randomUUID(), body: "A bug", item_type: 4 }),
    post({
      uuid: uuid.article,
      title: "On rain",
      summary: "Why it falls",
      body: `It falls. ${"And falls. ".repeat(60)}The end of rain.`,
      item_type: 7,
      meta: [{ family: "system", key: "ARTICLE", value: "on-rain", sharing: 0 }],
    }),
    post({ uuid: uuid.direct, title: "Quietly", body: "Meet at ten", item_private: 2, allow_cid: `<${friend()}>` }),
    post({ uuid: uuid.card, title: "Shopping", body: "Bread", item_type: 6 }),
    post({ uuid: uuid.closed, title: "Closed", body: "For Agda to read", item_type: 7, ...seen }),
    post({ uuid: uuid.poll, body: "Which soup?", object_type: "Question", object: question }),
    answer("Leek"),
  ];
}

const question = {
  type: "Question",
  oneOf: [
    { type: "Note", name: "Leek", replies: { type: "Collection", totalItems: 2 } },
    { type: "Note", name: "Pea", replies: { type: "Collection", totalItems: 1 } },
  ],
  endTime: "2027-01-01T00:00:00Z",
};

/** A vote as that program keeps it: an answer with the choice as its title. */
function answer(choice: string): Json {
  const [, comment] = itemsPage(keys)["item"] as Json[];
  const poll = `https://hz.test/item/${uuid.poll}`;
  const ids = { uuid: randomUUID(), message_id: `${poll}-a`, message_top: poll, message_parent: poll };
  return { ...comment, ...ids, object_type: "Answer", title: choice, body: "", signature: "", item_private: 2 };
}

/** Somebody whom Alice knows. */
function friend(): string {
  const { abook } = channelExport(keys);
  return abook.find((one: Json) => Number(one["abook_self"]) === 0)["abook_xchan"];
}

function guestHash(): string {
  return `${(channelExport(keys)["channel"]["channel_hash"] as string).slice(0, 16)}.guid-of-agda`;
}

function photoForm(): Json {
  const names = { hash: photoHash, filename: "lake.jpg", filetype: "image/jpeg", filesize: original.length };
  const dates = { created: "2026-11-20 10:00:00", edited: "2026-11-20 10:00:00" };
  return {
    attach: [{ ...names, ...dates, is_photo: 1, is_dir: 0, revision: 0, folder: "" }],
    photo: [{ ...dates, imgscale: 0, description: "A lake" }],
  };
}

test("the import is whole, and names what has no place by kind and number", () => {
  expect(run.state).toBe("done");
  const nowhere = (count: number) => ({ "this hub has no place for it": { count, examples: [] } });
  expect(run.report.sections["channel_features"]).toMatchObject({ found: 2, imported: 0, left: nowhere(2) });
  expect(run.report.sections["productivity"]).toMatchObject({ found: 1, imported: 0, left: nowhere(1) });
  expect(run.report.sections["item"]!.left).toMatchObject({
    "this hub has no place for items of kind 4": { count: 1 },
  });
});

describe("moved posts", () => {
  test("/display and /item lead there by the uuid", async () => {
    expect((await visitor.get(`/display/${uuid.plain}`)).text).toContain("A plain post");
    expect((await visitor.get(`/item/${uuid.plain}`)).status).toBe(303);
    expect((await visitor.get(`/display/${randomUUID()}`)).status).toBe(404);
  });

  test("are answered by the uuid, too", async () => {
    await owner.get(`/display/${uuid.plain}`);
    const sent = await owner.post(`/display/${uuid.plain}`, { body: "Still mine" });
    expect(sent.status).toBe(303);
    expect((await visitor.get(`/display/${uuid.plain}`)).text).toContain("Still mine");
  });
});

test("a poll has its options and counts, takes votes, and shows nobody who chose what", async () => {
  const poll = async (who: Visitor): Promise<string> => {
    const { text } = await who.get(`/display/${uuid.poll}`);
    expect(text.match(/<article/g)).toHaveLength(1);
    const [part = ""] = /<(form|div)\s+class="poll"[^]*?<\/\1>/.exec(text) ?? [];
    return part
      .replaceAll(/<[^>]*>/g, " ")
      .replaceAll(/\s+/g, " ")
      .trim();
  };
  const { json } = await api.get("/api/z/1.0/item/full", { mid: `https://hz.test/item/${uuid.poll}` });
  expect(await poll(visitor)).toBe("Leek 2 votes Pea 1 vote 3 votes · ends 1 January 2027");
  const voted = await world.hub.db.selectFrom("poll_vote").select("choices").execute();
  expect(voted).toEqual([{ choices: '["Leek"]' }]);
  expect(await poll(member)).toMatch(/^Choose one Leek 2 votes/);
  await member.post(`/item/${json.item[0].id}/vote`, { choice: "1" });
  expect(await poll(member)).toBe("Leek 2 votes Pea your choice 2 votes 4 votes · ends 1 January 2027");
});

describe("a summary beside a title", () => {
  const warning = "Contains & spoilers";

  test("is a folded warning on pages", async () => {
    const { text } = await visitor.get(`/display/${uuid.warned}`);
    const fold = /<details class="warning">([^]*?)<\/details>/.exec(text)?.[1] ?? "";
    expect(fold).toContain("Contains &amp; spoilers");
    expect(fold).toContain("The butler did it");
    expect(text.replace(fold, "")).not.toContain("The butler did it");
    expect(text).toContain("Dinner</a></h2>");
  });

  test("has its place in native records, statuses and feeds", async () => {
    const { json } = await api.get("/api/z/1.0/item/full", { mid: `https://hz.test/item/${uuid.warned}` });
    expect(json.item[0]).toMatchObject({ title: "Dinner", summary: warning, body: "The butler did it" });
    const { json: page } = await api.get("/api/z/1.0/item/export_page", { records: 100 });
    const moved = page.item.find((one: Json) => one["title"] === "Dinner");
    expect(moved).toMatchObject({ summary: warning });
    const { json: statuses } = await api.get("/api/statuses/user_timeline.json");
    const status = statuses.find((one: Json) => one["svc_title"] === "Dinner");
    expect(status.svc_summary).toBe(warning);
    expect((await visitor.get("/feed/alice")).text).toContain("<summary>Contains &amp; spoilers</summary>");
    expect((await visitor.get("/feed/alice.rss")).text).toContain("Contains &amp;amp; spoilers");
  });

  test("is written by the APIs and the composer, and changed by an edit", async () => {
    const made = await api.post("/api/z/1.0/item/update", { body: "Secret ending", summary: "Ending" });
    expect(made.json.item).toMatchObject({ summary: "Ending" });
    await api.post("/api/z/1.0/item/update", { post_id: made.json.item_id, body: "Secret ending" });
    const status = await api.post("/api/statuses/update.json", { status: "More of it", summary: "Again" });
    expect(status.json.svc_summary).toBe("Again");
    await owner.get("/network");
    await owner.post("/network", { body: "By hand", summary: "Careful", audience: "public" });
    const { text } = await owner.get("/network");
    for (const [summary, body] of [
      ["Ending", "Secret ending"],
      ["Again", "More of it"],
      ["Careful", "By hand"],
    ])
      expect(text).toMatch(new RegExp(`<summary>${summary} [^]*?${body}`));
    await owner.get(`/item/${made.json.item_id}/edit`);
    await owner.post(`/item/${made.json.item_id}/edit`, { body: "Open ending", title: "", summary: "", category: "" });
    const { json } = await api.get("/api/z/1.0/item/full", { item_id: made.json.item_id });
    expect(json.item[0].body).toBe("Open ending");
    expect(json.item[0].summary).toBeUndefined();
  });

  test("is found by its words", async () => {
    const { json } = await api.get("/api/search.json", { q: "spoilers" });
    expect(json.map((one: Json) => one["svc_title"])).toEqual(["Dinner"]);
  });
});

describe("articles and cards", () => {
  test("have lists and pages, by name and by uuid", async () => {
    const list = (await visitor.get("/articles/alice")).text;
    expect(list).toContain('<a href="/articles/alice/on-rain">On rain</a>');
    expect(list).toContain("Why it falls");
    for (const path of ["/articles/alice/on-rain", `/articles/alice/${uuid.article}`, `/display/${uuid.article}`])
      expect((await visitor.get(path)).text).toContain("The end of rain.");
    expect((await visitor.get("/cards/alice")).text).toContain(`<a href="/cards/alice/${uuid.card}">Shopping</a>`);
    expect((await visitor.get(`/cards/alice/${uuid.card}`)).text).toContain("Bread");
    for (const path of ["/articles/bob", "/cards/alice/on-rain", "/articles/nobody", "/articles/alice/off-rain"])
      expect([path, (await visitor.get(path)).status]).toEqual([path, 404]);
  });

  test("stand in the stream with title and beginning, and in the channel's navigation", async () => {
    for (const { text } of [await owner.get("/network"), await visitor.get("/channel/alice")]) {
      expect(text).toContain("On rain</a></h2>");
      expect(text).toContain("Why it falls");
      expect(text).not.toContain("The end of rain.");
    }
    const { text } = await visitor.get("/channel/alice");
    expect(text).toContain('href="/articles/alice"');
    expect(text).toContain('href="/cards/alice"');
    expect((await visitor.get("/channel/bob")).text).not.toContain('href="/articles/bob"');
  });

  test("are listed by their kind in the stream, with what is below them", async () => {
    const titles = async (query: object): Promise<string[]> =>
      (await api.get("/api/z/1.0/network/stream", { records: 100, ...query })).json.map((one: Json) => one["title"]);
    expect(await titles({ item_type: 7, top: 1 })).toContain("On rain");
    expect(await titles({ item_type: 7, top: 1 })).not.toContain("Shopping");
    expect(await titles({ item_type: 6, nouveau: 1 })).toEqual(["Shopping"]);
    expect(await titles({ top: 1 })).toEqual(expect.arrayContaining(["On rain", "Shopping"]));
    const [{ id }] = (await api.get("/api/z/1.0/network/stream", { item_type: 6 })).json;
    await api.post("/api/z/1.0/item/update", { parent: id, body: "And milk" });
    const bodies = (await api.get("/api/z/1.0/network/stream", { item_type: 6 })).json;
    expect(bodies.map((one: Json) => one["body"])).toEqual(["Bread", "And milk"]);
  });

  test("are what they were in records and exports", async () => {
    const { json } = await api.get("/api/z/1.0/item/export_page", { records: 100 });
    const article = json.item.find((one: Json) => one["title"] === "On rain");
    expect(article).toMatchObject({ item_type: "7", summary: "Why it falls" });
    expect(article.meta).toContainEqual({ family: "system", key: "ARTICLE", value: "on-rain", sharing: 0 });
  });

  test("are shown to those whom their lists name, and to nobody else", async () => {
    const agda = visitorOf(world.app);
    await agda.get("/channel/alice?zat=agda-token");
    for (const path of ["/articles/alice", `/articles/alice/${uuid.closed}`]) {
      expect([path, (await agda.get(path)).text.includes("For Agda to read")]).toEqual([path, true]);
      expect([path, (await visitor.get(path)).text.includes("For Agda to read")]).toEqual([path, false]);
    }
  });

  test("are written by a form and by the API, and reach connections as posts", async () => {
    await owner.get("/articles/alice/new");
    const fields = {
      title: "Second",
      summary: "",
      body: "Words",
      mimetype: "text/markdown",
      pagetitle: "",
      audience: "public",
    };
    const sent = await owner.post("/articles/alice/new", fields);
    expect(sent.status).toBe(303);
    expect((await visitor.get(sent.location)).text).toContain("Words");
    expect((await visitor.get("/articles/alice/second")).text).toContain("Words");
    const made = await api.post("/api/z/1.0/item/update", { body: "Milk", webpage: 6, pagetitle: "Milk list" });
    expect(made.json.item).toMatchObject({ item_type: "6" });
    expect((await visitor.get("/cards/alice/milk-list")).text).toContain("Milk");
    const again = await api.post("/api/z/1.0/item/update", { body: "Milk", webpage: 6, pagetitle: "Milk list" });
    expect(again.status).toBe(409);
    expect((await member.get("/articles/alice/new")).status).toBe(404);
  });

  test("come by keyed pages", async () => {
    for (let n = 1; n <= 20; n++)
      await api.post("/api/z/1.0/item/update", { body: `Card ${n}`, title: `Card ${n}`, webpage: 6 });
    const first = (await visitor.get("/cards/alice")).text;
    const next = /href="(\/cards\/alice\?before=\d+)"/.exec(first)?.[1];
    expect(first).not.toContain("Shopping");
    expect((await visitor.get(next!)).text).toContain("Shopping");
  });
});

test("direct messages that were items become messages", async () => {
  const { text } = await owner.get("/mail");
  expect(text).toContain("Quietly");
  const sent = (await api.get("/api/direct_messages/sent.json")).json;
  expect(sent.map((one: Json) => one["text"]).filter((words: string) => words.includes("Meet at ten"))).toHaveLength(1);
  expect((await owner.get(`/display/${uuid.direct}`)).status).toBe(404);
  expect((await owner.get("/channel/alice")).text).not.toContain("Meet at ten");
});

describe("chatrooms", () => {
  const roomOf = async (who: Visitor, name: string): Promise<string> =>
    new RegExp(`href="(/chat/alice/\\d+)"(?:(?!<li)[^])*?<span>${name}</span>`).exec(
      (await who.get("/chat/alice")).text,
    )?.[1] ?? "";

  test("are listed for those who may enter", async () => {
    expect(await roomOf(owner, "Back room")).not.toBe("");
    expect(await roomOf(member, "Salon")).not.toBe("");
    expect(await roomOf(member, "Back room")).toBe("");
    expect((await visitor.get("/chat/alice")).status).toBe(404);
    const closed = await roomOf(owner, "Back room");
    for (const who of [member, visitor]) expect((await who.get(closed)).status).toBe(404);
  });

  test("keep what is said until it expires", async () => {
    const salon = await roomOf(owner, "Salon");
    await owner.get(salon);
    expect((await owner.post(salon, { body: "Good <b>evening</b>" })).status).toBe(303);
    expect((await owner.get(salon)).text).toContain("Good &lt;b&gt;evening&lt;/b&gt;");
    expect((await owner.post(salon, { body: "  " })).status).toBe(422);
    world.hub.advance(31 * 60);
    expect((await owner.get(salon)).text).not.toContain("evening");
  });
});

test("a guest keeps the identity that access lists name", async () => {
  const agda = visitorOf(world.app);
  await agda.get("/channel/alice?zat=agda-token");
  expect((await agda.get(`/display/${uuid.guests}`)).text).toContain("For Agda alone");
  expect((await visitor.get(`/display/${uuid.guests}`)).status).toBe(404);
  const { json } = await api.get("/api/z/1.0/channel/export/basic", { sections: "connections" });
  expect(json.atoken).toMatchObject([{ atoken_name: "Aunt Agda", atoken_guid: "guid-of-agda" }]);
});

describe("the original of a photo", () => {
  const bytesOf = async (path: string, headers: Record<string, string> = {}): Promise<Buffer> => {
    const response = await world.app.request(`http://hub.example${path}`, { headers });
    expect([path, response.status]).toEqual([path, 200]);
    return Buffer.from(await response.arrayBuffer());
  };

  test("keeps its bytes for the owner", async () => {
    const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    expect((await bytesOf(`/attach/${photoHash}`, { cookie })).equals(original)).toBe(true);
    const { json } = await api.get("/api/z/1.0/filedata", { file_id: photoHash });
    expect(json.attach.content).toBe(original.toString("base64"));
  });

  test("tells others nothing but the picture", async () => {
    expect((await sharp(original).metadata()).exif).toBeDefined();
    for (const path of [`/attach/${photoHash}`, `/attach/${photoHash}/0.jpg`, `/photo/${photoHash}-0.jpg`]) {
      const { exif, width } = await sharp(await bytesOf(path)).metadata();
      expect([path, exif, width]).toEqual([path, undefined, 600]);
    }
  });

  test("stays so at the next hub", async () => {
    const { json } = await api.get("/api/z/1.0/file/export", { file_id: photoHash });
    expect(json.attach[0]).toMatchObject({ is_original: "1", filesize: String(original.length) });
    const shown = Buffer.from(json.photo[0].content, "base64");
    expect(json.photo[0].imgscale).toBe("0");
    expect((await sharp(shown).metadata()).exif).toBeUndefined();
  });
});
