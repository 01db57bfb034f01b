import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { only, put, staged } from "../../../test/support/files.ts";
import { makeDirectory } from "../../domain/cloud/change.ts";
import { newRevision } from "../../domain/cloud/upload.ts";
import { mostAtOnce } from "../../domain/files/read.ts";
import type { File } from "../../domain/files/types.ts";
import { updateChannel } from "../../domain/identity/channels/channels.ts";
import { size } from "../../../test/support/size.ts";

let world: TestApp;
let ann: Person;
let bob: Person;

beforeAll(async () => {
  world = await openTestApp();
  ann = await world.person("ann", { timezone: "Europe/Oslo" });
  bob = await world.person("bob");
});
afterAll(() => world.close());

const base = "/api/z/1.0";
const entryFields =
  "id aid uid hash filename filetype filesize revision folder os_storage is_dir is_photo flags created edited allow_cid allow_gid deny_cid deny_gid";
const recordFields =
  "id aid uid hash creator filename filetype filesize revision folder flags is_dir is_photo os_storage os_path display_path content created edited allow_cid allow_gid deny_cid deny_gid";

function store(name: string, bytes: Uint8Array | string = name, more: Parameters<typeof put>[4] = {}): Promise<File> {
  return put(world.hub, ann.channel, name, bytes, more);
}

describe("files", () => {
  const clock = (hours: number): string =>
    `2026-03-0${1 + Math.floor(hours / 24)} ${String(hours % 24).padStart(2, "0")}:00:00`;
  let notes: File;
  let newer: File;
  let travel: File;
  let inside: File;

  beforeAll(async () => {
    world.hub.setClock("2026-03-01T12:00:00Z");
    notes = await store("Notes 100%_*.txt");
    world.hub.advance(3600);
    travel = await makeDirectory(world.hub, ann.channel, ann.channel, { folder: "", name: "Travel" });
    world.hub.advance(3600);
    inside = await store("ÆRLIG.pdf", "pdf", { folder: { hash: travel.hash }, audience: only(ann.channel) });
    world.hub.advance(3600);
    newer = await newRevision(world.hub, ann.channel, ann.channel, notes.hash, await staged(world.hub, "newer"), "");
    await put(world.hub, bob.channel, "bob.txt");
  });

  async function ids(query: Record<string, unknown>): Promise<number[]> {
    const { status, json } = await ann.get(`${base}/files`, query);
    expect([status, json.success]).toEqual([200, true]);
    return json.results.map((entry: { id: string }) => Number(entry.id));
  }

  test("lists every revision of the own storage with exactly the fields of the contract", async () => {
    for (const query of [{}, { records: 100 }]) {
      const { json, headers } = await ann.get(`${base}/files`, query);
      expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect(Object.keys(json)).toEqual(["success", "results"]);
      const [first, second, third, fourth, ...rest] = json.results;
      expect(rest).toEqual([]);
      for (const entry of json.results) {
        expect(Object.keys(entry)).toEqual(entryFields.split(" "));
        expect(Object.values(entry).every((value) => typeof value === "string")).toBe(true);
      }
      expect(first).toMatchObject({ id: String(notes.id), hash: notes.hash, revision: "0", filesize: "16" });
      expect(second).toMatchObject({
        id: String(travel.id),
        filename: "Travel",
        filetype: "multipart/mixed",
        filesize: "0",
        is_dir: "1",
        is_photo: "0",
        os_storage: "1",
        folder: "",
      });
      expect(third).toMatchObject({ folder: travel.hash, allow_cid: `<${ann.channel.channel_hash}>` });
      expect(fourth).toMatchObject({ id: String(newer.id), hash: notes.hash, revision: "1", filesize: "5" });
      expect(fourth.created).toBe("2026-03-01 15:00:00");
    }
  });

  test.each([
    ["hash, exactly", () => ({ filehash: notes.hash }), () => [notes, newer]],
    ["hash by its other name", () => ({ hash: notes.hash }), () => [notes, newer]],
    ["a part of a hash", () => ({ filehash: notes.hash.slice(0, 63) }), () => []],
    ["a hash in other letters", () => ({ filehash: notes.hash.toUpperCase() }), () => []],
    ["part of the name in any case", () => ({ filename: "ærl" }), () => [inside]],
    ["signs without meaning: %", () => ({ filename: "%" }), () => [notes, newer]],
    ["signs without meaning: _", () => ({ filename: "_" }), () => [notes, newer]],
    ["signs without meaning: *", () => ({ filename: "0%_*" }), () => [notes, newer]],
    ["signs without meaning in a hash", () => ({ filehash: "%" }), () => []],
    ["part of the type in any case", () => ({ filetype: "TEXT/" }), () => [notes, newer]],
    ["directories", () => ({ filetype: "multipart/mixed" }), () => [travel]],
    ["signs without meaning in a type", () => ({ filetype: "%" }), () => []],
    ["a directory", () => ({ folder: travel.hash }), () => [inside]],
    ["the top level", () => ({ folder: "/" }), () => [notes, travel, newer]],
    ["an unknown directory", () => ({ folder: "nowhere" }), () => []],
    ["an empty filter", () => ({ folder: "", filename: "", filehash: "" }), () => [notes, travel, inside, newer]],
    ["since, in the zone of the channel", () => ({ since: "2026-03-01 14:00:00" }), () => [travel, inside, newer]],
    ["until, in the zone of the channel", () => ({ until: "2026-03-01 14:00:00" }), () => [notes, travel]],
    ["since with an offset", () => ({ since: "2026-03-01T14:00:00Z" }), () => [inside, newer]],
    ["a range", () => ({ since: "@1772370000", until: "2026-03-01T14:00:00Z" }), () => [travel, inside]],
    ["since never", () => ({ since: "0000-00-00 00:00:00" }), () => [notes, travel, inside, newer]],
    ["a start", () => ({ start: 1 }), () => [travel, inside, newer]],
    ["a start and a count", () => ({ start: 1, records: 2 }), () => [travel, inside]],
    ["a negative start and count", () => ({ start: -5, records: -1 }), () => [notes, travel, inside, newer]],
    ["a start behind the end", () => ({ start: 10 }), () => []],
    ["a huge count", () => ({ records: 9_000_000_000 }), () => [notes, travel, inside, newer]],
    [
      "everything together",
      () => ({ filename: "notes", filetype: "plain", folder: "/", start: 1, records: 1 }),
      () => [newer],
    ],
  ])("filters by %s", async (_, query, expected) => {
    expect(await ids(query())).toEqual(expected().map((file) => file.id));
  });

  test("takes the same by POST", async () => {
    const { json } = await ann.post(`${base}/files`, { filename: "travel" });
    expect(json.results).toHaveLength(1);
  });

  test.each([
    ["start", "x"],
    ["records", "ten"],
    ["since", "yesterday-ish"],
    ["until", "2026-13-01"],
  ])("refuses %s=%s", async (field, value) => {
    const { status, json } = await ann.get(`${base}/files`, { [field]: value });
    expect([status, json.reason, json.field]).toEqual([400, "bad_parameter", field]);
  });

  test("streams thousands of entries in their order, each once", async () => {
    const { hub } = world;
    const carol = await world.person("carol");
    const total = 1203;
    const rows = Array.from({ length: total }, (_, n) => ({
      aid: carol.channel.channel_account_id,
      uid: carol.channel.channel_id,
      hash: randomBytes(32).toString("hex"),
      creator: carol.channel.channel_hash,
      filename: `${n}.txt`,
      filetype: "text/plain",
      filesize: n,
      // Many of the same second, and not in the order of ids.
      created: clock((n * 7) % 30),
      edited: clock(0),
      latest: 1,
    }));
    for (let n = 0; n < total; n += 100)
      await hub.db
        .insertInto("attach")
        .values(rows.slice(n, n + 100))
        .execute();
    const stored = await hub.db
      .selectFrom("attach")
      .select(["id", "created"])
      .where("uid", "=", carol.channel.channel_id)
      .execute();
    const expected = stored
      .toSorted((a, b) => (a.created === b.created ? a.id - b.id : a.created < b.created ? -1 : 1))
      .map((row) => String(row.id));
    const listed = async (query: Record<string, unknown>): Promise<string[]> =>
      (await carol.get(`${base}/files`, query)).json.results.map((entry: { id: string }) => entry.id);
    expect(await listed({})).toEqual(expected);
    expect(await listed({ records: 0, start: 700 })).toEqual(expected.slice(700));
    expect(await listed({ records: 501, start: 600 })).toEqual(expected.slice(600, 1101));
    expect(await listed({ records: 500 })).toEqual(expected.slice(0, 500));
    expect(await listed({ records: 5000 })).toEqual(expected);
    expect(await listed({ filetype: "plain", since: "2026-03-02T00:00:00Z" })).toHaveLength(
      rows.filter((row) => row.created >= "2026-03-02").length,
    );
  });
});

describe("filemeta", () => {
  test("shows a record without its content, for directories too", async () => {
    const file = await store("meta.txt", "meta");
    const directory = await makeDirectory(world.hub, ann.channel, ann.channel, { folder: "", name: "Meta" });
    for (const one of [file, directory]) {
      const { status, json } = await ann.get(`${base}/filemeta`, { file_id: one.hash });
      expect([status, Object.keys(json)]).toEqual([200, ["attach"]]);
      expect(Object.keys(json.attach)).toEqual(recordFields.split(" ").filter((name) => name !== "content"));
      expect(json.attach).toMatchObject({
        id: String(one.id),
        creator: ann.channel.channel_hash,
        os_path: one.hash,
        display_path: one.filename,
      });
    }
  });

  test("shows the newest revision, or the one that is named", async () => {
    const { hash } = await store("rev.txt", "0");
    await newRevision(world.hub, ann.channel, ann.channel, hash, await staged(world.hub, "11"), "");
    const size = async (query: object): Promise<string> =>
      (await ann.get(`${base}/filemeta`, { file_id: hash, ...query })).json.attach?.filesize;
    expect(await size({})).toBe("2");
    expect(await size({ revision: 0 })).toBe("1");
    expect(await size({ revision: 1 })).toBe("2");
    expect((await ann.get(`${base}/filemeta`, { file_id: hash, revision: 2 })).status).toBe(404);
    expect((await ann.get(`${base}/file`, { file_id: hash, revision: 0 })).json.attach.content).toBe("MA==");
  });
});

describe("filedata", () => {
  const sizes = [0, 1, 2, 3, 4, 1000, 65_536, 1_000_003];
  const wholes = new Map<number, { hash: string; bytes: Buffer }>();

  beforeAll(async () => {
    for (const size of sizes) {
      const bytes = randomBytes(size);
      wholes.set(size, { hash: (await store(`${size}.bin`, bytes)).hash, bytes });
    }
  });

  async function chunk(hash: string, query: object = {}) {
    const { status, json } = await ann.get(`${base}/filedata`, { file_id: hash, ...query });
    expect(status).toBe(200);
    return json.attach as { content: string; start: number; length: number; filesize: string };
  }

  test("has the record with the content at its place, and two numbers", async () => {
    const { hash } = await store('quoted ","content":"x.txt', "abc");
    const attach = await chunk(hash, { start: 1 });
    expect(Object.keys(attach)).toEqual([...recordFields.split(" "), "start", "length"]);
    expect(attach).toMatchObject({ filename: 'quoted ","content":"x.txt', content: "YmM=", start: 1, length: 2 });
  });

  test("chunks of any length, put together, are the file bit by bit", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...sizes), fc.double({ min: 0, max: 1, noNaN: true }), async (size, part) => {
        const { hash, bytes } = wholes.get(size)!;
        const length = Math.max(1, Math.ceil(size * Math.max(part, 0.07)));
        const parts: Buffer[] = [];
        for (let start = 0; start < size; start += length) {
          const { content, ...answer } = await chunk(hash, { start, length });
          const decoded = Buffer.from(content, "base64");
          expect(answer).toMatchObject({ start, length: decoded.length, filesize: String(size) });
          expect(decoded.length).toBe(Math.min(length, size - start));
          parts.push(decoded);
        }
        expect(Buffer.concat(parts).equals(bytes)).toBe(true);
      }),
      { numRuns: size(20, 400) },
    );
  });

  test("any part is the part of the file", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...sizes), fc.nat(1_100_000), fc.nat(1_100_000), async (size, start, length) => {
        const { hash, bytes } = wholes.get(size)!;
        const expected = bytes.subarray(start, length === 0 ? undefined : start + length);
        const answer = await chunk(hash, { start, length });
        expect(answer.content).toBe(expected.toString("base64"));
        expect([answer.start, answer.length]).toEqual([start, expected.length]);
      }),
      { numRuns: size(30, 600) },
    );
  });

  test("leaves out and negative mean from the start to the end", async () => {
    const { hash, bytes } = wholes.get(1000)!;
    for (const query of [{}, { start: -5 }, { length: 0 }, { length: -1 }, { start: "", length: "" }])
      expect(await chunk(hash, query)).toMatchObject({ content: bytes.toString("base64"), start: 0, length: 1000 });
    expect(await chunk(hash, { start: 1000 })).toMatchObject({ content: "", start: 1000, length: 0 });
    expect(await chunk(hash, { start: 5_000_000_000 })).toMatchObject({ content: "", start: 5e9, length: 0 });
  });

  test("never answers more than the cap", async () => {
    const { hash } = await store("large.bin", Buffer.alloc(mostAtOnce + 7, "ab"));
    for (const length of [0, mostAtOnce + 5, 2 ** 40]) {
      const answer = await chunk(hash, { length });
      expect([answer.length, answer.filesize]).toEqual([mostAtOnce, String(mostAtOnce + 7)]);
      expect(Buffer.from(answer.content, "base64")).toHaveLength(mostAtOnce);
    }
    expect((await chunk(hash, { start: mostAtOnce })).length).toBe(7);
    const { status, json } = await ann.get(`${base}/file`, { file_id: hash });
    expect([status, json.reason]).toEqual([413, "too_large"]);
  });

  test("finds a file by the beginning of its hash: the lowest id, the newest revision", async () => {
    const { hub } = world;
    const dora = await world.person("dora");
    const first = await put(hub, dora.channel, "first.txt", "first");
    const second = await put(hub, dora.channel, "second.txt", "second");
    const rename = (file: File, hash: string) =>
      hub.db.updateTable("attach").set({ hash }).where("id", "=", file.id).execute();
    await rename(second, `aa${"0".repeat(62)}`);
    await rename(first, `aa${"f".repeat(62)}`);
    await newRevision(hub, dora.channel, dora.channel, `aa${"f".repeat(62)}`, await staged(hub, "newest"), "");
    const found = async (file_id: string): Promise<string> => {
      const { json } = await dora.get(`${base}/filedata`, { file_id });
      return json.attach ? Buffer.from(json.attach.content, "base64").toString() : json.reason;
    };
    expect(await found("a")).toBe("newest");
    expect(await found("aa")).toBe("newest");
    expect(await found("aa0")).toBe("second");
    expect(await found(`aa${"0".repeat(62)}`)).toBe("second");
    for (const unknown of ["b", "%", "a%", "_a", "aa_", "AA", "*", `aa${"0".repeat(63)}`, "aa'", "\u{10ffff}"])
      expect([unknown, await found(unknown)]).toEqual([unknown, "not_found"]);
  });

  test("of a directory is empty", async () => {
    const { hash } = await makeDirectory(world.hub, ann.channel, ann.channel, { folder: "", name: "Data" });
    expect(await chunk(hash, { start: 3, length: 5 })).toMatchObject({ content: "", start: 0, length: 0 });
    expect((await ann.get(`${base}/file`, { file_id: hash })).json.attach.content).toBe("");
  });
});

test("file answers the whole with the record and nothing else", async () => {
  const bytes = randomBytes(5000);
  const { hash } = await store("whole.bin", bytes);
  const { json } = await ann.get(`${base}/file`, { file_id: hash, start: 5, length: 5 });
  expect(Object.keys(json.attach)).toEqual(recordFields.split(" "));
  expect(Buffer.from(json.attach.content, "base64").equals(bytes)).toBe(true);
});

describe.each(["filemeta", "filedata", "file"])("%s", (endpoint) => {
  test("needs a file", async () => {
    for (const query of [{}, { file_id: "" }]) {
      const { status, json } = await ann.get(`${base}/${endpoint}`, query);
      expect([status, json.reason, json.field]).toEqual([400, "missing_parameter", "file_id"]);
    }
  });

  test("does not know files of others, not even public ones", async () => {
    const { hash } = await put(world.hub, bob.channel, `${endpoint}.txt`, "bob's own");
    const theirs = await ann.get(`${base}/${endpoint}`, { file_id: hash });
    const unknown = await ann.get(`${base}/${endpoint}`, { file_id: "f".repeat(64) });
    expect(theirs.status).toBe(404);
    expect(theirs.json).toEqual(unknown.json);
    expect((await world.anonymous.get(`${base}/${endpoint}`, { file_id: hash })).status).toBe(401);
  });
});

test("a lost blob is a missing file, not a fault of the hub", async () => {
  const file = await store("lost.txt");
  await world.hub.blobs.remove(file.blob);
  for (const endpoint of ["filedata", "file"])
    expect((await ann.get(`${base}/${endpoint}`, { file_id: file.hash })).status).toBe(404);
  expect((await ann.get(`${base}/filemeta`, { file_id: file.hash })).status).toBe(200);
});

test("an upload without lists has those of the channel", async () => {
  const audience = { allowCid: `<${bob.channel.channel_hash}>`, allowGid: "", denyCid: "", denyGid: "" };
  const channel = await updateChannel(world.hub, ann.channel.channel_id, { audience });
  const { hash } = await put(world.hub, channel, "for-bob.txt");
  const { json } = await ann.get(`${base}/filemeta`, { file_id: hash });
  expect(json.attach.allow_cid).toBe(audience.allowCid);
});
