import { anonymous } from "../../../test/support/observers.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeChannel, openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import {
  befriend,
  connectionId,
  deliver,
  nobody,
  standingStatuses,
  statusCount,
} from "../../../test/support/people.ts";
import { setGrant } from "../connections/connections.ts";
import { observerOf } from "../identity/channels/observer.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { setConfig } from "../identity/channels/channel-config.ts";
import { limits } from "../identity/channels/roles.ts";
import { deleteItem } from "../items/posting/delete.ts";
import { editItem } from "../items/posting/edit.ts";
import { fullThread } from "../items/timelines/thread.ts";
import type { HubError } from "../../errors.ts";
import { diffLines } from "./diff.ts";
import { changeWiki, deleteWiki, deleteWikiPage, renameWikiPage } from "./wiki-change.ts";
import { createWiki } from "./wiki-create.ts";
import { revertWikiPage, saveWikiPage } from "./wiki-save.ts";
import { findWiki, listWikiPages, listWikis, wikiHistory, wikiPage } from "./wikis.ts";

let hub: TestHub;
let ann: Channel;
let bob: Channel;
let eve: Channel;

beforeAll(async () => {
  hub = await openTestHub();
  ann = await makeChannel(hub, "ann");
  bob = await makeChannel(hub, "bob");
  eve = await makeChannel(hub, "eve");
  await befriend(hub, ann, bob);
});
afterAll(() => hub.close());

const wiki = (name: string, changes: Partial<Parameters<typeof createWiki>[2]> = {}) =>
  createWiki(hub, ann, { name, mimetype: "text/bbcode", audience: nobody, posted: false, ...changes });
const save = (author: Channel, name: string, page: string, body: string, base?: number) =>
  saveWikiPage(hub, author, ann, name, { name: page, body, base });
const kindOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (error: HubError) => (error.code === "changed_meanwhile" ? error.code : error.kind),
  );

describe("wikis", () => {
  test("a wiki has a page Home and the records of the contract", async () => {
    const made = await wiki("Notes & more");
    expect(made).toMatchObject({ name: "Notes & more", mimetype: "text/bbcode", item_hidden: 1, item_private: 0 });
    expect(made.resource_id).toMatch(/^[0-9a-f]{64}$/);
    const { items, meta } = await fullThread(hub, ann, { mid: made.mid });
    expect(items[0]).toMatchObject({
      resource_type: "nwiki",
      verb: "http://activitystrea.ms/schema/1.0/create",
      obj_type: "http://activitystrea.ms/schema/1.0/wiki",
      item_type: 0,
      item_wall: 1,
    });
    expect(meta.get(made.message_id)!.map(({ cat, k, v }) => [cat, k, v])).toEqual([
      ["wiki", "rawName", "Notes & more"],
      ["wiki", "mimeType", "text/bbcode"],
    ]);
    const pages = await listWikiPages(hub, anonymous, made);
    expect(pages.map(({ name, revision }) => [name, revision])).toEqual([["Home", 0]]);
    expect(await kindOf(wiki("Notes & more"))).toBe("conflict");
    expect(await kindOf(wiki("a/b"))).toBe("invalid");
    expect(await kindOf(wiki("x", { mimetype: "application/x-php" }))).toBe("invalid");
  });

  test("each saved version is a row of its own with the same mid", async () => {
    const made = await wiki("Versions");
    const first = await save(ann, "Versions", "Plan", "one");
    const second = await save(ann, "Versions", "Plan", "one\ntwo #tag @bob", first.revision);
    expect([first.revision, second.revision, second.mid === first.mid]).toEqual([0, 1, true]);
    expect(second.body).toBe("one\ntwo #tag @bob");
    const rows = await hub.db.selectFrom("message").selectAll().where("mid", "=", first.mid).orderBy("id").execute();
    expect(rows.map((row) => [row.revision, row.version, row.resource_type, row.resource_id, row.body])).toEqual([
      [0, 0, "nwikipage", made.resource_id, "one"],
      [1, 1, "nwikipage", made.resource_id, "one\ntwo #tag @bob"],
    ]);
    await expect(editItem(hub, ann, second.id, { body: "in place" })).rejects.toMatchObject({ kind: "denied" });
    const newest = await fullThread(hub, ann, { mid: first.mid });
    expect(newest.items.map((item) => [item.revision, item.item_unpublished])).toEqual([[1, 1]]);
    expect((await wikiPage(hub, anonymous, made, "Plan", 0))!.body).toBe("one");
    const { changes, next } = await wikiHistory(hub, anonymous, made, first.mid, { count: 1 });
    expect([changes.map((change) => [change.revision, change.author]), next]).toEqual([[[1, "Ann"]], 1]);
    const older = await wikiHistory(hub, anonymous, made, first.mid, { count: 1, before: 1 });
    expect([older.changes.map((change) => change.revision), older.next]).toEqual([[0], undefined]);
    const back = await revertWikiPage(hub, ann, ann, "Versions", { name: "Plan", revision: 0, base: 1 });
    expect([back.revision, back.body]).toEqual([2, "one"]);
    expect(await kindOf(revertWikiPage(hub, ann, ann, "Versions", { name: "Plan", revision: 9, base: 2 }))).toBe(
      "missing",
    );
  });

  test("who saves over somebody else's version is told", async () => {
    await wiki("Busy");
    await save(ann, "Busy", "Home", "mine", 0);
    expect(await kindOf(save(ann, "Busy", "Home", "late", 0))).toBe("changed_meanwhile");
    expect(await kindOf(save(ann, "Busy", "Home", "new"))).toBe("changed_meanwhile");
    expect(await kindOf(save(ann, "Busy", "Never", "x", 3))).toBe("changed_meanwhile");
    const both = await Promise.all([
      kindOf(save(ann, "Busy", "Home", "a", 1)),
      kindOf(save(ann, "Busy", "Home", "b", 1)),
    ]);
    expect(both.toSorted()).toEqual(["changed_meanwhile", "done"]);
    const twice = await Promise.all([kindOf(save(ann, "Busy", "Page", "a")), kindOf(save(ann, "Busy", "Page", "b"))]);
    expect(twice.toSorted()).toEqual(["changed_meanwhile", "done"]);
  });

  test("others write with write_wiki, as themselves, where they may see the wiki", async () => {
    const made = await wiki("Shared");
    await wiki("Closed", { audience: { ...nobody, allow_cid: [ann.channel_hash] } });
    expect(await kindOf(save(bob, "Shared", "Home", "x", 0))).toBe("denied");
    await setConfig(hub, ann.channel_id, "perm_limits", "write_wiki", String(limits.specific));
    await setGrant(hub, ann, await connectionId(hub, ann, bob), "write_wiki", true);
    await save(bob, "Shared", "Home", "bob was here", 0);
    const home = await wikiPage(hub, anonymous, made, "Home");
    const { changes } = await wikiHistory(hub, anonymous, made, home!.mid, { count: 10 });
    expect(changes.map((change) => change.author)).toEqual(["Bob", "Ann"]);
    expect(await kindOf(save(bob, "Closed", "Home", "x", 0))).toBe("missing");
    expect(await kindOf(save(eve, "Shared", "Home", "x", 1))).toBe("denied");
    expect(await kindOf(createWiki(hub, bob, { name: "Own", mimetype: "text/markdown", posted: false }))).toBe("done");
  });

  test("pages are renamed and deleted with their versions; Home stays", async () => {
    const made = await wiki("Tidy");
    await save(ann, "Tidy", "Old", "1");
    await save(ann, "Tidy", "Old", "2", 0);
    await save(ann, "Tidy", "Other", "x");
    expect(await kindOf(renameWikiPage(hub, ann, "Tidy", "Old", "Other"))).toBe("conflict");
    expect(await kindOf(renameWikiPage(hub, ann, "Tidy", "Home", "House"))).toBe("denied");
    await renameWikiPage(hub, ann, "Tidy", "Old", "New");
    expect(await wikiPage(hub, anonymous, made, "Old")).toBeUndefined();
    expect((await wikiPage(hub, anonymous, made, "New", 0))!.body).toBe("1");
    await deleteWikiPage(hub, ann, "Tidy", "New");
    expect(await wikiPage(hub, observerOf(ann), made, "New")).toBeUndefined();
    expect(await wikiPage(hub, observerOf(ann), made, "New", 0)).toBeUndefined();
    expect(await kindOf(deleteWikiPage(hub, ann, "Tidy", "Home"))).toBe("denied");
    expect((await save(ann, "Tidy", "New", "again")).revision).toBe(0);
  });

  test("deleting a version as an item deletes the page, deleting the wiki everything", async () => {
    const made = await wiki("Gone");
    const first = await save(ann, "Gone", "Page", "first secret");
    await save(ann, "Gone", "Page", "second secret", 0);
    await deleteItem(hub, ann, { mid: first.mid });
    expect(await wikiPage(hub, observerOf(ann), made, "Page")).toBeUndefined();
    await save(ann, "Gone", "Another", "third secret");
    await deleteWiki(hub, ann, "Gone");
    expect(await kindOf(findWiki(hub, observerOf(ann), ann, "Gone"))).toBe("missing");
    const left = await hub.db.selectFrom("message").select("body").where("body", "like", "%secret%").execute();
    expect(left).toEqual([]);
  });

  test("an announced wiki reaches connections; what they got is no wiki of theirs", async () => {
    const made = await wiki("Loud", { posted: true });
    await deliver(hub);
    const copies = await hub.db.selectFrom("item").select(["uid"]).where("message_id", "=", made.message_id).execute();
    expect(copies.map((copy) => copy.uid)).toContain(bob.channel_id);
    expect((await listWikis(hub, observerOf(eve), bob)).map((one) => one.name)).not.toContain("Loud");
    expect((await listWikis(hub, observerOf(bob), bob)).map((one) => one.name)).not.toContain("Loud");
    expect(await statusCount(hub, ann)).toBe(await standingStatuses(hub, ann));
    await wiki("Quiet");
    await changeWiki(hub, ann, "Quiet", { name: "Not quiet", post: true });
    expect((await findWiki(hub, anonymous, ann, "Not quiet")).item_hidden).toBe(0);
    await deleteWiki(hub, ann, "Loud");
    expect(await statusCount(hub, ann)).toBe(await standingStatuses(hub, ann));
  });

  test("the lists of a wiki count for all its pages and versions, and for lists", async () => {
    const made = await wiki("Lists");
    await save(ann, "Lists", "Home", "open", 0);
    const forBob = { ...nobody, allow_cid: [bob.channel_hash] };
    await changeWiki(hub, ann, "Lists", { audience: forBob });
    expect(await kindOf(findWiki(hub, anonymous, ann, "Lists"))).toBe("missing");
    expect(await kindOf(findWiki(hub, observerOf(eve), ann, "Lists"))).toBe("missing");
    expect(await kindOf(findWiki(hub, observerOf(bob), ann, "Lists"))).toBe("done");
    // Even who has the record of the wiki sees nothing of its pages.
    expect(await listWikiPages(hub, observerOf(eve), made)).toEqual([]);
    expect(await wikiPage(hub, observerOf(eve), made, "Home")).toBeUndefined();
    expect(await wikiPage(hub, observerOf(eve), made, "Home", 0)).toBeUndefined();
    expect((await wikiPage(hub, observerOf(bob), made, "Home", 0))!.revision).toBe(0);
    await save(ann, "Lists", "Fresh", "x");
    expect((await listWikiPages(hub, observerOf(eve), made)).length).toBe(0);
    expect((await listWikis(hub, observerOf(eve), ann)).map((one) => one.name)).not.toContain("Lists");
  });
});

describe("comparing", () => {
  test.each([
    ["", "", []],
    ["a\nb\nc", "a\nx\nc", ["same a", "removed b", "added x", "same c"]],
    ["a", "a\nb", ["same a", "added b"]],
    ["a\nb", "b", ["removed a", "same b"]],
    ["", "a", ["added a"]],
    ["a\na", "a", ["same a", "removed a"]],
    ["1\n2\n3\n4", "0\n2\n4\n5", ["removed 1", "added 0", "same 2", "removed 3", "same 4", "added 5"]],
  ])("%j and %j", (before, after, expected) => {
    expect(diffLines(before, after).map(({ kind, text }) => `${kind} ${text}`)).toEqual(expected);
  });

  test("large texts end", () => {
    const [one, other] = ["a", "b"].map((letter) =>
      Array.from({ length: 50_000 }, (_, n) => `${letter}${n}`).join("\n"),
    );
    expect(diffLines(one!, other!)).toHaveLength(100_000);
  });
});
