import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { exportBlockList, importBlockList } from "./block-lists.ts";
import { listSiteBlocks, removeSiteBlock, setSiteBlock } from "./site-blocks.ts";

/** Lists as other servers write and read them. */

let hub: TestHub;
beforeAll(async () => {
  hub = await openTestHub();
});
afterAll(() => hub.close());
beforeEach(async () => {
  for (const { domain } of await listSiteBlocks(hub)) await removeSiteBlock(hub, domain);
});

const shown = async () =>
  (await listSiteBlocks(hub)).map((block) => [block.domain, block.level, block.noMedia, block.public_comment]);

test("a list as Mastodon writes it is taken over, and comes out the same", async () => {
  const list = [
    "#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate",
    'bad.example,suspend,TRUE,FALSE,"Spam, and ""worse""",FALSE',
    "loud.example,silence,FALSE,FALSE,,FALSE",
    "pictures.example,noop,TRUE,FALSE,,FALSE",
    "",
  ].join("\n");
  await setSiteBlock(hub, { domain: "loud.example", level: "suspend", noMedia: false, reason: "ours" });
  await setSiteBlock(hub, { domain: "other.example", level: "none", noMedia: false });
  expect(await importBlockList(hub, list)).toEqual({ taken: 3, skipped: [] });
  expect(await shown()).toEqual([
    ["bad.example", "suspend", true, 'Spam, and "worse"'],
    ["loud.example", "limit", false, ""],
    ["other.example", "none", false, ""],
    ["pictures.example", "none", true, ""],
  ]);
  await removeSiteBlock(hub, "other.example");
  expect(await exportBlockList(hub)).toBe(list);
});

test("names in any order, without their sign, with Windows line ends and a mark at the beginning", async () => {
  const list = "\uFEFFpublic_comment,domain,severity\r\nwhy,Bücher.Example,silence\r\n";
  expect(await importBlockList(hub, list)).toEqual({ taken: 1, skipped: [] });
  expect(await shown()).toEqual([["xn--bcher-kva.example", "limit", false, "why"]]);
});

test("plain names are suspended, and what can't be done is said by its line", async () => {
  expect(await importBlockList(hub, "one.example\nb*d.example\nno host\ntwo.example\none.example\n")).toEqual({
    taken: 2,
    skipped: [
      { line: 2, text: "b*d.example" },
      { line: 3, text: "no host" },
    ],
  });
  expect(await importBlockList(hub, "domain,severity\nx.example,never\ny.example,suspend")).toMatchObject({
    taken: 1,
    skipped: [{ line: 2 }],
  });
});

test.each([
  ["what is no list", "a b\nc d", "list_wrong"],
  ["names alone", "#domain,#severity", "list_wrong"],
  ["this hub itself", "fine.example\nhub.example", "own_host"],
  ["more than anybody has", "x".repeat(6_000_000), "list_too_long"],
])("%s is refused, and nothing of it is taken", async (_, list, code) => {
  await expect(importBlockList(hub, list)).rejects.toMatchObject({ code });
  expect(await shown()).toEqual([]);
});

test("a comment that a spreadsheet would compute goes out as text", async () => {
  await setSiteBlock(hub, { domain: "x.example", level: "suspend", noMedia: false, publicComment: "=1+1" });
  expect(await exportBlockList(hub)).toContain("'=1+1");
});
