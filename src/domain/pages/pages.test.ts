import { anonymous } from "../../../test/support/observers.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeChannel, openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { befriend, nobody } from "../../../test/support/people.ts";
import { setGrant } from "../connections/connections.ts";
import { connectionId } from "../../../test/support/people.ts";
import { observerOf } from "../identity/channels/observer.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { setConfig } from "../identity/channels/channel-config.ts";
import { limits } from "../identity/channels/roles.ts";
import { loadItem } from "../items/save.ts";
import { importMenu, menuPortable } from "../portable/menu.ts";
import { findElement, findPage, listPages } from "./find.ts";
import { deleteMenu, findMenu, listMenus, saveMenu } from "./menus.ts";
import { renderPage } from "./render-page.ts";
import { deletePage, savePage } from "./save.ts";
import type { PageDraft } from "./save.ts";

let hub: TestHub;
let ann: Channel;
let bob: Channel;

beforeAll(async () => {
  hub = await openTestHub();
  ann = await makeChannel(hub, "ann");
  bob = await makeChannel(hub, "bob");
  await befriend(hub, ann, bob);
});
afterAll(() => hub.close());

const draft = (changes: Partial<PageDraft>): PageDraft => ({
  kind: "webpage",
  name: "",
  title: "",
  body: "text",
  mimetype: "text/bbcode",
  layoutMid: "",
  audience: nobody,
  ...changes,
});

const make = (changes: Partial<PageDraft>) => savePage(hub, ann, ann, draft(changes));

async function shown(name: string, channel?: Channel): Promise<Record<string, string>> {
  const observer = channel ? observerOf(channel) : anonymous;
  const page = await findPage(hub, observer, ann, name);
  const { regions } = await renderPage(hub, observer, ann, page, undefined);
  return Object.fromEntries(regions.map((region) => [region.name, region.html]));
}

describe("pages", () => {
  test("a page is found by its name, however it is written, and edited in place", async () => {
    const item = await make({ name: "Über uns", title: "About", body: "[b]we[/b]" });
    expect(item.item_type).toBe(3);
    const page = await findPage(hub, anonymous, ann, "Uber uns");
    expect([page.name, page.title, page.id]).toEqual(["uber-uns", "About", item.id]);
    await savePage(hub, ann, ann, draft({ name: "about", title: "About us", body: "we all" }), item.id);
    const edited = await findPage(hub, anonymous, ann, "about");
    expect([edited.id, edited.revision, edited.html]).toEqual([item.id, 1, "we all"]);
    await expect(findPage(hub, anonymous, ann, "uber-uns")).rejects.toMatchObject({ kind: "missing" });
    await deletePage(hub, ann, ann, "webpage", item.id);
    await expect(findPage(hub, observerOf(ann), ann, "about")).rejects.toMatchObject({ kind: "missing" });
  });

  test("names that came with an import may belong to the message, and have any form", async () => {
    const item = await make({ name: "imported" });
    await hub.db
      .updateTable("iconfig")
      .set({ uid: 0, v: "Old Näme" })
      .where("message_id", "=", item.message_id)
      .execute();
    expect((await findPage(hub, anonymous, ann, "Old Näme")).id).toBe(item.id);
    await expect(findPage(hub, anonymous, bob, "Old Näme")).rejects.toMatchObject({ kind: "missing" });
  });

  test("a name is taken once for each kind", async () => {
    await make({ name: "twice" });
    await make({ name: "twice", kind: "block" });
    await expect(make({ name: "Twice" })).rejects.toMatchObject({ kind: "conflict" });
  });

  test.each([
    ["text/bbcode", "[i]x[/i] [toc][h2]One[/h2]", /<em>x<\/em>|<i>x<\/i>[^]*<ul class="toc">/],
    ["text/markdown", "# One\n\n*x*", /<h1>One<\/h1>\s*<p><em>x<\/em><\/p>/],
    ["text/html", "<section><script>alert(1)</script><b>x</b></section>", /^<section><b>x<\/b><\/section>$/],
    ["text/plain", "a < b\nc", /a &lt; b<br>/],
    ["text/x-multicode", "*x* [b]y[/b]", /<em>x<\/em> <(b|strong)>y/],
  ])("content of type %s", async (mimetype, body, expected) => {
    const name = `type ${mimetype}`;
    await make({ name, mimetype, body });
    expect((await shown(name))["content"]).toMatch(expected);
  });

  test("lists page by id, newest first, and hold one kind", async () => {
    for (const name of ["l1", "l2", "l3"]) await make({ name, kind: "layout", mimetype: "application/x-pdl" });
    const first = await listPages(hub, anonymous, ann, "layout", { count: 2 });
    expect(first.pages.map((page) => page.name)).toEqual(["l3", "l2"]);
    const rest = await listPages(hub, anonymous, ann, "layout", { count: 2, before: first.next! });
    expect([rest.pages.map((page) => page.name), rest.next]).toEqual([["l1"], undefined]);
  });
});

describe("layouts", () => {
  test("regions, blocks and menus are put together", async () => {
    const layout = await make({
      kind: "layout",
      name: "two",
      mimetype: "application/x-pdl",
      body: "[template]full[/template][region=aside][menu]main[/menu][block]hello[/block][widget=x][/widget][/region]\n[region=content]$content[/region][css]x[/css]",
    });
    await make({ kind: "block", name: "hello", body: "[b]Hello[/b] [block]hello[/block]" });
    await saveMenu(hub, ann, ann, {
      name: "main",
      title: "Ways",
      entries: [{ link: "[pageurl]/two", label: "Two", order: 0, flags: 2 }],
    });
    await make({ name: "two", layoutMid: layout.mid, body: "The page" });
    const regions = await shown("two");
    expect(regions).toEqual({
      aside:
        '<nav title="Ways"><strong>Ways</strong><ul><li><a href="http://hub.example/page/ann/two" target="_blank">Two</a></li></ul></nav><strong>Hello</strong> ',
      content: "The page",
    });
  });

  test("pages call blocks and menus in their own text, but not in code", async () => {
    await make({ kind: "block", name: "inner", body: "inside", mimetype: "text/markdown" });
    await make({
      name: "calls",
      mimetype: "text/markdown",
      body: "before **[block]inner[/block] after**\n\n`[block]inner[/block]` [block]none[/block]",
    });
    expect((await shown("calls"))["content"]!.trim()).toBe(
      "<p>before <strong></strong></p><p>inside</p>\n<p><strong> after</strong></p>\n<p><code>[block]inner[/block]</code> </p>",
    );
  });

  test("a private block or layout is left out for those who may not see it", async () => {
    const audience = { ...nobody, allow_cid: [bob.channel_hash] };
    const layout = await make({
      kind: "layout",
      name: "secret",
      mimetype: "application/x-pdl",
      body: "[region=aside][block]secret[/block][/region][content]",
      audience,
    });
    await make({ kind: "block", name: "secret", body: "for bob", audience });
    await make({ name: "mixed", body: "open [block]secret[/block]", layoutMid: layout.mid });
    expect(await shown("mixed")).toEqual({ content: "open " });
    expect(await shown("mixed", bob)).toEqual({ aside: "for bob", content: "open for bob" });
  });
});

async function signed(id: number): Promise<boolean> {
  const { sig, item_verified } = await loadItem(hub, id);
  expect(item_verified).toBe(sig === "" ? 0 : 1);
  return sig !== "";
}

describe("who writes", () => {
  test("somebody with write_pages writes on another's channel, and nobody else", async () => {
    await expect(savePage(hub, bob, ann, draft({ name: "bobs" }))).rejects.toMatchObject({ kind: "denied" });
    await setConfig(hub, ann.channel_id, "perm_limits", "write_pages", String(limits.specific));
    await setGrant(hub, ann, await connectionId(hub, ann, bob), "write_pages", true);
    const layout = await make({ kind: "layout", name: "for bob", mimetype: "application/x-pdl" });
    const item = await savePage(hub, bob, ann, draft({ name: "bobs", layoutMid: layout.mid }));
    expect([item.uid, item.author_id, item.layout_mid]).toEqual([ann.channel_id, bob.xchan_id, layout.mid]);
    await savePage(hub, bob, ann, draft({ name: "bobs", body: "again" }), item.id);
    expect((await findPage(hub, anonymous, ann, "bobs")).body).toBe("again");
    // The author's own words are signed; nobody signs what another one wrote.
    expect(await signed(item.id)).toBe(true);
    await savePage(hub, ann, ann, draft({ name: "bobs", body: "by ann" }), item.id);
    expect(await signed(item.id)).toBe(false);
    const secret = await make({ name: "anns own", audience: { ...nobody, allow_cid: [ann.channel_hash] } });
    await expect(savePage(hub, bob, ann, draft({ body: "x" }), secret.id)).rejects.toMatchObject({ kind: "missing" });
    await expect(deletePage(hub, bob, ann, "webpage", secret.id)).rejects.toMatchObject({ kind: "missing" });
    await deletePage(hub, bob, ann, "webpage", item.id);
    await expect(findElement(hub, observerOf(ann), ann, "webpage", item.id)).rejects.toMatchObject({ kind: "missing" });
    await setGrant(hub, ann, await connectionId(hub, ann, bob), "write_pages", false);
    await expect(savePage(hub, bob, ann, draft({ name: "later" }))).rejects.toMatchObject({ kind: "denied" });
  });
});

describe("menus", () => {
  test("are saved, changed, listed and deleted", async () => {
    const menu = await saveMenu(hub, ann, ann, {
      name: "Side Menu",
      title: "Side",
      entries: [
        { link: "/b", label: "B", order: 2, flags: 0 },
        { link: " ", label: "nothing", order: 0, flags: 0 },
        { link: "/a", label: "A", order: 1, flags: 0 },
      ],
    });
    expect([menu.name, menu.entries.map((entry) => entry.label)]).toEqual(["side-menu", ["A", "B"]]);
    await expect(saveMenu(hub, ann, ann, { name: "side menu", title: "", entries: [] })).rejects.toMatchObject({
      kind: "conflict",
    });
    await saveMenu(hub, ann, ann, { name: "side", title: "Side", entries: [] }, menu.id);
    expect((await findMenu(hub, ann, menu.id)).entries).toEqual([]);
    await expect(findMenu(hub, bob, menu.id)).rejects.toMatchObject({ kind: "missing" });
    await expect(deleteMenu(hub, bob, ann, menu.id)).rejects.toMatchObject({ kind: "denied" });
    await deleteMenu(hub, ann, ann, menu.id);
    expect((await listMenus(hub, ann)).map((one) => one.name)).not.toContain("side");
  });

  test("travel with placeholders and come out the same", async () => {
    const menu = await saveMenu(hub, ann, ann, {
      name: "travels",
      title: "Ways",
      flags: 2,
      entries: [
        { link: "http://hub.example/channel/ann?cat=x", label: "Posts", order: 0, flags: 3 },
        { link: "http://hub.example/channel/anna", label: "Anna", order: 1, flags: 0 },
        { link: "http://hub.example/cloud/ann/a.txt", label: "File", order: 2, flags: 4 },
        { link: "[pageurl]/home", label: "Home", order: 3, flags: 0 },
        { link: "https://elsewhere.example/", label: "Away", order: 4, flags: 0 },
      ],
    });
    const portable = menuPortable(hub, ann, menu);
    expect(portable).toEqual({
      type: "menu",
      pagetitle: "travels",
      desc: "Ways",
      created: "2026-03-01 12:00:00",
      edited: "2026-03-01 12:00:00",
      baseurl: "http://hub.example",
      flags: ["bookmark"],
      items: [
        { link: "[channelurl]?cat=x", desc: "Posts", order: "0", flags: ["zid", "new-window"] },
        { link: "[baseurl]/channel/anna", desc: "Anna", order: "1" },
        { link: "[cloudurl]/a.txt", desc: "File", order: "2", flags: ["chatroom"] },
        { link: "[pageurl]/home", desc: "Home", order: "3" },
        { link: "https://elsewhere.example/", desc: "Away", order: "4" },
      ],
    });
    expect(await importMenu(hub, bob, portable)).toBe("imported");
    expect(await importMenu(hub, bob, portable)).toBe("there");
    const copies = (await listMenus(hub, bob)).map((menu) => menuPortable(hub, bob, menu));
    expect(copies).toEqual([portable]);
    expect(await importMenu(hub, bob, { ...portable, edited: "2026-02-01 00:00:00", items: [] })).toBe("there");
    expect(await importMenu(hub, bob, { ...portable, items: [] })).toBe("imported");
    expect(await importMenu(hub, bob, {})).toBe("unreadable");
    expect(await importMenu(hub, bob, { pagetitle: "bare" })).toBe("imported");
    expect(await importMenu(hub, bob, { pagetitle: "bare" })).toBe("there");
  });
});
