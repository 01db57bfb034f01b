import { describe, expect, test } from "vitest";
import { moverOf } from "./people/addresses.ts";
import {
  bareSignature,
  decoded,
  networkName,
  unescaped,
  withFlags,
  withItemFlags,
  xchanBits,
} from "./sources/legacy.ts";
import { readItem } from "./items/item-form.ts";
import {
  permissionRows,
  readChannel,
  readConnection,
  readGroup,
  readHubloc,
  readPermissionLimits,
  roleName,
} from "./sources/records.ts";

describe("addresses", () => {
  const old = { url: "https://old.example", nick: "alma", id: 7 };
  const { text, json } = moverOf(old, { url: "https://new.example", nick: "lis", id: 3 });

  test.each([
    ["https://old.example/channel/alma", "https://new.example/channel/lis"],
    ["https://old.example/channel/ALMA?f=&cat=x", "https://new.example/channel/lis?f=&cat=x"],
    ["https://old.example/photos/alma/image/5#top", "https://new.example/photos/lis/image/5#top"],
    ["https://old.example/channel/bob", "https://old.example/channel/bob"],
    ["https://old.example/channel/almanac", "https://old.example/channel/almanac"],
    ["https://old.example/photo/5-2.jpg", "https://new.example/photo/5-2.jpg"],
    ["https://old.example/attach/5", "https://new.example/attach/5"],
    ["https://old.example/photo/profile/m/7", "https://new.example/photo/profile/m/3"],
    ["https://old.example/photo/profile/m/8", "https://old.example/photo/profile/m/8"],
    [
      "[img]https://old.example/photo/5[/img] and https://old.example",
      "[img]https://new.example/photo/5[/img] and https://new.example",
    ],
    ["https://old.example.org/x https://old.example:8443/x", "https://old.example.org/x https://old.example:8443/x"],
    [
      "[share message_id='https://old.example/item/5' link='https://old.example/item/5']",
      "[share message_id='https://old.example/item/5' link='https://new.example/item/5']",
    ],
    ["https://elsewhere.example/alma/", "https://elsewhere.example/alma/"],
  ])("%s", (before, after) => expect(text(before)).toBe(after));

  test("inside of objects move, but ids of messages do not", () => {
    const value = {
      id: "https://old.example/item/5",
      link: [{ href: "https://old.example/photos/alma/image/5" }],
      n: 5,
      no: null,
    };
    expect(JSON.parse(json(JSON.stringify(value)))).toEqual({
      ...value,
      link: [{ href: "https://new.example/photos/lis/image/5" }],
    });
    expect([json(""), json("{broken")]).toEqual(["", "{broken"]);
  });

  test("stay when the hub does", () => {
    expect(moverOf(old, old).text("https://old.example/channel/alma")).toBe("https://old.example/channel/alma");
    expect(moverOf({ ...old, url: "" }, old).text("x")).toBe("x");
  });
});

describe("old forms", () => {
  test("bits stand for single flags that are missing", () => {
    expect(withFlags({ xchan_flags: "4129", xchan_orphan: "1" }, "xchan_flags", xchanBits)).toMatchObject({
      xchan_hidden: "1",
      xchan_orphan: "1",
      xchan_pubforum: "1",
      xchan_deleted: "1",
      xchan_system: "0",
    });
  });

  test.each([
    [0x0040, 3],
    [0x0100, 1],
    [0x0200, 2],
    [0x0400, 4],
    [0x1000, 5],
    [0x0001, 0],
  ])("item_restrict %i is item_type %i", (item_restrict, type) => {
    expect(withItemFlags({ item_restrict })).toMatchObject({ item_type: type });
  });

  test("item flags of both sets", () => {
    expect(withItemFlags({ item_flags: 0xcffc, item_restrict: 0x8b3 & ~0x10 })).toMatchObject({
      item_starred: "1",
      item_uplink: "1",
      item_nocomment: "1",
      item_rss: "1",
      item_hidden: "1",
      item_blocked: 2,
      item_unpublished: "1",
      item_delayed: "1",
      item_pending_remove: "1",
      item_deleted: "0",
    });
    expect(withItemFlags({ item_flags: 4, item_starred: 0 })).toMatchObject({ item_starred: 0 });
  });

  test("texts are decoded once", () => {
    expect(unescaped("&lt;b&gt; &amp;lt; &quot;x&quot; &nbsp;")).toBe('<b> &lt; "x" &nbsp;');
    expect(decoded({ a: "&amp;", n: 1 })).toEqual({ a: "&", n: 1 });
  });

  test("names", () => {
    expect([bareSignature("sha256.abc"), networkName("zot6"), networkName("rss")]).toEqual(["abc", "zot", "rss"]);
    expect(["public", "personal", "group", "social", "odd"].map(roleName)).toEqual([
      "social",
      "social_restricted",
      "forum",
      "social",
      "odd",
    ]);
    expect(readGroup({ id: 5, name: "Friends", hash: "h" })).toEqual({
      id: 5,
      gname: "Friends",
      hash: "h",
      visible: 0,
      deleted: 0,
    });
    expect(readHubloc({ hubloc_flags: 4097, hubloc_status: "3" })).toMatchObject({
      hubloc_primary: 1,
      hubloc_deleted: 1,
      hubloc_error: 1,
    });
  });
});

describe("permissions", () => {
  test("as bits become rows, and wikis follow the pages", () => {
    const granted = (bits: number): string[] =>
      permissionRows("my_perms", bits)
        .filter(({ v }) => v === "1")
        .map(({ k }) => k);
    expect(granted(0)).toEqual([]);
    expect(granted(261_627)).toHaveLength(18);
    expect(granted(0x8000)).toEqual(["write_pages", "write_wiki"]);
  });

  test("as rows are left alone", () => {
    const abconfig = [
      { cat: "my_perms", k: "view_stream", v: 1 },
      { cat: "", k: "x", v: "" },
      { cat: "addon", k: "x", v: "y" },
    ];
    expect(readConnection({ abook_xchan: "x", abook_my_perms: 261_627, abconfig }).abconfig).toEqual([
      { cat: "my_perms", k: "view_stream", v: "1" },
      { cat: "addon", k: "x", v: "y" },
    ]);
  });

  test("of the channel itself and of requests are not made up", () => {
    expect(readConnection({ abook_self: "1", abook_my_perms: 5 }).abconfig).toEqual([]);
    expect(readConnection({ abook_pending: 1, abook_my_perms: 5 }).abconfig).toEqual([]);
  });

  test("limits of the older columns", () => {
    const limits = readPermissionLimits({ channel_r_stream: "1", channel_w_pages: 128, channel_r_pages: "1" });
    expect(limits.map(({ k, v }) => [k, v])).toEqual([
      ["view_stream", "1"],
      ["view_pages", "1"],
      ["write_pages", "128"],
      ["view_wiki", "1"],
      ["write_wiki", "128"],
    ]);
    expect(readPermissionLimits({ perm_limits: [{ k: "chat", v: 8 }], channel_r_stream: "1" })).toMatchObject([
      { cat: "perm_limits", k: "chat" },
    ]);
  });

  test("the right to run programs is dropped", () => {
    expect(readChannel({ channel_pageflags: 0x1 + 0x8 })).toMatchObject({ channel_pageflags: 1 });
  });
});

describe("items", () => {
  const author = { name: "A", guid: "g", guid_sig: "s", hash: "h", network: "zot" };

  test("of the record form are read as well", () => {
    const item = readItem(
      {
        mid: "m",
        parent_mid: "t",
        thr_parent: "p",
        author,
        sig: "sha256.x",
        obj: '{"a":1}',
        obj_type: "o",
        public_policy: "contacts",
        created: "2026-01-01 00:00:00",
      },
      false,
    );
    expect(item).toMatchObject({
      mid: "m",
      parentMid: "t",
      thrParent: "p",
      signature: "x",
      obj: '{"a":1}',
      obj_type: "o",
      item_private: 1,
    });
  });

  test("by people with a hash are ours, when nothing else is said", () => {
    expect(readItem({ mid: "m", author, body: "&lt;" }, undefined)).toMatchObject({ body: "&lt;" });
    expect(readItem({ mid: "m", author: { ...author, hash: undefined }, body: "&lt;" }, undefined)).toMatchObject({
      body: "<",
      signedBody: "&lt;",
    });
    expect(readItem({ mid: "m", author, body: "&lt;", mimetype: "text/html" }, true)).toMatchObject({ body: "&lt;" });
  });

  test("scopes, comments, tags and metadata", () => {
    const item = readItem(
      {
        mid: "m",
        author,
        public_scope: "public",
        comment_scope: "none",
        flags: ["private", 5],
        tags: [
          { tag: "x", type: "hashtag", url: "u" },
          { tag: "y", type: "file" },
          { tag: "z", type: "odd" },
        ],
        meta: [{ family: "a", key: "b", value: { c: 1 }, sharing: 1 }],
      },
      false,
    );
    expect(item).toMatchObject({
      public_policy: "",
      comment_policy: "",
      item_private: 1,
      flags: { item_nocomment: 1 },
      terms: [{ ttype: 1, term: "x", url: "u" }],
      ownTerms: [{ ttype: 5, term: "y", url: "" }],
      meta: [{ cat: "a", k: "b", v: 'json:{"c":1}', sharing: 1 }],
    });
  });
});
