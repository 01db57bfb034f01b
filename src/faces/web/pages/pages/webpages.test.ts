import type { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeChannel, openTestHub, password } from "../../../../../test/support/hub.ts";
import type { TestHub } from "../../../../../test/support/hub.ts";
import { befriend, connectionId } from "../../../../../test/support/people.ts";
import { visitorOf } from "../../../../../test/support/visitor.ts";
import type { Visitor } from "../../../../../test/support/visitor.ts";
import { setGrant } from "../../../../domain/connections/connections.ts";
import { setConfig } from "../../../../domain/identity/channels/channel-config.ts";
import type { Channel } from "../../../../domain/identity/channels/channel.ts";
import { limits } from "../../../../domain/identity/channels/roles.ts";
import { webPages } from "../../web.ts";

/** What people do with pages, blocks, layouts, menus and wikis, without scripts. */

let hub: TestHub;
let app: Hono;
let annChannel: Channel;
let ann: Visitor;
let bob: Visitor;
let nobody: Visitor;

beforeAll(async () => {
  hub = await openTestHub();
  app = webPages(hub);
  annChannel = await makeChannel(hub, "ann");
  const bobChannel = await makeChannel(hub, "bob");
  await befriend(hub, annChannel, bobChannel);
  for (const name of ["write_pages", "write_wiki"] as const) {
    await setConfig(hub, annChannel.channel_id, "perm_limits", name, String(limits.specific));
    await setGrant(hub, annChannel, await connectionId(hub, annChannel, bobChannel), name, true);
  }
  [ann, bob, nobody] = [await member("ann"), await member("bob"), visitorOf(app)];
});
afterAll(() => hub.close());

async function member(nick: string): Promise<Visitor> {
  const visitor = visitorOf(app);
  expect((await visitor.logIn(nick, password)).status).toBe(303);
  await visitor.get("/network");
  return visitor;
}

/** The text of a page without its tags. */
const plain = (text: string): string =>
  text
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();

const publicPage = { mimetype: "text/bbcode", audience: "public" };

async function make(path: string, fields: Record<string, string>): Promise<string> {
  const { status, location, text } = await ann.post(path, { ...publicPage, ...fields });
  expect([status, plain(text)]).toEqual([303, ""]);
  return location.replace(/\?.*/, "");
}

describe("webpages", () => {
  test("are written, read, edited and deleted", async () => {
    const path = await make("/webpages/ann/new", { title: "Über uns", pagetitle: "About us", body: "[b]We[/b] are" });
    expect(path).toBe("/page/ann/about-us");
    const seen = await nobody.get(path);
    expect(seen.status).toBe(200);
    expect(seen.text).toContain("<title>Über uns · ");
    expect(seen.text).toContain("<strong>We</strong> are");
    expect(seen.text).not.toContain("/webpages/ann/");
    const edit = /href="(\/webpages\/ann\/\d+)"/.exec((await ann.get(path)).text)![1]!;
    const form = (await ann.get(edit)).text;
    expect(form).toContain('value="about-us"');
    const fields = { ...publicPage, title: "About", pagetitle: "about-us", body: "changed" };
    expect((await ann.post(edit, fields)).location).toBe("/page/ann/about-us?done=saved");
    expect((await nobody.get(path)).text).toContain("changed");
    expect((await nobody.get("/channel/ann")).text).toContain('href="/webpages/ann"');
    expect((await nobody.get("/webpages/ann")).text).toContain('href="/page/ann/about-us"');
    expect((await ann.get(`${edit}/delete`)).status).toBe(200);
    expect((await ann.post(`${edit}/delete`, {})).location).toBe("/webpages/ann?done=deleted");
    expect((await nobody.get(path)).status).toBe(404);
    expect((await nobody.get("/webpages/ann")).status).toBe(404);
    expect((await nobody.get("/channel/ann")).text).not.toContain('href="/webpages/ann"');
  });

  test("a form with a fault comes again with what was typed", async () => {
    await make("/webpages/ann/new", { pagetitle: "taken", body: "x" });
    const again = await ann.post("/webpages/ann/new", { ...publicPage, pagetitle: "Taken", body: "typed words" });
    expect(again.status).toBe(422);
    expect(plain(again.text)).toContain("There is a page of that name already.");
    expect(again.text).toContain("typed words");
    const empty = await ann.post("/webpages/ann/new", { ...publicPage, body: " " });
    expect([empty.status, plain(empty.text)]).toEqual([422, expect.stringContaining("Write something first.")]);
    const odd = await ann.post("/webpages/ann/new", { ...publicPage, mimetype: "application/x-php", body: "x" });
    expect(odd.status).toBe(403);
    const noAudience = await ann.post("/webpages/ann/new", { mimetype: "text/plain", body: "x" });
    expect(noAudience.status).toBe(422);
  });

  test("layouts, blocks and menus make a page", async () => {
    await make("/blocks/ann/new", { pagetitle: "Box", body: "in the box" });
    await make("/menu/ann/new", {
      name: "main",
      title: "Ways",
      rows: "3",
      label0: "Second",
      link0: "[pageurl]/two",
      order0: "2",
      label1: "First",
      link1: "https://elsewhere.example/",
      order1: "1",
      window1: "1",
      link2: "",
    });
    const mimetype = "application/x-pdl";
    const body =
      "[region=aside][menu]main[/menu][/region][region=content][content][/region][region=footer][block]Box[/block][/region]";
    await make("/layouts/ann/new", { pagetitle: "columns", mimetype, body });
    const mid = /<option value="([^"]+)"[^>]*>columns<\/option>/.exec((await ann.get("/webpages/ann/new")).text)![1]!;
    const path = await make("/webpages/ann/new", { pagetitle: "laid out", body: "the middle", layout: mid });
    const text = (await nobody.get(path)).text.replace(/^[^]*<main/, "");
    const at = ["First", "Second", "the middle", "in the box"].map((words) => text.indexOf(words));
    expect(at).toEqual(at.toSorted((one, other) => one - other));
    expect(at.every((place) => place > 0)).toBe(true);
    expect(text).toContain('href="http://hub.example/page/ann/two"');
    expect(text).toContain('href="https://elsewhere.example/" rel="nofollow noopener" target="_blank"');
    for (const list of ["/blocks/ann", "/layouts/ann", "/menu/ann"]) expect((await ann.get(list)).status).toBe(200);
    const menu = /href="(\/menu\/ann\/\d+)"/.exec((await ann.get("/menu/ann")).text)![1]!;
    expect((await ann.get(menu)).text).toContain("https://elsewhere.example/");
    expect((await ann.post(`${menu}/delete`, {})).location).toBe("/menu/ann?done=deleted");
    expect((await nobody.get(path)).text).not.toContain("Second");
  });

  test("editors are for those with write_pages, what they may not see included", async () => {
    await make("/webpages/ann/new", { pagetitle: "mine", body: "for me", audience: "self" });
    const edit = /href="(\/webpages\/ann\/\d+)"/.exec((await ann.get("/page/ann/mine")).text)![1]!;
    expect((await bob.get("/webpages/ann/new")).status).toBe(200);
    const made = await bob.post("/webpages/ann/new", { mimetype: "text/plain", pagetitle: "by bob", body: "hello" });
    expect(made.location).toBe("/page/ann/by-bob?done=saved");
    expect((await bob.get(edit)).status).toBe(404);
    expect((await bob.post(edit, { mimetype: "text/plain", body: "x" })).status).toBe(404);
    expect((await bob.post(`${edit}/delete`, {})).status).toBe(404);
    for (const path of [
      "/webpages/bob/new",
      "/blocks/bob",
      "/layouts/bob",
      "/menu/bob",
      "/menu/bob/new",
      "/webpages/bob",
    ])
      expect([path, (await ann.get(path)).status]).toEqual([path, 404]);
    for (const path of ["/webpages/bob/new", "/menu/bob/new"])
      expect([path, (await ann.post(path, { ...publicPage, name: "x", body: "x" })).status]).toEqual([path, 404]);
  });
});

describe("wikis", () => {
  const save = (who: Visitor, path: string, body: string, base: string) => who.post(path, { act: "save", body, base });

  test("are made, written by several people, compared and taken back", async () => {
    const path = await make("/wiki/ann", { name: "Garden & House" });
    expect(path).toBe("/wiki/ann/Garden%20%26%20House");
    const home = `${path}/Home`;
    expect(plain((await nobody.get(path)).text)).toContain("This page is empty.");
    expect((await save(ann, home, "See [[Plants]] and [[Tools|the tools]], not [[No/way]].", "0")).status).toBe(303);
    const asWriter = (await ann.get(home)).text;
    expect(asWriter).toContain(
      `<a href="${path}/Plants?show=edit" class="unwritten" title="Not written yet">Plants</a>`,
    );
    expect((await nobody.get(home)).text).toContain("See Plants and the tools, not No/way.");
    expect((await bob.get(`${path}?page=Plants`)).location).toBe(`${path}/Plants?show=edit`);
    expect((await bob.get(`${path}/Plants`)).status).toBe(404);
    expect((await bob.get(`${path}/Plants?show=edit`)).status).toBe(200);
    expect((await save(bob, `${path}/Plants`, "Roses\nTulips", "")).location).toBe(`${path}/Plants?done=saved`);
    expect((await nobody.get(home)).text).toContain(`<a href="${path}/Plants">Plants</a>`);
    expect((await save(ann, `${path}/Plants`, "Roses\nLilies", "0")).status).toBe(303);
    const late = await save(bob, `${path}/Plants`, "Roses\nDaisies", "0");
    expect(late.status).toBe(422);
    expect(plain(late.text)).toContain("Somebody else has saved this page since you opened it.");
    expect(plain(late.text)).toMatch(/removed: Lilies.*added: Daisies/);
    expect(late.text).toContain('name="base" value="1"');
    const history = plain((await nobody.get(`${path}/Plants?show=history`)).text);
    expect(history).toMatch(/Version 1 Ann .*Version 0 Bob/);
    const changes = plain((await nobody.get(`${path}/Plants?show=compare&from=0&to=1`)).text);
    expect(changes).toMatch(/removed: Tulips.*added: Lilies/);
    expect((await nobody.get(`${path}/Plants?revision=0`)).text).toContain("Tulips");
    const robots = async (query: string) => (await nobody.get(`${path}/Plants${query}`)).headers.get("x-robots-tag");
    for (const query of ["?show=history", "?show=compare&from=0&to=1", "?revision=0"])
      expect([query, await robots(query)]).toEqual([query, "noindex"]);
    expect(await robots("")).toBeNull();
    expect((await bob.post(`${path}/Plants`, { act: "revert", revision: "0", base: "1" })).status).toBe(303);
    expect((await nobody.get(`${path}/Plants`)).text).toContain("Tulips");
    expect((await bob.post(`${path}/Plants`, { act: "revert", revision: "0", base: "1" })).location).toContain(
      "show=history",
    );
  });

  test("the owner renames and deletes pages and the wiki", async () => {
    const path = await make("/wiki/ann", { name: "Short", mimetype: "text/markdown" });
    await save(ann, `${path}/A`, "# A", "");
    expect((await ann.post(`${path}/A`, { act: "rename", name: "B/C" })).status).toBe(422);
    expect((await ann.post(`${path}/A`, { act: "rename", name: "B?" })).location).toBe(`${path}/B%3F?done=saved`);
    expect((await nobody.get(`${path}/B%3F`)).text).toContain("<h1>A</h1>");
    for (const act of ["rename", "delete"])
      expect((await bob.post(`${path}/B%3F`, { act, name: "X" })).status).toBe(404);
    expect((await bob.get(`${path}?show=settings`)).text).not.toContain("Settings of the wiki");
    expect((await bob.post(path, { act: "delete" })).status).toBe(404);
    expect((await ann.get(`${path}/B%3F?show=rename`)).status).toBe(200);
    expect((await ann.get(`${path}/B%3F?show=delete`)).status).toBe(200);
    expect((await ann.post(`${path}/B%3F`, { act: "delete" })).status).toBe(303);
    expect((await nobody.get(`${path}/B%3F`)).status).toBe(404);
    expect((await ann.post(`${path}/Home`, { act: "delete" })).status).toBe(403);
    expect((await ann.get(`${path}?show=settings`)).text).toContain("Settings of the wiki");
    const renamed = await ann.post(path, { act: "settings", name: "Longer", audience: "self" });
    expect(renamed.location).toBe("/wiki/ann/Longer?done=saved");
    expect((await nobody.get("/wiki/ann/Longer")).status).toBe(404);
    expect((await ann.get("/wiki/ann/Longer?show=delete")).status).toBe(200);
    expect((await ann.post("/wiki/ann/Longer", { act: "delete" })).location).toBe("/wiki/ann?done=deleted");
    expect((await ann.get("/wiki/ann/Longer")).status).toBe(404);
  });

  test("unknown ways lead nowhere", async () => {
    for (const path of [
      "/wiki/ann/None",
      "/wiki/ann/None/Home",
      "/wiki/none",
      "/wiki/bob",
      "/page/ann/none",
      "/page/none/x",
    ])
      expect([path, (await nobody.get(path)).status]).toEqual([path, 404]);
    expect((await bob.post("/wiki/ann", { ...publicPage, name: "Mine" })).status).toBe(404);
    await nobody.get("/login");
    const asked = await nobody.post("/wiki/ann", { ...publicPage, name: "Mine" });
    expect([asked.status, asked.location]).toEqual([303, "/login?next=%2Fwiki%2Fann"]);
  });
});
