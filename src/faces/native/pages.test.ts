import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { nobody } from "../../../test/support/people.ts";
import { createWiki } from "../../domain/pages/wiki-create.ts";
import { saveWikiPage } from "../../domain/pages/wiki-save.ts";

/** Pages and wikis as programs meet them: made by `item/update`, read at their addresses (native contract 2.13). */

let world: TestApp;
let ann: Person;

beforeAll(async () => {
  world = await openTestApp();
  ann = await world.person("ann");
});
afterAll(() => world.close());

const native = "/api/z/1.0";

async function make(fields: Record<string, unknown>): Promise<{ id: string; mid: string; revision: string }> {
  const answer = await ann.post(`${native}/item/update`, { contact_allow: [], ...fields });
  expect([answer.status, answer.json?.success]).toEqual([200, true]);
  return answer.json.item;
}

test("a page with its layout and block is read at its address, and edited in one row", async () => {
  const layout = await make({
    webpage: 2,
    pagetitle: "Wide",
    mimetype: "application/x-pdl",
    body: "[region=aside][block]side[/block][/region][content]",
  });
  await make({ webpage: 1, pagetitle: "side", body: "beside it" });
  const page = await make({
    webpage: 3,
    pagetitle: "Grüße an alle",
    mimetype: "text/markdown",
    layout_mid: layout.mid,
    body: "# Hello",
  });
  const read = async (): Promise<string> => (await world.anonymous.get("/page/ann/grusse-an-alle")).text;
  expect(await read()).toMatch(/beside it[^]*<h1>Hello<\/h1>/);
  const edited = await make({ post_id: page.id, body: "# Changed" });
  expect([edited.id, edited.revision]).toEqual([page.id, "1"]);
  expect(await read()).toContain("<h1>Changed</h1>");
  const full = await ann.get(`${native}/item/full`, { mid: page.mid });
  expect(full.json.item[0].meta).toEqual([{ family: "system", key: "WEBPAGE", value: "grusse-an-alle", sharing: 0 }]);
  await make({ post_id: page.id, body: "for me", contact_allow: [ann.channel.channel_hash] });
  expect((await world.anonymous.get("/page/ann/grusse-an-alle")).status).toBe(404);
});

test("a page without a name has the beginning of its mid", async () => {
  const page = await make({ webpage: 3, body: "nameless" });
  const name = page.mid.split("/").at(-1)!.slice(0, 16);
  expect((await world.anonymous.get(`/page/ann/${name}`)).text).toContain("nameless");
});

test("layouts are never shown as content, and no page is part of a stream", async () => {
  await make({
    webpage: 2,
    pagetitle: "only",
    mimetype: "application/x-pdl",
    body: "[region=x]SECRET LAYOUT[/region]",
  });
  expect((await world.anonymous.get("/page/ann/only")).status).toBe(404);
  for (const path of [`${native}/channel/stream`, `${native}/network/stream`, "/api/statuses/home_timeline"])
    expect((await ann.get(path)).text).not.toMatch(/SECRET LAYOUT|nameless/);
});

test("item/full by mid holds the newest version of a wiki's page; versions are not edited in place", async () => {
  const wiki = await createWiki(world.hub, ann.channel, {
    name: "Notes",
    mimetype: "text/bbcode",
    audience: nobody,
    posted: false,
  });
  const edit = { name: "Home", body: "newer", base: 0 };
  const version = await saveWikiPage(world.hub, ann.channel, ann.channel, wiki.name, edit);
  const { json } = await ann.get(`${native}/item/full`, { mid: version.mid });
  expect(json.item.map((item: { body: string; revision: string }) => [item.body, item.revision])).toEqual([
    ["newer", "1"],
  ]);
  expect(json.item[0]).toMatchObject({ resource_type: "nwikipage", resource_id: wiki.resource_id });
  const answer = await ann.post(`${native}/item/update`, { post_id: version.id, body: "in place" });
  expect([answer.status, answer.json.error?.code ?? answer.json.error]).toEqual([403, expect.anything()]);
});
