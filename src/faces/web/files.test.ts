import type { Hono } from "hono";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { befriend } from "../../../test/support/people.ts";
import { makeChannel, openTestHub, password } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import type { VisitedPage, Visitor } from "../../../test/support/visitor.ts";
import type { Channel } from "../../domain/identity/channels/channel.ts";
import { findFolder } from "../../domain/files/find.ts";
import { webPages } from "./web.ts";

/** File storage, albums and photos as people use them, and as nobody else may see them. */

let hub: TestHub;
let app: Hono;
let alma: Channel;
let bea: Channel;

beforeAll(async () => {
  hub = await openTestHub();
  app = webPages(hub);
  alma = await makeChannel(hub, "alma");
  bea = await makeChannel(hub, "bea");
  await makeChannel(hub, "carl");
  await befriend(hub, alma, bea);
});
afterAll(() => hub.close());

async function member(nick: string): Promise<Visitor> {
  const visitor = visitorOf(app, hub.config.host);
  expect((await visitor.logIn(nick, password)).status).toBe(303);
  return visitor;
}

const file = (text: string, name: string, type = "text/plain"): File => new File([text], name, { type });

async function photo(name: string): Promise<File> {
  const bytes = await sharp({ create: { width: 800, height: 600, channels: 3, background: "#3a7" } })
    .jpeg()
    .toBuffer();
  return new File([new Uint8Array(bytes)], name, { type: "image/jpeg" });
}

/** Uploads through the page of a folder and answers the file's hash. */
async function put(visitor: Visitor, path: string, sent: File, fields: Record<string, string | string[]> = {}) {
  await visitor.get(path);
  const answer = await visitor.post(path, { audience: "public", ...fields, file: sent });
  expect([answer.status, answer.text]).toEqual([303, ""]);
  return hashOf(sent.name);
}

async function hashOf(filename: string): Promise<string> {
  const row = await hub.db
    .selectFrom("attach")
    .select("hash")
    .where("filename", "=", filename)
    .where("latest", "=", 1)
    .executeTakeFirstOrThrow();
  return row.hash;
}

describe("what people do with files", () => {
  test("upload, rename, move, a new version, delete", async () => {
    const own = await member("alma");
    await own.get("/cloud/alma");
    expect((await own.post("/cloud/alma", { folder: "Papers & more", audience: "public" })).status).toBe(303);
    const hash = await put(own, "/cloud/alma", file("one", "notes.txt"));
    expect((await own.get("/cloud/alma")).text).toMatch(/Papers &amp; more[^]*notes\.txt/);

    await own.get(`/file/${hash}`);
    const folder = await findFolder(hub, alma.channel_id, ["Papers & more"]);
    expect((await own.post(`/file/${hash}/name`, { filename: "letter.txt" })).location).toBe(
      `/file/${hash}?done=saved`,
    );
    expect((await own.post(`/file/${hash}/folder`, { folder: folder!.hash })).status).toBe(303);
    expect((await own.get("/cloud/alma/Papers%20%26%20more")).text).toContain("letter.txt");

    expect((await own.post(`/file/${hash}/version`, { file: file("one, two", "x.txt") })).status).toBe(303);
    expect((await own.get(`/file/${hash}`)).text).toContain("Version 2, the newest");
    expect((await own.get(`/attach/${hash}`)).text).toBe("one, two");
    expect((await own.get(`/attach/${hash}/0`)).text).toBe("one");

    expect((await own.get(`/file/${hash}/delete`)).text).toContain("Delete letter.txt?");
    expect((await own.post(`/file/${hash}/delete`, {})).status).toBe(303);
    expect((await own.get(`/attach/${hash}`)).status).toBe(404);
  });

  test("what cannot be taken is said beside the form, and the page comes again", async () => {
    const own = await member("alma");
    await own.get("/cloud/alma");
    const refusals: [string, Record<string, string | string[] | Blob>, number, string][] = [
      ["/cloud/alma", { audience: "public" }, 422, "Choose a file first."],
      ["/cloud/alma", { folder: "a/b", audience: "public" }, 422, "A name cannot contain a slash."],
      ["/cloud/alma", { folder: "..", audience: "public" }, 422, "A name is needed."],
      ["/cloud/alma", { file: file("x", "y.txt"), audience: "chosen" }, 422, "Choose at least one group or person."],
    ];
    for (const [path, fields, status, words] of refusals) {
      const answer = await own.post(path, fields);
      expect([words, answer.status, answer.text.includes(words)]).toEqual([words, status, true]);
    }
  });

  test("several are moved and deleted at once, all or none", async () => {
    const own = await member("alma");
    await own.get("/cloud/alma");
    await own.post("/cloud/alma", { folder: "Attic", audience: "public" });
    const attic = await hashOf("Attic");
    const one = await put(own, "/cloud/alma", file("1", "one.txt"));
    const two = await put(own, "/cloud/alma", file("2", "two.txt"));
    const three = await put(own, "/cloud/alma/Attic", file("3", "three.txt"));
    await own.post(`/file/${three}/name`, { filename: "two.txt" });
    const chosen = [one, two];
    await own.get("/cloud/alma");
    const act = (fields: Record<string, string | string[]>) => own.post("/cloud/alma", fields);
    expect((await act({ do: "move", to: attic })).text).toContain("Choose something in the list first.");
    // There is a file of that name already.
    expect((await act({ do: "move", to: attic, chosen })).status).toBe(422);
    expect((await own.get("/cloud/alma")).text).toMatch(/one\.txt[^]*two\.txt/);
    await own.post(`/file/${two}/name`, { filename: "deux.txt" });
    expect((await act({ do: "move", to: attic, chosen })).location).toBe("/cloud/alma?done=saved");
    const inside = (await own.get("/cloud/alma/Attic?view=grid")).text;
    expect(inside).toMatch(/<ul class="files grid">[^]*deux\.txt[^]*one\.txt/);
    expect(inside).toContain('href="/cloud/alma/Attic?view=list"');
    const question = await own.post("/cloud/alma/Attic", { do: "delete", chosen });
    expect(question.text).toContain("Delete 2 things?");
    expect((await own.get("/cloud/alma/Attic")).text).toContain("one.txt");
    const strange = await own.post("/cloud/alma/Attic", { do: "delete", sure: "1", chosen: [...chosen, "unknown"] });
    expect(strange.status).toBe(404);
    expect((await own.get("/cloud/alma/Attic")).text).toContain("one.txt");
    expect((await own.post("/cloud/alma/Attic", { do: "delete", sure: "1", chosen })).status).toBe(303);
    const left = (await own.get("/cloud/alma/Attic")).text;
    expect([left.includes("one.txt"), left.includes(`/file/${three}`)]).toEqual([false, true]);
  });

  test("nobody else does", async () => {
    const hash = await put(await member("alma"), "/cloud/alma", file("x", "mine.txt"));
    const guest = await member("bea");
    expect((await guest.get("/cloud/alma")).text).not.toContain('name="chosen"');
    const theft = { do: "move", to: "", chosen: [hash] };
    expect((await guest.post("/cloud/alma", theft)).status).toBe(403);
    expect((await guest.post("/cloud/bea", theft)).status).toBe(404);
    expect((await guest.post("/cloud/alma", { do: "delete", sure: "1", chosen: [hash] })).status).toBe(403);
    expect((await guest.get("/cloud/alma")).text).toContain("mine.txt");
  });

  test("a guest of the storage needs write_storage", async () => {
    const guest = await member("bea");
    await guest.get("/cloud/alma");
    expect((await guest.post("/cloud/alma", { file: file("x", "from-bea.txt") })).status).toBe(403);
    expect((await guest.get("/cloud/alma")).text).not.toContain("Choose files to upload");
  });

  test("a photo has its page, its words and its comments", async () => {
    const own = await member("alma");
    await own.get("/photos/alma");
    const hash = await put(own, "/photos/alma", await photo("hill.jpg"));
    const path = `/photos/alma/image/${hash}`;
    expect((await own.get(path)).status).toBe(200);
    expect((await own.post(`${path}/words`, { title: "A green hill", description: "All green" })).status).toBe(303);
    const friend = await member("bea");
    expect((await friend.get(path)).text).toContain('alt="All green"');
    expect((await friend.post(path, { body: "How green!" })).status).toBe(303);
    const shown = await own.get(path);
    expect(shown.text).toContain("How green!");
    expect(shown.text).toContain("A green hill");
    expect((await own.get("/photos/alma")).text).toContain("<small>1</small>");
    const before = await own.get(`/photo/profile/m/${alma.channel_id}`);
    expect((await own.post(`${path}/use`, { use: "profile" })).location).toBe(`${path}?done=saved`);
    const after = await own.get(`/photo/profile/m/${alma.channel_id}`);
    expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
    expect((await friend.post(`${path}/use`, { use: "cover" })).status).toBe(404);
    expect((await own.post(`${path}/use`, { use: "x" })).status).toBe(422);
  });
});

describe("what is not for you", () => {
  let secretFile: string;
  let hiddenByFolder: string;
  let secretPhoto: string;

  beforeAll(async () => {
    const own = await member("alma");
    await own.get("/cloud/alma");
    const onlyBea = { audience: "chosen", contact_allow: [bea.channel_hash] };
    await own.post("/cloud/alma", { folder: "For Bea", ...onlyBea });
    secretFile = await put(own, "/cloud/alma", file("secret words", "plan.txt"), onlyBea);
    hiddenByFolder = await put(own, "/cloud/alma/For%20Bea", file("inside", "inside.txt"));
    secretPhoto = await put(own, "/photos/alma", await photo("secret-hill.jpg"), onlyBea);
  });

  const paths = () => [
    `/file/${secretFile}`,
    `/attach/${secretFile}`,
    `/attach/${secretFile}/0`,
    `/file/${hiddenByFolder}`,
    `/attach/${hiddenByFolder}`,
    "/cloud/alma/For%20Bea",
    "/cloud/alma/For%20Bea/inside.txt",
    "/cloud/alma/plan.txt",
    `/photos/alma/image/${secretPhoto}`,
    ...[0, 1, 2, 3].map((scale) => `/photo/${secretPhoto}-${scale}`),
    `/photo/${secretPhoto}-2.jpg`,
    `/photo/${secretPhoto}`,
  ];
  const unknown = (path: string): string =>
    path
      .replace(/[0-9a-f]{64}/, "0".repeat(64))
      .replace("For%20Bea", "Nothing")
      .replace("plan.txt", "none.txt");
  const same = ({ status, text }: VisitedPage) => [status, text.replace(/[0-9a-f]{64}|[\w-]{40,}|value="[^"]*"/g, "*")];

  test("the one it is for sees it all", async () => {
    const friend = await member("bea");
    for (const path of paths()) expect([(await friend.get(path)).status < 400, path]).toEqual([true, path]);
    expect((await friend.get("/cloud/alma")).text).toContain("For Bea");
    expect((await friend.get("/photos/alma")).text).toContain(secretPhoto);
  });

  test.each(["carl", ""])("for %s it does not exist, by whatever address", async (nick) => {
    const visitor = nick === "" ? visitorOf(app, hub.config.host) : await member(nick);
    for (const path of paths()) {
      const [known, never] = [await visitor.get(path), await visitor.get(unknown(path))];
      expect([path, ...same(known)]).toEqual([path, ...same(never)]);
      expect([path, known.status]).toEqual([path, 404]);
      const ranged = await visitor.get(path, { range: "bytes=0-3", "if-none-match": "*" });
      expect([path, ranged.status]).toEqual([path, 404]);
    }
    for (const list of ["/cloud/alma", "/photos/alma"]) {
      const { text } = await visitor.get(list);
      for (const word of ["For Bea", "plan.txt", secretFile, secretPhoto])
        expect([list, text.includes(word)]).toEqual([list, false]);
    }
  });

  test("forms do not tell either", async () => {
    const stranger = await member("carl");
    await stranger.get("/settings/profile");
    for (const part of ["name", "folder", "audience", "delete"]) {
      const fields = { filename: "x", folder: "", audience: "public" };
      expect([part, (await stranger.post(`/file/${secretFile}/${part}`, fields)).status]).toEqual([part, 404]);
    }
    expect((await stranger.post(`/photos/alma/image/${secretPhoto}`, { body: "x" })).status).toBe(404);
    expect((await stranger.post(`/photos/alma/image/${secretPhoto}/use`, { use: "profile" })).status).toBe(404);
    expect((await stranger.post(`/photos/alma/image/${secretPhoto}/words`, { title: "x" })).status).toBe(404);
  });
});

test("an album is known by its newest picture, and stands in the order that one chooses", async () => {
  const visitor = await member("bea");
  const hashes: Record<string, string> = {};
  for (const name of ["b.jpg", "c.jpg", "a.jpg"]) hashes[name] = await put(visitor, "/photos/bea", await photo(name));
  const overview = (await visitor.get("/photos/bea")).text;
  const [, album = "", cover = ""] = /href="(\/photos\/bea\/album\/\w+)"\s*><img src="([^"]*)"/.exec(overview) ?? [];
  expect(cover).toContain(hashes["a.jpg"]);
  const shown = async (path: string) =>
    [...(await visitor.get(path)).text.matchAll(/photos\/bea\/image\/(\w+)/g)].map(
      ([, hash]) => Object.keys(hashes).find((name) => hashes[name] === hash)![0],
    );
  expect(await shown(album)).toEqual(["a", "c", "b"]);
  expect(await shown(`${album}?order=oldest`)).toEqual(["b", "c", "a"]);
  expect(await shown(`${album}?order=name`)).toEqual(["a", "b", "c"]);
  expect(await shown(`${album}?order=name&before=a.jpg`)).toEqual(["b", "c"]);
  expect(await shown(`${album}?order=odd&before=x`)).toEqual(["a", "c", "b"]);
});
