import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect } from "../src/domain/connections/connections.ts";
import { createChannel } from "../src/domain/identity/channels/channels.ts";
import { importNow } from "../src/domain/import/start.ts";
import { answers } from "../src/faces/native/answers.ts";
import { nativeFace } from "../src/faces/native/face.ts";
import { rowsOf } from "../src/http/face.ts";
import { methodsOf } from "../src/http/endpoint.ts";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import { clientOf } from "./support/client.ts";
import type { Answer, Client } from "./support/client.ts";
import { put } from "./support/files.ts";
import { makeAccount, password } from "./support/hub.ts";
import { befriend, newcomer } from "./support/people.ts";
import { jsonFile } from "./support/hubzilla.ts";
import { bareValues, hasExactly, isInOrder, namesOf } from "./support/shapes.ts";
import type { Shape } from "./support/shapes.ts";
import { visitorOf } from "./support/visitor.ts";
import { wholeChannel } from "./support/whole-channel.ts";

/** What the native contract promises of every record, over HTTP, with a channel that has some of everything. */

type Row = Record<string, any>;

const native = "/api/z/1.0";
const unsetRecord = "0001-01-01 00:00:00";
const clock = "2026-03-01T12:00:00Z";

let world: TestApp;
/** Has everything. */
let alma: Client;
/** A connection of alma's, in the same account. */
let bob: Client;
/** A connection that is in no group of alma's but Friends. */
let gerd: Client;
/** Somebody with another account. */
let zoe: Person;

beforeAll(async () => {
  world = await openTestApp({ clock });
  const channel = await wholeChannel(world.hub, "alma");
  await befriend(world.hub, channel, await newcomer(world.hub, "gerd"));
  await put(world.hub, channel, "top.png", onePixel(), { folder: { hash: "" } });
  alma = clientOf(world.app, `alma:${password}`);
  bob = clientOf(world.app, `bob:${password}`);
  gerd = clientOf(world.app, `gerd:${password}`);
  zoe = await world.person("zoe");
});
afterAll(() => world?.close());

function onePixel(): Buffer {
  const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  return Buffer.from(png, "base64");
}

async function get(path: string, query: Row = {}, client: Client = alma): Promise<any> {
  const answer = await client.get(`${native}/${path}`, query);
  expect([path, answer.status, answer.json?.error]).toEqual([path, 200, undefined]);
  return answer.json;
}

async function update(form: Row, client: Client = alma): Promise<Row> {
  const answer = await client.post(`${native}/item/update`, form);
  expect([answer.status, answer.json.error]).toEqual([200, undefined]);
  expect(Object.keys(answer.json)).toEqual(["success", "item_id", "item"]);
  return answer.json.item;
}

/** Each entry has these fields, and there is at least one. */
function all(entries: Row[], expected: Shape, check = isInOrder): void {
  expect(entries.length).toBeGreaterThan(0);
  for (const entry of entries) check(entry, expected);
}

/** A portable item, and everything that stands in it. */
function isPortable(item: Row, form: Shape): void {
  hasExactly(item, form);
  for (const person of [item["owner"], item["author"]]) isShortXchan(person);
  for (const tag of item["tags"] ?? []) isInOrder(tag, answers.Tag);
  for (const entry of item["meta"] ?? []) isInOrder(entry, answers.Meta);
  for (const file of item["attach"] ?? []) hasExactly(file, answers.Attachment);
  const flags = ["deleted", "hidden", "notshown", "thread_parent", "nsfw", "consensus", "private"];
  expect(flags).toEqual(expect.arrayContaining(item["flags"] ?? []));
  expect(item["flags"]?.length).not.toBe(0);
  expect([item["type"], item["encoding"]]).toEqual(["activity", "zot"]);
}

function isShortXchan(person: Row): void {
  isInOrder(person, answers.ShortXchan);
  isInOrder(person["photo"], answers.ShortXchan.shape.photo);
}

function isRecord(item: Row): void {
  isInOrder(item, answers.Item);
  for (const term of item["term"] ?? []) isInOrder(term, answers.Term);
  for (const entry of item["iconfig"] ?? []) isInOrder(entry, answers.Iconfig);
}

async function groupNamed(name: string): Promise<Row> {
  return (await get("group")).find((one: Row) => one["gname"] === name && one["deleted"] === "0");
}

async function hashOf(nick: string): Promise<string> {
  return (await get("xchan", { address: `${nick}@hub.example` })).hash;
}

async function connectionTo(nick: string, client: Client = alma): Promise<Row> {
  return (await get("abook", {}, client)).find((one: Row) => one["xchan_addr"] === `${nick}@hub.example`);
}

/** Every read endpoint with parameters that make it answer something. */
async function readings(): Promise<[string, Row][]> {
  const files = (await get("files")).results as Row[];
  const image = files.find((file) => file["is_photo"] === "1")!["hash"];
  const notes = files.find((file) => file["filename"] === "notes.txt")!["hash"];
  const folder = files.find((file) => file["is_dir"] === "1")!["hash"];
  const wall = (await get("channel/stream")) as Row[];
  const friend = await connectionTo("bob");
  return [
    ["channel/export/basic", { posts: 1 }],
    ["channel/export/basic", { sections: "profile" }],
    ["channel/stream", {}],
    ["network/stream", {}],
    ["network/stream", { nouveau: 1 }],
    ["files", {}],
    ["filemeta", { file_id: notes }],
    ["filemeta", { file_id: folder }],
    ["filedata", { file_id: notes, start: 2, length: 3 }],
    ["filedata", { file_id: folder }],
    ["file", { file_id: notes }],
    ["file/export", { file_id: image }],
    ["file/export", { file_id: notes }],
    ["file/export_page", { page: 1 }],
    ["file/export_page", { page: 1000 }],
    ["albums", {}],
    ["photos", {}],
    ["photo", { photo_id: image, scale: 3 }],
    ["group", {}],
    ["group_members", { group_name: "Choir" }],
    ["xchan", { hash: friend["xchan_hash"] }],
    ["item/full", { mid: wall[0]!["message_id"] }],
    ["item/export_page", { records: 1000 }],
    ["abook", {}],
    ["abconfig", {}],
    ["perm_allowed", { abook_id: friend["abook_id"] }],
    ["channel/list", {}],
    ["verify", {}],
    ["version", {}],
  ];
}

describe("1. numbers and flags are strings", () => {
  /** The last names of what is no string (C 1). */
  const bare: Record<string, string> = {
    success: "boolean",
    allowed: "boolean",
    start: "number",
    length: "number",
    items_page: "number",
    sharing: "number",
    database: "number",
  };

  test("everywhere but where the contract says otherwise; nothing is null", async () => {
    for (const [path, query] of await readings()) {
      for (const [name, value] of bareValues(await get(path, query))) {
        // The objects of activities are as other programs have them (native contract 4.6).
        if (/(^|\.)(object|target)\./.test(name) && value !== null) continue;
        const last = name.split(".").at(-1)!.replaceAll("[]", "");
        const expected = path === "file/export_page" && name === "total" ? "number" : bare[last];
        expect([path, name, value === null ? "null" : typeof value]).toEqual([path, name, expected]);
      }
    }
  });

  test("code of an error", async () => {
    const answer = await alma.get(`${native}/filemeta`);
    expect(answer.json).toEqual({
      success: false,
      error: expect.stringMatching(/./),
      message: answer.json.error,
      reason: "missing_parameter",
      code: 400,
      request: `${native}/filemeta`,
      field: "file_id",
    });
  });

  test("GET and POST read the same", async () => {
    const both = ["channel/stream", "xchan", "abook", "abconfig"];
    for (const [path, query] of await readings()) {
      if (both.includes(path)) continue;
      const [read, posted] = [await alma.get(`${native}/${path}`, query), await alma.post(`${native}/${path}`, query)];
      expect([path, posted.status, posted.text]).toEqual([path, 200, read.text]);
    }
  });
});

test("2. without credentials there is 401 with the error object, but for version", async () => {
  for (const row of await rowsOf(nativeFace)) {
    for (const name of [row.path, ...(row.aliases ?? [])]) {
      for (const method of methodsOf(row, "")) {
        const answer = await world.anonymous.send(method, `${native}/${name}`);
        if (name === "version") expect(answer.status).toBe(200);
        else
          expect([name, answer.status, answer.headers.get("www-authenticate")]).toEqual([
            name,
            401,
            'Basic realm="Hubbub"',
          ]);
        if (name === "version" || method === "HEAD") continue;
        const { error } = answer.json;
        const request = `${native}/${name}`;
        expect(answer.json).toEqual({
          success: false,
          error,
          message: error,
          reason: "unauthorized",
          code: 401,
          request,
        });
      }
    }
  }
});

describe("3. files", () => {
  test("have the 19 fields", async () => {
    const answer = await get("files");
    expect(Object.keys(answer)).toEqual(["success", "results"]);
    all(answer.results, answers.FileEntry);
  });

  test("by hash exactly, by name and type in part, in any case", async () => {
    const { results } = await get("files", { records: 0 });
    const notes = results.find((file: Row) => file["filename"] === "notes.txt");
    const names = async (query: Row) => (await get("files", query)).results.map((file: Row) => file["filename"]);
    expect(await names({ filehash: notes.hash })).toEqual(["notes.txt", "notes.txt"]);
    expect(await names({ hash: notes.hash })).toEqual(["notes.txt", "notes.txt"]);
    expect(await names({ filehash: notes.hash.slice(0, -1) })).toEqual([]);
    expect(await names({ filename: "OTES.T" })).toEqual(["notes.txt", "notes.txt"]);
    expect(await names({ filename: "notes%" })).toEqual([]);
    expect(await names({ filename: "n_tes" })).toEqual([]);
    expect(await names({ filetype: "TEXT/" })).toEqual(["notes.txt", "notes.txt"]);
    const directories = (await get("files", { filetype: "multipart/mixed" })).results;
    expect(directories.length).toBeGreaterThan(0);
    expect(directories.every((file: Row) => file["is_dir"] === "1" && file["filetype"] === "multipart/mixed")).toBe(
      true,
    );
    expect(results.filter((file: Row) => file["is_dir"] === "1")).toEqual(directories);
  });

  test("in pages, or without limit", async () => {
    const { results } = await get("files");
    expect((await get("files", { records: 0 })).results).toEqual(results);
    expect((await get("files", { start: 2, records: 3 })).results).toEqual(results.slice(2, 5));
    expect((await get("files", { start: -5, records: -1 })).results).toEqual(results);
    const order = results.map((file: Row) => `${file["created"]} ${file["id"].padStart(12, "0")}`);
    expect(order).toEqual(order.toSorted());
  });
});

describe("4. filedata", () => {
  test("a prefix and any chunks make up the file", async () => {
    const { results } = await get("files", { filename: "lake.png" });
    const whole = Buffer.from((await get("file", { file_id: results[0].hash })).attach.content, "base64");
    expect(String(whole.length)).toBe(results[0].filesize);
    const chunks: Buffer[] = [];
    for (let start = 0; start < whole.length; start += 1000) {
      const { attach } = await get("filedata", { file_id: results[0].hash.slice(0, 20), start, length: 1000 });
      hasExactly(attach, answers.FilePart);
      const bytes = Buffer.from(attach.content, "base64");
      expect([attach.start, attach.length]).toEqual([start, bytes.length]);
      chunks.push(bytes);
    }
    expect(Buffer.concat(chunks).equals(whole)).toBe(true);
  });

  test("past the end and of a directory there is nothing", async () => {
    const { results } = await get("files");
    const file = results.find((one: Row) => one["filename"] === "lake.png").hash;
    const folder = results.find((one: Row) => one["is_dir"] === "1").hash;
    expect((await get("filedata", { file_id: file, start: 10_000_000 })).attach).toMatchObject({
      content: "",
      length: 0,
    });
    expect((await get("filedata", { file_id: folder, start: 7 })).attach).toMatchObject({
      content: "",
      start: 0,
      length: 0,
    });
  });

  test("filemeta, file and both exports", async () => {
    const { results } = await get("files");
    for (const { hash, is_dir: isFolder } of results) {
      hasExactly((await get("filemeta", { file_id: hash })).attach, answers.FileMeta);
      const { attach } = await get("file", { file_id: hash });
      hasExactly(attach, answers.File);
      expect(attach.content === "").toBe(isFolder === "1" || attach.filesize === "0");
      isExport(await get("file/export", { file_id: hash }));
    }
    for (const page of results.keys()) {
      const answer = await get("file/export_page", { page });
      expect(Object.keys(answer)).toEqual(["success", "total", "results"]);
      expect([answer.success, answer.total, answer.results.length]).toEqual([true, results.length, 1]);
      isExport(answer.results[0]);
      expect(answer.results[0].attach.at(-1).id).toBe(results[page].id);
    }
    const past = await get("file/export_page", { page: results.length });
    expect(past).toEqual({ success: false, total: results.length, results: [] });
  });

  function isExport(exported: Row): void {
    hasExactly(exported, answers.FileExport);
    all(exported["attach"], answers.File, hasExactly);
    const file = exported["attach"].at(-1);
    const path = exported["attach"].map((one: Row) => one["hash"]).join("/");
    expect(file.content).toBe(`store/alma/${path}`);
    expect("photo" in exported).toBe(file.is_photo === "1");
    expect("item" in exported).toBe(file.is_photo === "1");
    if (file.is_photo !== "1") return;
    all(exported["photo"], answers.Photo, hasExactly);
    for (const one of exported["photo"]) expect(one.content === "").toBe(one.imgscale === "0");
    for (const item of exported["item"]) isPortable(item, answers.FullItem);
  }
});

describe("5. albums and photos", () => {
  test("albums are named by their bytes", async () => {
    const { albums } = await get("albums");
    all(albums, answers.Album);
    expect(albums[0]).toEqual({
      text: "/",
      total: "1",
      url: "http://hub.example/photos/alma/album/2f",
      urlencode: "%2F",
      bin2hex: "2f",
    });
    for (const one of albums) {
      expect(one.bin2hex).toBe(Buffer.from(one.text).toString("hex"));
      expect(one.url).toBe(`http://hub.example/photos/alma/album/${one.bin2hex}`);
      expect(new URLSearchParams(`x=${one.urlencode}`).get("x")).toBe(one.text);
    }
    const names = albums.slice(1).map((one: Row) => one["text"]);
    expect(names).toEqual(names.toSorted());
    expect(names).toContain("Profile Photos");
    expect(await get("albums", {}, zoe)).toEqual({ success: true, albums: [] });
  });

  test("photos and photo have their fields", async () => {
    const { photos } = await get("photos");
    all(photos, answers.PhotoEntry);
    const { albums } = await get("albums");
    for (const { text, total } of albums) {
      const listed = (await get("photos", { album: text, scale: 0 })).photos;
      expect([text, String(listed.length)]).toEqual([text, total]);
    }
    expect((await get("photos", { album: "" })).photos).toEqual((await get("photos", { album: "/" })).photos);
    for (const entry of photos) {
      expect(entry.src).toBe(`http://hub.example/photo/${entry.resource_id}-${entry.imgscale}`);
      const answer = await get("photo", { photo_id: entry.resource_id, scale: entry.imgscale });
      expect(Object.keys(answer)).toEqual(["photo", "item"]);
      isInOrder(answer.photo, answers.Photo);
      expect(String(Buffer.from(answer.photo.content, "base64").length)).toBe(entry.filesize);
      for (const item of answer.item) isPortable(item, answers.FullItem);
    }
    expect(await get("photos", {}, zoe)).toEqual({ success: true, photos: [] });
  });
});

test("6. group and group_members agree", async () => {
  const groups = await get("group");
  all(groups, answers.Group);
  expect(groups.map((one: Row) => Number(one["id"]))).toEqual(
    groups.map((one: Row) => Number(one["id"])).toSorted((one: number, other: number) => one - other),
  );
  expect(groups.some((one: Row) => one["deleted"] === "1")).toBe(true);
  expect(namesOf(answers.GroupMember).length).toBe(4 + 24 + 26);
  for (const group of groups.filter((one: Row) => one["deleted"] === "0")) {
    const members = await get("group_members", { group_id: group["id"] });
    expect(await get("group_members", { group_name: group["gname"] })).toEqual(members);
    all(members, answers.GroupMember);
    for (const member of members) expect([member.gid, member.xchan]).toEqual([group.id, member.xchan_hash]);
  }
});

test("7. xchan by hash, guid and address is the same 26 fields", async () => {
  const byAddress = await get("xchan", { address: "BOB@hub.example" });
  isInOrder(byAddress, answers.Xchan);
  expect(namesOf(answers.Xchan).length).toBe(26);
  expect(await get("xchan", { hash: byAddress.hash, guid: "x", address: "y" })).toEqual(byAddress);
  expect(await get("xchan", { guid: byAddress.guid, address: "y" })).toEqual(byAddress);
});

describe("8. item/update", () => {
  test("the least call, and all 73 fields", async () => {
    const item = await update({ body: "Good morning" });
    expect(namesOf(answers.Item).length).toBe(73 + 3);
    isInOrder(item, answers.Item);
    expect(item["mid"]).toMatch(/^http:\/\/hub\.example\/item\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(item).toMatchObject({
      parent: item["id"],
      parent_mid: item["mid"],
      thr_parent: item["mid"],
      expires: unsetRecord,
      comments_closed: unsetRecord,
      mimetype: "text/bbcode",
      body: "Good morning",
      verb: "http://activitystrea.ms/schema/1.0/post",
      obj_type: "http://activitystrea.ms/schema/1.0/note",
      plink: item["mid"],
      llink: `http://hub.example/display/${item["mid"].split("/").at(-1)}`,
      item_private: "0",
      item_origin: "1",
      item_wall: "1",
      item_thread_top: "1",
      item_verified: "1",
      revision: "0",
      public_policy: "",
    });
  });

  test("tags and metadata stand behind them", async () => {
    const form = { body: "#one", category: "c", namespace: "bridge", remote_id: "r1" };
    const item = await update(form);
    isRecord(item);
    expect(item["term"].map((term: Row) => [term["term"], term["ttype"]])).toEqual([
      ["one", "1"],
      ["c", "3"],
    ]);
    expect(item["iconfig"].map((entry: Row) => [entry["cat"], entry["k"], entry["v"]])).toEqual([
      ["system", "bridge", "r1"],
    ]);
  });

  test("a comment by parent and by parent_mid", async () => {
    const top = await update({ body: "top" });
    const [one, other] = [
      await update({ body: "same", parent: top["id"] }),
      await update({ body: "same", parent_mid: top["mid"] }),
    ];
    const own = ["id", "mid", "llink", "plink"];
    const without = (item: Row) => Object.fromEntries(Object.entries(item).filter(([name]) => !own.includes(name)));
    expect(without(other)).toEqual(without(one));
    expect([one["parent"], one["parent_mid"], one["item_thread_top"]]).toEqual([top["id"], top["mid"], "0"]);
    expect(one["obj_type"]).toBe("http://activitystrea.ms/schema/1.0/comment");
  });

  test("an edit keeps mid and id", async () => {
    const before = await update({ body: "before", title: "t" });
    const after = await update({ body: "after", post_id: before["id"] });
    expect([after["id"], after["mid"], after["body"], after["title"], after["revision"]]).toEqual([
      before["id"],
      before["mid"],
      "after",
      "t",
      "1",
    ]);
  });

  test("contact_allow makes it private", async () => {
    const item = await update({ body: "for bob", contact_allow: [await hashOf("bob")] });
    expect([item["item_private"], item["allow_cid"], item["public_policy"]]).toEqual([
      "1",
      `<${await hashOf("bob")}>`,
      "",
    ]);
  });

  test("a date in the future delays it and keeps it out of the streams", async () => {
    const item = await update({ body: "later", created: "now + 2 hours" });
    expect(item["item_delayed"]).toBe("1");
    for (const path of ["channel/stream", "network/stream"]) {
      const shown = (await get(path)).map((one: Row) => one["message_id"]);
      expect(shown).not.toContain(item["mid"]);
    }
  });

  test("channel/stream stores the same record", async () => {
    const { json } = await alma.post(`${native}/channel/stream`, { body: "as it is #untouched" });
    expect(Object.keys(json)).toEqual(["success", "item_id", "activity"]);
    isRecord(json.activity);
    expect([json.item_id, json.activity.body]).toEqual([json.activity.id, "as it is #untouched"]);
  });
});

describe("9 and 10. comments and item/full", () => {
  let top: Row;
  let comments: Row[];

  beforeAll(async () => {
    const choir = await groupNamed("Choir");
    top = await update({ body: "for the choir #song", group_allow: [choir["hash"]], category: "notes" });
    await world.work();
    world.hub.advance(5);
    const asked = {
      contact_allow: [await hashOf("zoe")],
      group_allow: [],
      public_policy: "authenticated",
      comments_closed: "2030-01-01",
    };
    const own = await update({ body: "own answer", parent: top["id"], ...asked });
    world.hub.advance(5);
    const theirs = await update({ body: "bob's answer", parent_mid: top["mid"], ...asked }, bob);
    await world.work();
    comments = [own, theirs];
  });

  test("a comment has the audience of its thread, whatever it asks for", async () => {
    const inherited = ["item_private", "allow_cid", "allow_gid", "deny_cid", "deny_gid"];
    const [own, theirs] = comments as [Row, Row];
    expect(top["allow_gid"]).toMatch(/Choir>$/);
    for (const name of [...inherited, "owner_xchan", "public_policy", "comment_policy", "comments_closed"])
      expect([name, own[name]]).toEqual([name, top[name]]);
    // Whom else a post went to is not told to those who have it.
    const { item: copies } = await get("item/full", { mid: top["mid"] }, bob);
    for (const name of inherited.slice(1)) expect([name, theirs[name], copies[0][name]]).toEqual([name, "", ""]);
    expect([theirs["item_private"], theirs["owner_xchan"]]).toEqual(["1", top["owner_xchan"]]);
    expect([theirs["comment_policy"], theirs["public_policy"]]).toEqual([top["comment_policy"], ""]);
    expect([own["item_wall"], theirs["item_wall"]]).toEqual(["1", "0"]);
  });

  test("item/full shows the thread in order", async () => {
    const answer = await get("item/full", { mid: top["mid"] });
    expect(Object.keys(answer)).toEqual(["item"]);
    for (const item of answer.item) isPortable(item, answers.FullItem);
    const mids = [top, ...comments].map((one) => one["mid"]);
    expect(answer.item.map((one: Row) => one["message_id"])).toEqual(mids);
    expect(answer.item.map((one: Row) => one["author"].address)).toEqual([
      "alma@hub.example",
      "alma@hub.example",
      "bob@hub.example",
    ]);
    expect(answer.item[0].tags.map((tag: Row) => [tag["tag"], tag["type"]])).toEqual([
      ["song", "hashtag"],
      ["notes", "category"],
    ]);
    // Any item of the thread names it.
    expect(await get("item/full", { item_id: comments[0]!["id"] })).toEqual(answer);
  });

  test("meta of an item of another service", async () => {
    const item = await update({ body: "bridged", namespace: "bridge", remote_id: "r2" });
    const { item: thread } = await get("item/full", { item_id: item["id"] });
    expect(thread[0].meta).toEqual([{ family: "system", key: "bridge", value: "r2", sharing: expect.any(Number) }]);
  });
});

describe("11 and 12. permissions", () => {
  const names = [
    "view_stream",
    "send_stream",
    "view_profile",
    "view_contacts",
    "view_storage",
    "write_storage",
    "view_pages",
    "view_wiki",
    "write_pages",
    "write_wiki",
    "post_wall",
    "post_comments",
    "post_mail",
    "post_like",
    "tag_deliver",
    "chat",
    "republish",
    "delegate",
  ];
  const bits: Record<string, number> = {
    view_stream: 0x00001,
    view_profile: 0x00002,
    view_contacts: 0x00008,
    send_stream: 0x00010,
    post_wall: 0x00020,
    tag_deliver: 0x00040,
    post_comments: 0x00080,
    post_mail: 0x00100,
    chat: 0x00400,
    delegate: 0x00800,
    view_storage: 0x01000,
    write_storage: 0x02000,
    view_pages: 0x04000,
    write_pages: 0x08000,
    republish: 0x10000,
    post_like: 0x20000,
  };
  /** Native contract 3.6, role social: six read permissions and these. */
  const social = [
    "view_stream",
    "view_profile",
    "view_contacts",
    "view_storage",
    "view_pages",
    "view_wiki",
    "send_stream",
    "post_wall",
    "post_comments",
    "post_mail",
    "chat",
    "post_like",
    "republish",
  ];

  test("18 in their order; the channel itself has all", async () => {
    const { channel_hash: hash } = await get("verify");
    const own = await get("perm_allowed", { hash });
    expect(own).toEqual(names.map((perm) => ({ perm, allowed: true })));
    expect(await get("perm_allowed", { hash, perm: "chat" })).toEqual([{ perm: "chat", allowed: true }]);
  });

  test("somebody blocked has none", async () => {
    const { abook_id: id } = await connectionTo("dora");
    expect(await get("perm_allowed", { abook_id: id })).toEqual(names.map((perm) => ({ perm, allowed: false })));
    const { abook_id: bobs } = await connectionTo("bob");
    const before = await get("perm_allowed", { abook_id: bobs });
    await alma.post(`${native}/abook`, { abook_id: bobs, blocked: 1 });
    expect(await get("perm_allowed", { abook_id: bobs })).toEqual(names.map((perm) => ({ perm, allowed: false })));
    await alma.post(`${native}/abook`, { abook_id: bobs, blocked: 0 });
    expect(await get("perm_allowed", { abook_id: bobs })).toEqual(before);
  });

  test("approving gives what the role grants", async () => {
    const yuri = await world.person("yuri");
    const xena = await world.person("xena");
    await connect(world.hub, xena.channel, { xchan_hash: yuri.channel.channel_hash });
    await world.work();
    const pending = await connectionTo("xena", yuri);
    expect(pending["abook_pending"]).toBe("1");
    const reads = names.filter((perm) => perm.startsWith("view_"));
    const before = await get("perm_allowed", { abook_id: pending["abook_id"] }, yuri);
    // Everybody may read; nothing more was granted.
    expect(before).toEqual(names.map((perm) => ({ perm, allowed: reads.includes(perm) })));
    const approved = await yuri.post(`${native}/abook`, { abook_id: pending["abook_id"], pending: "false" });
    all(approved.json, answers.Connection);
    expect([approved.json[0].abook_pending, approved.json[0].abook_my_perms]).toEqual(["0", "218555"]);
    const after = await get("perm_allowed", { abook_id: pending["abook_id"] }, yuri);
    expect(after).toEqual(names.map((perm) => ({ perm, allowed: social.includes(perm) })));
  });

  test("abook_my_perms and abook_their_perms are sums of bits", async () => {
    const [connections, rows] = [await get("abook"), await get("abconfig")];
    all(connections, answers.Connection);
    all(rows, answers.Abconfig);
    for (const one of connections) {
      for (const cat of ["my_perms", "their_perms"]) {
        const granted = rows.filter(
          (row: Row) => row["xchan"] === one.abook_xchan && row["cat"] === cat && row["v"] === "1",
        );
        const sum = granted.reduce((total: number, row: Row) => total + (bits[row["k"]] ?? 0), 0);
        expect([one.xchan_name, cat, one[`abook_${cat}`]]).toEqual([one.xchan_name, cat, String(sum)]);
      }
    }
    const { abook_id: id } = await connectionTo("bob");
    expect(await get("abook", { abook_id: id })).toEqual([await connectionTo("bob")]);
    expect(await get("abook", { abook_id: 987_654 })).toEqual([]);
  });
});

test("13. channel= switches within the account and no further", async () => {
  const list = await get("channel/list");
  expect(list).toContain("bob");
  expect((await get("verify", { channel: "bob" })).channel_address).toBe("bob");
  const { status, json } = await alma.get(`${native}/verify`, { channel: "zoe" });
  expect([status, json.reason]).toEqual([403, "wrong_channel"]);
  for (const nick of list) isInOrder(await get("verify", { channel: nick }), answers.Channel);
});

describe("14. the export", () => {
  const structure = ["compatibility", "relocate"];
  const byDefault = [
    "channel",
    "profile",
    "photo",
    "abook",
    "xchan",
    "hubloc",
    "group",
    "group_member",
    "atoken",
    "config",
    "term",
    "followed_tag",
    "draft",
    "obj",
    "likes",
    "app",
    "sysapp",
    "chatroom",
    "event",
    "event_item",
    "menu",
    "webpages",
    "conv",
    "mail",
    "wiki",
  ];
  const nine = "channel,connections,config,apps,chatrooms,events,webpages,mail,wikis";

  test("the default is the nine sections; posts adds items", async () => {
    const plain = await get("channel/export/basic");
    expect(Object.keys(plain).toSorted()).toEqual([...structure, ...byDefault].toSorted());
    expect(await get("channel/export/basic", { sections: nine })).toEqual(plain);
    expect(await get("channel/export/basic", { sections: nine.split(",") })).toEqual(plain);
    const more = await get("channel/export/basic", { posts: 1, sections: "config" });
    expect(Object.keys(more).toSorted()).toEqual([...structure, ...byDefault, "item"].toSorted());
    const { item: items, ...rest } = more;
    expect(rest).toEqual(plain);
    expect(items.length).toBeGreaterThan(3);
    for (const item of items) isPortable(item, answers.FullItem);
    isOldestFirst(items);
  });

  test("records have their fields", async () => {
    const exported = await get("channel/export/basic");
    hasExactly(exported.compatibility, answers.ChannelExport.shape.compatibility);
    expect(exported.compatibility).toMatchObject({ project: "hubbub", database: 1188, server_role: "standard" });
    expect(exported.relocate).toEqual({ channel_address: "alma", url: "http://hub.example" });
    hasExactly(exported.channel, answers.ExportedChannel);
    all(exported.channel.perm_limits, answers.Config, hasExactly);
    hasExactly(exported.photo, answers.ChannelExport.shape.photo.unwrap());
    all(exported.profile, answers.Profile, hasExactly);
    all(exported.abook, answers.ExportedAbook);
    all(
      exported.abook.flatMap((one: Row) => one["abconfig"]),
      answers.Abconfig,
    );
    all(exported.xchan, answers.XchanRecord);
    all(exported.hubloc, answers.Hubloc);
    all(exported.group, answers.Group);
    all(exported.group_member, answers.Membership);
    all(exported.atoken, answers.Guest, hasExactly);
    all(exported.config, answers.Config, hasExactly);
    all(exported.term, answers.Term, hasExactly);
    all(exported.followed_tag, answers.FollowedTag, hasExactly);
    all(exported.draft, answers.Draft, hasExactly);
    all(exported.obj, answers.Thing, hasExactly);
    all(exported.likes, answers.ProfileLike, hasExactly);
    all(exported.app, answers.App, hasExactly);
    all(
      exported.app.flatMap((one: Row) => one["term"]),
      answers.Term,
      hasExactly,
    );
    all(exported.chatroom, answers.Chatroom, hasExactly);
    all(exported.event, answers.Event, hasExactly);
    all(exported.menu, answers.Menu, hasExactly);
    all(
      exported.menu.flatMap((one: Row) => one["items"]),
      answers.MenuItem,
      hasExactly,
    );
    all(exported.conv, answers.Conversation, hasExactly);
    all(exported.mail, answers.Mail, hasExactly);
    for (const one of exported.mail) for (const side of [one.from, one.to]) isShortXchan(side);
    for (const list of [exported.event_item, exported.webpages, exported.wiki]) {
      expect(list.length).toBeGreaterThan(0);
      for (const item of list) isPortable(item, answers.FullItem);
    }
    expect(new Set(exported.webpages.map((one: Row) => one["item_type"]))).toEqual(new Set(["1", "2", "3"]));
    isOldestFirst(exported.wiki);
  });

  test("item/export_page goes through all of it", async () => {
    const all = await get("item/export_page", { records: 1000 });
    expect(Object.keys(all).toSorted()).toEqual(["item", "items_page", "items_total", "relocate"]);
    expect([all.items_total, all.items_page]).toEqual([String(all.item.length), 1000]);
    for (const item of all.item) isPortable(item, answers.FullItem);
    isOldestFirst(all.item);
    const pages: Row[] = [];
    for (let page = 0; page * 7 < all.item.length; page++)
      pages.push(...(await get("item/export_page", { page, records: 7 })).item);
    expect(pages).toEqual(all.item);
    const usual = await get("item/export_page");
    expect([usual.items_page, usual.item.length]).toEqual([10, 10]);
  });

  test("an empty hub that imports it has the same identity, people and items", async () => {
    const exported = await get("channel/export/basic", { posts: 1 });
    const there = await openTestApp({ clock: world.hub.clock(), env: { HUBBUB_BASE_URL: "http://b.example" } });
    try {
      const account = await makeAccount(there.hub, "alma@example.org");
      const options = { mode: "moving", nick: "", posts: true } as const;
      const file = jsonFile(exported);
      await importNow(there.hub, account.account_id, { file }, options, () => undefined);
      const again = await get("channel/export/basic", { posts: 1 }, clientOf(there.app, `alma:${password}`));
      for (const name of ["channel_guid", "channel_hash", "channel_pubkey", "channel_prvkey", "channel_timezone"])
        expect([name, again.channel[name]]).toEqual([name, exported.channel[name]]);
      const same: [string, (entry: Row) => unknown][] = [
        [
          "abook",
          (one) => [one["abook_xchan"], one["abook_my_perms"], one["abook_their_perms"], one["abook_closeness"]],
        ],
        ["group", (one) => [one["hash"], one["gname"], one["deleted"]]],
        ["item", (one) => [one["message_id"].split("/").at(-1), one["created"], one["title"], one["flags"]?.join(" ")]],
        ["event", (one) => [one["event_hash"], one["dtstart"], one["summary"]]],
        ["wiki", (one) => [one["resource_type"], one["revision"], one["created"]]],
        ["mail", (one) => [one["title"], one["created"], one["flags"].join(" ")]],
      ];
      for (const [name, essence] of same) {
        const sorted = (from: Row): string[] => from[name].map((one: Row) => JSON.stringify(essence(one))).toSorted();
        expect([name, sorted(again)]).toEqual([name, sorted(exported)]);
      }
    } finally {
      await there.close();
    }
  });

  function isOldestFirst(items: Row[]): void {
    const dates = items.map((item) => item["created"]);
    expect(dates).toEqual(dates.toSorted());
  }
});

test("15. what is for a group is for its members, at every door", async () => {
  const choir = await groupNamed("Choir");
  const secret = "the choir sings at nine";
  const { mid, id, allow_gid: lists } = await update({ body: secret, group_allow: [choir["id"]] });
  expect(lists).toBe(`<${choir["hash"]}>`);
  await world.work();
  const members = await get("group_members", { group_id: choir["id"] });
  expect(members.map((one: Row) => one["xchan_addr"])).toEqual(["bob@hub.example", "carol@hub.example"]);
  const doors: [string, (client: Client) => Promise<Answer>][] = [
    ["network/stream", (client) => client.get(`${native}/network/stream`)],
    ["statuses/home_timeline", (client) => client.get("/api/statuses/home_timeline")],
    ["statuses/user_timeline", (client) => client.get("/api/statuses/user_timeline", { screen_name: "alma" })],
  ];
  for (const [name, open] of doors) {
    expect([name, (await open(bob)).text.includes(secret)]).toEqual([name, true]);
    for (const outsider of [gerd, zoe])
      expect([name, (await open(outsider)).text.includes(secret)]).toEqual([name, false]);
  }
  expect((await bob.get(`${native}/item/full`, { mid })).status).toBe(200);
  expect((await zoe.get(`${native}/item/full`, { mid })).status).toBe(404);
  expect((await zoe.get("/api/statuses/show", { id })).status).toBe(404);
  for (const [nick, sees] of [
    ["bob", true],
    ["gerd", false],
    ["zoe", false],
    ["", false],
  ] as const) {
    const visitor = visitorOf(world.app);
    if (nick !== "") await visitor.logIn(nick, password);
    const wall = await visitor.get("/channel/alma");
    expect([nick, wall.status, wall.text.includes(secret)]).toEqual([nick, 200, sees]);
    const shown = await visitor.get(`/display/${mid.split("/").at(-1)}`);
    expect([nick, shown.status]).toEqual([nick, sees ? 200 : 404]);
  }
});

test("streams have the short form", async () => {
  for (const path of ["channel/stream", "network/stream"]) {
    const items = await get(path);
    expect(items.length).toBeGreaterThan(3);
    for (const item of items) isPortable(item, answers.ShortItem);
  }
  expect(await get("channel/stream", {}, zoe)).toEqual([]);
});

test("an account of several channels chooses its default by the e-mail address", async () => {
  const account = await makeAccount(world.hub, "several@example.org");
  for (const nick of ["primo", "secondo"]) await createChannel(world.hub, account, { nick, name: nick });
  const several = clientOf(world.app, `several@example.org:${password}`);
  expect(await get("channel/list", {}, several)).toEqual(["primo", "secondo"]);
  expect((await get("verify", {}, several)).channel_address).toBe("primo");
});
