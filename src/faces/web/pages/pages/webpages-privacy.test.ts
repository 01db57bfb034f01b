import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../../test/support/app.ts";
import type { Client } from "../../../../../test/support/client.ts";
import { password } from "../../../../../test/support/hub.ts";
import { befriend, mark, nobody } from "../../../../../test/support/people.ts";
import { visitorOf, withoutTokens } from "../../../../../test/support/visitor.ts";
import type { Visitor } from "../../../../../test/support/visitor.ts";
import { observerOf } from "../../../../domain/identity/channels/observer.ts";
import { importChatroom } from "../../../../domain/identity/belongings/chatrooms.ts";
import { postItem } from "../../../../domain/items/posting/post.ts";
import type { Item } from "../../../../domain/items/types.ts";
import { listRooms, say } from "../../../../domain/messages/rooms.ts";
import { savePage } from "../../../../domain/pages/save.ts";
import type { PageDraft } from "../../../../domain/pages/save.ts";
import { createWiki } from "../../../../domain/pages/wiki-create.ts";
import { saveWikiPage } from "../../../../domain/pages/wiki-save.ts";
import type { Wiki, WikiVersion } from "../../../../domain/pages/wiki-types.ts";
import { wikiPage } from "../../../../domain/pages/wikis.ts";

/** Every door of pages and wikis, tried by everybody: what a caller may not see answers exactly like what does not exist. */

const secret = "marmalade";
let world: TestApp;
let alice: Person;
let bob: Person;
let carol: Person;
let dora: Person;
const visitors = new Map<string, Visitor>();
const made: Record<string, Item> = {};
let wiki: Wiki;
let version: WikiVersion;
let old: WikiVersion;
let room: number;
const never = 987_654_321;
const neverUuid = "00000000-0000-4000-8000-000000000000";

beforeAll(async () => {
  world = await openTestApp();
  alice = await world.person("alice");
  bob = await world.person("bob");
  carol = await world.person("carol");
  dora = await world.person("dora");
  for (const other of [bob, carol, dora]) await befriend(world.hub, alice.channel, other.channel);
  await mark(world.hub, alice.channel, dora.channel, { blocked: true });
  for (const nick of ["bob", "carol", "dora"]) {
    const visitor = visitorOf(world.app);
    await visitor.logIn(nick, password);
    await visitor.get("/network");
    visitors.set(nick, visitor);
  }
  visitors.set("nobody", visitorOf(world.app));
  await visitors.get("nobody")!.get("/login");
  await makePages();
  await makeWiki();
  await makeArticles();
});
afterAll(() => world.close());

const forBob = () => ({ ...nobody, allow_cid: [bob.channel.channel_hash] });

async function make(as: string, changes: Partial<PageDraft>): Promise<void> {
  const draft: PageDraft = {
    kind: "webpage",
    name: as,
    title: "",
    body: `${secret} of ${as}`,
    mimetype: "text/bbcode",
    layoutMid: "",
    audience: forBob(),
    ...changes,
  };
  made[as] = await savePage(world.hub, alice.channel, alice.channel, draft);
}

async function makePages(): Promise<void> {
  await make("page", {});
  await make("tagged", { body: `${secret} #jam` });
  await make("block", { kind: "block" });
  await make("layout", { kind: "layout", body: `[region=aside][block]block[/block][/region] ${secret}` });
  const layoutMid = made["layout"]!.mid;
  await make("open", { body: "For all: [block]block[/block].", layoutMid, audience: nobody });
}

async function makeWiki(): Promise<void> {
  const { hub } = world;
  const draft = { name: "Preserves", mimetype: "text/bbcode", audience: forBob(), posted: true };
  wiki = await createWiki(hub, alice.channel, draft);
  const save = (body: string, base?: number) =>
    saveWikiPage(hub, alice.channel, alice.channel, wiki.name, { name: "Recipe", body, base });
  version = await save(`old ${secret}`);
  await save(`new ${secret}`, 0);
  old = (await wikiPage(hub, observerOf(alice.channel), wiki, "Recipe", 0))!;
  await world.work();
}

async function makeArticles(): Promise<void> {
  const { hub } = world;
  for (const [name, itemType] of [
    ["article", 7],
    ["card", 6],
  ] as const) {
    const draft = { title: `${secret} ${name}`, summary: secret, body: secret, pageTitle: name, audience: forBob() };
    made[name] = await postItem(hub, alice.channel, { ...draft, itemType });
  }
  await importChatroom(hub, alice.channel, {
    cr_name: secret,
    cr_expire: 0,
    allow_cid: `<${bob.channel.channel_hash}>`,
  });
  room = (await listRooms(hub, observerOf(alice.channel), alice.channel))[0]!.cr_id;
  await say(hub, bob.channel, alice.channel, room, `${secret} for tea`);
  await world.work();
}

type VisitedPage = { status: number; text: string; location: string };
type Door = [name: string, there: () => string, unknown: string];

const id = (as: string): number => made[as]!.id;
const uuid = (mid: string): string => mid.split("/").at(-1)!;

const doors: Door[] = [
  ["the page", () => "/page/alice/page", "/page/alice/none"],
  ["the page by another form of its name", () => "/page/alice/PAGE", "/page/alice/NONE"],
  ["a block as a page", () => "/page/alice/block", "/page/alice/none"],
  ["the editor of the page", () => `/webpages/alice/${id("page")}`, `/webpages/alice/${never}`],
  ["the editor of the block", () => `/blocks/alice/${id("block")}`, `/blocks/alice/${never}`],
  ["the editor of the layout", () => `/layouts/alice/${id("layout")}`, `/layouts/alice/${never}`],
  ["deleting the page", () => `/webpages/alice/${id("page")}/delete`, `/webpages/alice/${never}/delete`],
  ["the blocks", () => "/blocks/alice", "/blocks/none"],
  ["the layouts", () => "/layouts/alice", "/layouts/none"],
  ["the menus", () => "/menu/alice", "/menu/none"],
  ["the wikis", () => "/wiki/alice", "/wiki/none"],
  ["the wiki", () => "/wiki/alice/Preserves", "/wiki/alice/None"],
  ["the wiki's settings", () => "/wiki/alice/Preserves?show=settings", "/wiki/alice/None?show=settings"],
  ["a new page of the wiki", () => "/wiki/alice/Preserves?page=X", "/wiki/alice/None?page=X"],
  ["the wiki's page", () => "/wiki/alice/Preserves/Recipe", "/wiki/alice/None/Recipe"],
  ["an old version", () => "/wiki/alice/Preserves/Recipe?revision=0", "/wiki/alice/None/Recipe?revision=0"],
  ...["history", "edit", "rename", "delete", "compare&from=0&to=1"].map((show): Door => {
    const query = `/Recipe?show=${show}`;
    return [`the wiki's ${show}`, () => `/wiki/alice/Preserves${query}`, `/wiki/alice/None${query}`];
  }),
  ["the page's permanent address", () => `/item/${uuid(made["page"]!.mid)}`, `/item/${neverUuid}`],
  ["the page as a thread", () => `/display/${uuid(made["page"]!.mid)}`, `/display/${neverUuid}`],
  ["the wiki as a thread", () => `/display/${uuid(wiki.mid)}`, `/display/${neverUuid}`],
  ["the wiki's page as a thread", () => `/display/${uuid(version.mid)}`, `/display/${neverUuid}`],
  ["the articles", () => "/articles/alice", "/articles/none"],
  ["the article", () => "/articles/alice/article", "/articles/alice/none"],
  ["the article by its uuid", () => `/articles/alice/${made["article"]!.uuid}`, `/articles/alice/${neverUuid}`],
  ["the article as a thread", () => `/display/${made["article"]!.uuid}`, `/display/${neverUuid}`],
  ["the article's permanent address", () => `/item/${made["article"]!.uuid}`, `/item/${neverUuid}`],
  ["a new article", () => "/articles/alice/new", "/articles/none/new"],
  ["the cards", () => "/cards/alice", "/cards/none"],
  ["the card", () => "/cards/alice/card", "/cards/alice/none"],
  ["the chatrooms", () => "/chat/alice", "/chat/none"],
  ["the chatroom", () => `/chat/alice/${room}`, `/chat/alice/${never}`],
  ["the chatroom on another channel", () => `/chat/bob/${room}`, `/chat/bob/${never}`],
  ["a post as an edit", () => `/item/${version.id}/edit`, `/item/${never}/edit`],
];

const writing: [...Door, Record<string, string>][] = [
  ["the page", () => `/webpages/alice/${id("page")}`, `/webpages/alice/${never}`, { body: "x", audience: "public" }],
  ["the page's end", () => `/webpages/alice/${id("page")}/delete`, `/webpages/alice/${never}/delete`, {}],
  ["the block", () => `/blocks/alice/${id("block")}`, `/blocks/alice/${never}`, { body: "x", audience: "public" }],
  ["the wiki", () => "/wiki/alice/Preserves", "/wiki/alice/None", { act: "delete" }],
  ["the chatroom", () => `/chat/alice/${room}`, `/chat/alice/${never}`, { body: "x" }],
  ["the articles", () => "/articles/alice/new", "/articles/none/new", { title: "x", body: "x", audience: "public" }],
  ...[
    { act: "save", body: "x", base: "1" },
    { act: "revert", revision: "0", base: "1" },
    { act: "rename", name: "x" },
    { act: "delete" },
  ].map((form): [...Door, Record<string, string>] => {
    return [`the wiki's page: ${form.act}`, () => "/wiki/alice/Preserves/Recipe", "/wiki/alice/None/Recipe", form];
  }),
];

/** Request ids and tokens differ, and a page may name where one is. */
function comparable({ status, text, location }: VisitedPage, path: string): object {
  const names = [path, encodeURIComponent(path), path.replaceAll("&", "&amp;")];
  const cut = (words: string): string => names.reduce((all, name) => all.replaceAll(name, "<path>"), words);
  const words = cut(withoutTokens(text));
  return { status, location: cut(location), text: words.replaceAll(/[0-9a-f-]{36}/g, "<request>") };
}

describe.each(["carol", "dora", "nobody"])("%s", (nick) => {
  test.each(doors)("finds nothing at %s", async (_name, there, unknown) => {
    const visitor = visitors.get(nick)!;
    const shown = await visitor.get(there());
    expect(comparable(shown, there())).toEqual(comparable(await visitor.get(unknown), unknown));
    expect([404, 303]).toContain(shown.status);
    expect(shown.text).not.toContain(secret);
  });

  test.each(writing)("changes nothing of %s", async (_name, there, unknown, form) => {
    const visitor = visitors.get(nick)!;
    const shown = await visitor.post(there(), form);
    expect(comparable(shown, there())).toEqual(comparable(await visitor.post(unknown, form), unknown));
    expect([404, 403, 303]).toContain(shown.status);
  });

  test("sees no private block or layout in a public page", async () => {
    const { status, text } = await visitors.get(nick)!.get("/page/alice/open");
    expect(status).toBe(nick === "dora" ? 404 : 200);
    expect(text).not.toContain(secret);
    if (nick !== "dora") expect(text).toContain("For all: .");
  });

  test("sees nothing of it in lists", async () => {
    for (const path of ["/webpages/alice", "/channel/alice", "/network", "/search?tag=jam", "/notifications", "/"]) {
      const { text } = await visitors.get(nick)!.get(path);
      for (const word of [secret, "Preserves", "/page/alice/page", "Recipe"])
        expect(text, `${word} at ${path}`).not.toContain(word);
    }
  });
});

const native = "/api/z/1.0";
type Call = (client: Client, names: { id: number; mid: string }) => ReturnType<Client["get"]>;
const calls: [string, Call][] = [
  ["item/full by id", (client, { id }) => client.get(`${native}/item/full`, { item_id: id })],
  ["item/full by mid", (client, { mid }) => client.get(`${native}/item/full`, { mid })],
  ["item/update", (client, { id }) => client.post(`${native}/item/update`, { body: "x", post_id: id })],
  ["item/update, a comment", (client, { mid }) => client.post(`${native}/item/update`, { body: "x", parent_mid: mid })],
  ["network/stream of pages", (client) => client.get(`${native}/network/stream`, { pages: 1 })],
  ["network/stream of all kinds", (client) => client.get(`${native}/network/stream`, { item_type: "*" })],
  ["network/stream by mid", (client, { mid }) => client.get(`${native}/network/stream`, { mid, item_type: "*" })],
  ["statuses/show", (client, { id }) => client.get("/api/statuses/show", { id })],
  ["statuses/destroy", (client, { id }) => client.post("/api/statuses/destroy", { id })],
  ["favorites/create", (client, { id }) => client.post("/api/favorites/create", { id })],
];

describe.each(["carol", "dora"])("the APIs for %s", (nick) => {
  test.each(calls)("%s", async (_name, call) => {
    const client = nick === "carol" ? carol : dora;
    const unknown = await call(client, { id: never, mid: `http://hub.example/item/${neverUuid}` });
    for (const item of [made["page"]!, made["block"]!, made["layout"]!, wiki, version, old]) {
      const answer = await call(client, item);
      const plain = (text: string, names: { id: number; mid: string }): string =>
        text.replaceAll(names.mid, "<mid>").replaceAll(/[0-9a-f-]{36}/g, "<request>");
      expect([answer.status, plain(answer.text, item)]).toEqual([
        unknown.status,
        plain(unknown.text, { id: never, mid: `http://hub.example/item/${neverUuid}` }),
      ]);
    }
  });
});

test("those who may see it do", async () => {
  const visitor = visitors.get("bob")!;
  for (const [path, words] of [
    ["/page/alice/page", `${secret} of page`],
    ["/page/alice/open", `For all: ${secret} of block.`],
    ["/wiki/alice", "Preserves"],
    ["/wiki/alice/Preserves/Recipe", `new ${secret}`],
    ["/wiki/alice/Preserves/Recipe?revision=0", `old ${secret}`],
    ["/wiki/alice/Preserves/Recipe?show=compare&from=0&to=1", `old ${secret}`],
    ["/network", "Preserves"],
    ["/network", `${secret} article`],
    ["/articles/alice", `${secret} article`],
    ["/articles/alice/article", secret],
    ["/cards/alice", `${secret} card`],
    ["/chat/alice", secret],
    [`/chat/alice/${room}`, `${secret} for tea`],
  ])
    expect((await visitor.get(path!)).text).toContain(words);
});

test("nothing was changed by those who tried", async () => {
  const page = await wikiPage(world.hub, observerOf(alice.channel), wiki, "Recipe");
  expect([page!.revision, page!.body]).toEqual([1, `new ${secret}`]);
  const pages = (await alice.get(`${native}/network/stream`, { pages: 1 })).json as { body: string }[];
  expect(pages.map((item) => item.body).toSorted()).toEqual([
    "For all: [block]block[/block].",
    expect.stringContaining("jam"),
    `${secret} of page`,
  ]);
});
