import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import type { Answer } from "../../../test/support/client.ts";
import { formWith, photoOfTelephone, picture } from "../../../test/support/pictures.ts";
import { befriend } from "../../../test/support/people.ts";
import { setConfig } from "../../domain/identity/channels/channel-config.ts";

/** Photos and albums (native contract 6.9 to 6.11), and media in posts (native contract 4.4, 5.6, 6.15). */

let world: TestApp;
let alma: Person;
let ben: Person;
beforeAll(async () => {
  world = await openTestApp();
  alma = await world.person("alma");
  ben = await world.person("ben");
  await befriend(world.hub, alma.channel, ben.channel);
});
afterAll(() => world.close());

const native = "/api/z/1.0";
type FilePart = Parameters<typeof formWith>[1][number];
const jpeg = async (width = 800, height = 600): Promise<Buffer> => picture(width, height).jpeg().toBuffer();
const image = async (filename = "tree.jpg"): Promise<FilePart> => ["media", await jpeg(), filename, "image/jpeg"];
const note = (text = "words", filename = "notes.txt"): FilePart => ["media", Buffer.from(text), filename, "text/plain"];

function update(who: Person, fields: Record<string, string>, files: FilePart[] = []): Promise<Answer> {
  return who.send("POST", `${native}/item/update`, formWith(fields, files));
}

async function posted(who: Person, fields: Record<string, string>, files: FilePart[] = []): Promise<any> {
  const { status, json } = await update(who, fields, files);
  expect([status, json]).toEqual([200, expect.objectContaining({ success: true })]);
  return json.item;
}

const hashIn = (item: { body: string }): string => /photo\/([0-9a-f]{64})-/.exec(item.body)![1]!;

async function rows() {
  const { db } = world.hub;
  return {
    attach: await db.selectFrom("attach").selectAll().orderBy("id").execute(),
    photo: await db.selectFrom("photo").selectAll().orderBy("id").execute(),
    item: await db.selectFrom("item").selectAll().orderBy("id").execute(),
    message: await db.selectFrom("message").selectAll().orderBy("id").execute(),
  };
}

const fileOf = (hash: string) =>
  world.hub.db.selectFrom("attach").selectAll().where("hash", "=", hash).where("latest", "=", 1).executeTakeFirst();

describe("media of a post", () => {
  test("an image becomes a photo of the month's album, and its code stands below the text", async () => {
    const item = await posted(alma, { body: "Look" }, [await image()]);
    const hash = hashIn(item);
    expect(item.body).toBe(
      `Look\n\n[zrl=http://hub.example/photos/alma/image/${hash}][zmg=640x480]http://hub.example/photo/${hash}-2.jpg[/zmg][/zrl]`,
    );
    expect(item.html).toContain(`<img`);
    expect(item.attach).toBe("");
    expect(await fileOf(hash)).toMatchObject({
      filename: "tree.jpg",
      filetype: "image/jpeg",
      is_photo: 1,
      display_path: "2026-03/tree.jpg",
      allow_cid: "",
    });
  });

  test("several files in one form, with media[] too, in their order", async () => {
    const files: FilePart[] = [await image("one.jpg"), note(), ["media[]", await jpeg(), "two.jpg", "image/jpeg"]];
    const item = await posted(alma, { body: "" }, files);
    expect(item.body.match(/\[zmg=/g)).toHaveLength(2);
    const attach = JSON.parse(item.attach);
    expect(attach).toEqual([
      {
        href: expect.stringMatching(/^http:\/\/hub\.example\/attach\/[0-9a-f]{64}$/),
        length: "5",
        type: "text/plain",
        title: "notes.txt",
        revision: "0",
      },
    ]);
  });

  test("a file alone is enough: the body may be empty", async () => {
    const item = await posted(alma, { body: "" }, [note("x", "zwölf Äpfel.txt")]);
    expect(item.body).toBe("");
    expect(JSON.parse(item.attach)[0].title).toBe(encodeURIComponent("zwölf Äpfel.txt"));
    expect((await update(alma, { body: "" })).json).toMatchObject({ reason: "no_content", code: 400 });
  });

  test("sound and film leave a player where their code stood", async () => {
    const item = await posted(alma, { body: "Listen" }, [["media", Buffer.from("ID3"), "song.mp3", "audio/mpeg"]]);
    const { hash } = (await fileOf(/attach\/([0-9a-f]+)/.exec(item.body)![1]!))!;
    expect(item.body).toBe(`Listen\n\n[audio]http://hub.example/attach/${hash}/0.mp3[/audio]`);
    const again = await posted(alma, {
      body: `a [attachment]${hash},0[/attachment] b [attachment]${hash}[/attachment]`,
    });
    expect(again.body).toBe(
      `a [audio]http://hub.example/attach/${hash}/0.mp3[/audio] b [audio]http://hub.example/attach/${hash}/0.mp3[/audio]`,
    );
    expect(JSON.parse(again.attach)).toHaveLength(2);
  });

  test("codes for what the author may not see, or what is not there, leave nothing", async () => {
    const { attach } = await posted(ben, { body: "mine", "contact_allow[]": ben.channel.channel_hash }, [note()]);
    const hash = /attach\/([0-9a-f]+)/.exec(attach)![1]!;
    for (const code of [`${hash},0`, `${hash},7`, "0".repeat(64), `${"f".repeat(64)},0`]) {
      const item = await posted(alma, { body: `before [attachment]${code}[/attachment] after` });
      expect([item.body, item.attach]).toEqual(["before  after", ""]);
    }
    expect((await update(alma, { body: `[attachment]${hash},0[/attachment]` })).json).toMatchObject({
      reason: "no_content",
    });
  });

  test("the large size is shown where the channel prefers it", async () => {
    await setConfig(world.hub, alma.channel.channel_id, "system", "large_photos", "1");
    const item = await posted(alma, { body: "" }, [["media", await jpeg(2000, 1000), "wide.jpg", "image/jpeg"]]);
    await setConfig(world.hub, alma.channel.channel_id, "system", "large_photos", "0");
    expect(item.body).toMatch(/\[zmg=1024x512\]http:\/\/hub\.example\/photo\/[0-9a-f]{64}-1\.jpg\[\/zmg\]/);
  });

  test.each([
    ["text/markdown", /^Look\n\n\[!\[\]\(http:\/\/hub\.example\/photo\/[0-9a-f]+-2\.jpg\)\]\(http/],
    ["text/html", /<a href="http:\/\/hub\.example\/photos\/alma\/image\/[0-9a-f]+"><img src=/],
    ["text/plain", /http:\/\/hub\.example\/photos\/alma\/image\/[0-9a-f]+$/],
    ["text/x-multicode", /\[zmg=640x480\]/],
  ])("a body in %s shows its image in its own way", async (mimetype, expected) => {
    const item = await posted(alma, { body: "Look", mimetype }, [await image()]);
    expect(item.body).toMatch(expected);
    expect(item.html).toContain(hashIn({ body: item.body.replace("/photos/alma/image/", "/photo/") + "-" }));
  });

  test("comments carry media too, and so do edits, which keep what is attached", async () => {
    const top = await posted(alma, { body: "Top" });
    const comment = await posted(alma, { body: "See", parent: top.id }, [await image(), note()]);
    expect(comment.body).toContain("[zmg=");
    const edited = await posted(alma, { body: "New words", post_id: comment.id });
    expect([edited.body, edited.attach]).toEqual(["New words", comment.attach]);
    const again = await posted(alma, { body: "More", post_id: comment.id }, [note("other", "b.txt")]);
    expect(JSON.parse(again.attach).map((one: any) => one.title)).toEqual(["b.txt"]);
  });

  test("deleting the post keeps the files, for their owner alone", async () => {
    const item = await posted(alma, { body: "Gone soon" }, [await image()]);
    const { deleteItem } = await import("../../domain/items/posting/delete.ts");
    await deleteItem(world.hub, alma.channel, { id: Number(item.id) });
    await world.work();
    expect((await alma.get(`/api/z/1.0/file/export`, { file_id: hashIn(item) })).status).toBe(200);
    expect((await world.anonymous.get(`/photo/${hashIn(item)}-2`)).status).toBe(404);
  });
});

describe("a post that is refused", () => {
  type Asked = [Record<string, string>, FilePart[]];
  const bad: [string, () => Promise<Asked> | Asked, string][] = [
    [
      "broken image",
      async () => [
        { body: "x" },
        [await image(), ["media", (await jpeg()).subarray(0, 500), "half.jpg", "image/jpeg"]],
      ],
      "bad_parameter",
    ],
    ["unknown group", async () => [{ body: "x", group_allow: "nothing" }, [await image(), note()]], "bad_parameter"],
    ["unknown parent", async () => [{ body: "x", parent: "999999" }, [await image()]], "not_found"],
    ["unknown item", () => [{ body: "x", post_id: "999999" }, [note()]], "not_found"],
    ["forbidden type", () => [{ body: "x", mimetype: "application/x-php" }, [note()]], "forbidden_content_type"],
    ["too long", async () => [{ body: "x".repeat(200_001) }, [await image()]], "too_large"],
  ];
  test.each(bad)("leaves nothing of its media: %s", async (_name, make, reason) => {
    const before = await rows();
    const answer = await update(alma, ...(await make()));
    expect(answer.json).toMatchObject({ success: false, reason });
    expect(answer.status).toBeLessThan(500);
    expect(await rows()).toEqual(before);
    await world.work();
    const known = new Set([...before.attach, ...before.photo].map(({ blob }) => blob));
    expect((await blobsOnDisk()).filter((name) => !known.has(name) && !name.startsWith("avatar-"))).toEqual([]);
  });

  test("is that of a channel that has moved away", async () => {
    const moved = await world.person("moved");
    await world.hub.db
      .updateTable("channel")
      .set({ channel_moved: "https://elsewhere.example" })
      .where("channel_id", "=", moved.channel.channel_id)
      .execute();
    expect((await update(moved, { body: "x" }, [note()])).json).toMatchObject({ reason: "permission_denied" });
  });
});

async function blobsOnDisk(): Promise<string[]> {
  const { readdirSync } = await import("node:fs");
  const { join } = await import("node:path");
  const folder = join(world.hub.config.dataDir, "blobs", "kept");
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);
}

describe("a lying upload", () => {
  test("an SVG called a JPEG is a file, and one that nobody's browser shows", async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
    const item = await posted(alma, { body: "x" }, [["media", svg, "tree.jpg", "image/jpeg"]]);
    const [entry] = JSON.parse(item.attach);
    expect(entry.type).toBe("application/octet-stream");
    const download = await world.anonymous.get(new URL(entry.href).pathname);
    expect(download.headers.get("content-disposition")).toContain("attachment");
    expect(download.headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("a PNG called a text is a photo", async () => {
    const png = await picture(30, 20).png().toBuffer();
    const item = await posted(alma, { body: "x" }, [["media", png, "notes.txt", "text/plain"]]);
    expect(await fileOf(hashIn(item))).toMatchObject({ filetype: "image/png", is_photo: 1 });
  });

  test("an empty file is an empty file", async () => {
    const item = await posted(alma, { body: "x" }, [["media", Buffer.alloc(0), "tree.jpg", "image/jpeg"]]);
    expect(JSON.parse(item.attach)[0]).toMatchObject({ length: "0" });
  });
});

describe("albums, photos and photo", () => {
  let cleo: Person;
  let hash: string;
  beforeAll(async () => {
    cleo = await world.person("cleo");
    hash = hashIn(
      await posted(cleo, { body: "x" }, [["media", await photoOfTelephone(2000, 1500), "tele.jpg", "image/jpeg"]]),
    );
    world.hub.advance(10);
    await posted(cleo, { body: "x" }, [await image("second.jpg"), note()]);
    const { uploadPhotoFor } = await import("../../domain/cloud/channel-photos.ts");
    const { upload } = await import("../../domain/cloud/upload.ts");
    const { Readable } = await import("node:stream");
    const stage = async (bytes: Buffer) => world.hub.blobs.stage(Readable.from([bytes]), bytes.length);
    const bytes = await jpeg(1500, 700);
    const sent = { filename: "me.jpg", type: "image/jpeg" };
    await uploadPhotoFor(world.hub, "cover", cleo.channel, await stage(bytes), sent);
    await uploadPhotoFor(world.hub, "profile", cleo.channel, await stage(bytes), sent);
    for (const path of ["", "Travel/Oslo & more"])
      await upload(world.hub, cleo.channel, cleo.channel, await stage(bytes), { ...sent, folder: { path } });
  });

  test("without any the lists are empty", async () => {
    const dora = await world.person("dora");
    expect((await dora.get(`${native}/albums`)).json).toEqual({ success: true, albums: [] });
    expect((await dora.get(`${native}/photos`)).json).toEqual({ success: true, photos: [] });
  });

  test("albums are directories with images, the top level first", async () => {
    const { json } = await cleo.get(`${native}/albums`);
    const expected = (text: string, total: string, urlencode: string) => ({
      text,
      total,
      url: `http://hub.example/photos/cleo/album/${Buffer.from(text).toString("hex")}`,
      urlencode,
      bin2hex: Buffer.from(text).toString("hex"),
    });
    expect(json).toEqual({
      success: true,
      albums: [
        expected("/", "1", "%2F"),
        expected("2026-03", "2", "2026-03"),
        expected("Cover Photos", "1", "Cover+Photos"),
        expected("Profile Photos", "1", "Profile+Photos"),
        expected("Travel/Oslo & more", "1", "Travel%2FOslo+%26+more"),
      ],
    });
    expect(json.albums[0].bin2hex).toBe("2f");
  });

  test("photos are listed with every rendition but those of covers", async () => {
    const { json } = await cleo.get(`${native}/photos`);
    expect(Object.keys(json)).toEqual(["success", "photos"]);
    const keys =
      "resource_id created edited title description album filename mimetype height width filesize imgscale photo_usage allow_cid allow_gid deny_cid deny_gid src";
    for (const entry of json.photos) {
      expect(Object.keys(entry)).toEqual(keys.split(" "));
      expect(Object.values(entry).every((value) => typeof value === "string")).toBe(true);
    }
    const scales = new Map<string, string>();
    for (const { album, imgscale, resource_id } of json.photos)
      scales.set(`${album} ${resource_id}`, `${scales.get(`${album} ${resource_id}`) ?? ""}${imgscale}`);
    expect([...scales].map(([name, found]) => [name.slice(0, -65), found]).toSorted()).toEqual([
      ["", "0123"],
      ["2026-03", "0123"],
      ["2026-03", "0123"],
      ["Cover Photos", "0123"],
      ["Profile Photos", "0123456"],
      ["Travel/Oslo & more", "0123"],
    ]);
    expect(json.photos.slice(0, 4).map((one: any) => [one.imgscale, one.width, one.height, one.src])).toEqual([
      ["0", "1500", "2000", `http://hub.example/photo/${hash}-0`],
      ["1", "768", "1024", `http://hub.example/photo/${hash}-1`],
      ["2", "480", "640", `http://hub.example/photo/${hash}-2`],
      ["3", "240", "320", `http://hub.example/photo/${hash}-3`],
    ]);
    expect(json.photos.filter((one: any) => one.photo_usage === "1").map((one: any) => one.imgscale)).toEqual([
      "4",
      "5",
      "6",
    ]);
  });

  test.each([
    [{ album: "2026-03" }, 8],
    [{ album: "/" }, 4],
    [{ album: "" }, 4],
    [{ album: "Travel/Oslo & more", scale: 2 }, 1],
    [{ album: "Travel" }, 0],
    [{ album: "nowhere" }, 0],
    [{ scale: 3 }, 6],
    [{ scale: 7 }, 0],
    [{ start: 2, records: 5 }, 5],
    [{ start: 25 }, 2],
    [{ start: 1000 }, 0],
  ])("photos by %j are %i", async (query, count) => {
    const all = (await cleo.get(`${native}/photos`)).json.photos;
    const { json } = await cleo.get(`${native}/photos`, query);
    expect(json.photos).toHaveLength(count);
    if ("start" in query) expect(json.photos).toEqual(all.slice(query.start, query.start + count));
    for (const entry of json.photos) expect(all).toContainEqual(entry);
  });

  test("a photo comes with its record, its bytes and its item", async () => {
    const keys =
      "id aid uid xchan resource_id created edited expires title description album filename mimetype height width filesize content imgscale photo_usage profile is_nsfw os_storage os_path display_path photo_flags allow_cid allow_gid deny_cid deny_gid";
    for (const scale of [undefined, 0, 1, 2, 3]) {
      const { json } = await cleo.get(`${native}/photo`, { photo_id: hash, scale });
      expect(Object.keys(json)).toEqual(["photo", "item"]);
      expect(Object.keys(json.photo)).toEqual(keys.split(" "));
      const bytes = Buffer.from(json.photo.content, "base64");
      const { width, height } = await sharp(bytes).metadata();
      expect([json.photo.width, json.photo.height, json.photo.filesize]).toEqual(
        [width, height, bytes.length].map(String),
      );
      expect(json.photo).toMatchObject({
        imgscale: String(scale ?? 0),
        os_storage: scale ? "0" : "1",
        album: "2026-03",
        filename: "tele.jpg",
        display_path: "2026-03/tele.jpg",
        xchan: "",
      });
      expect(json.item).toHaveLength(1);
    }
    const [item] = (await cleo.get(`${native}/photo`, { photo_id: hash })).json.item;
    expect(item).toMatchObject({
      flags: ["hidden", "thread_parent"],
      verb: "http://activitystrea.ms/schema/1.0/post",
      object_type: "http://activitystrea.ms/schema/1.0/photo",
      target_type: "http://activitystrea.ms/schema/1.0/photo-album",
      resource_type: "photo",
      resource_id: hash,
      item_hidden: "1",
      longlat: "",
      target: { title: "2026-03", id: "http://hub.example/photos/cleo/album/323032362d3033" },
      object: {
        title: "tele.jpg",
        id: `http://hub.example/photos/cleo/image/${hash}`,
        link: [0, 1, 2, 3].map((scale) =>
          expect.objectContaining({ href: `http://hub.example/photo/${hash}-${scale}.jpg`, type: "text/html" }),
        ),
      },
    });
  });

  test("the bytes of scale 0 are the file's", async () => {
    const { json } = await cleo.get(`${native}/photo`, { photo_id: hash });
    const file = await cleo.get(`${native}/file`, { file_id: hash });
    expect(file.json.attach.content).toBe(json.photo.content);
    expect(file.json.attach.filesize).toBe(json.photo.filesize);
  });

  test.each([
    [{}, "missing_parameter"],
    [{ photo_id: "" }, "missing_parameter"],
    [{ photo_id: "0".repeat(64) }, "not_found"],
    [{ photo_id: "HASH", scale: 4 }, "not_found"],
    [{ photo_id: "HASH", scale: 10 }, "bad_parameter"],
    [{ photo_id: "HASH", scale: "large" }, "bad_parameter"],
  ])("photo by %j is %s", async (query, reason) => {
    const { json } = await cleo.get(`${native}/photo`, JSON.parse(JSON.stringify(query).replace("HASH", hash)));
    expect(json).toMatchObject({ success: false, reason });
  });

  test("where a photo was taken is told only by those who want that", async () => {
    await setConfig(world.hub, cleo.channel.channel_id, "feature", "photo_location", "1");
    const item = await posted(cleo, { body: "x" }, [["media", await photoOfTelephone(), "tele.jpg", "image/jpeg"]]);
    const { json } = await cleo.get(`${native}/photo`, { photo_id: hashIn(item) });
    expect(json.item[0].longlat).toBe("59.91 10.75");
    expect(Buffer.from(json.photo.content, "base64").includes("Exif")).toBe(false);
  });

  test("another channel's photos are not here", async () => {
    expect((await ben.get(`${native}/photo`, { photo_id: hash })).json).toMatchObject({ reason: "not_found" });
  });
});
