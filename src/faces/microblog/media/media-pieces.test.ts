import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import type { Answer } from "../../../../test/support/client.ts";
import { readXml, textAt } from "../../../../test/support/microblog.ts";
import { formWith, picture } from "../../../../test/support/pictures.ts";
import { readBlob } from "../../../domain/files/blobs.ts";

/** Media in pieces: `command` INIT, APPEND, FINALIZE and STATUS (microblog contract 8.11). */

let world: TestApp;
let ann: Person;
let ben: Person;
let png: Buffer;

const path = "/api/media/upload.json";
const firstId = 2 ** 50;

beforeAll(async () => {
  world = await openTestApp({ env: { HUBBUB_MAX_UPLOAD: String(20 * 1024 * 1024) } });
  [ann, ben] = [await world.person("ann"), await world.person("ben")];
  png = await picture(640, 480).png({ compressionLevel: 0 }).toBuffer();
});
afterAll(() => world.close());

const init = (total: number | string, more: Record<string, unknown> = {}, who = ann) =>
  who.post(path, { command: "INIT", total_bytes: total, media_type: "image/png", ...more });

async function begun(total: number, more = {}): Promise<string> {
  const { status, json } = await init(total, more);
  expect([status, json.media_id >= firstId]).toEqual([200, true]);
  return json.media_id_string;
}

/** Sends a piece as clients do: bytes without a file name's meaning. */
const append = (id: string, index: number | string, bytes: Buffer, who = ann): Promise<Answer> =>
  who.send(
    "POST",
    path,
    formWith({ command: "APPEND", media_id: id, segment_index: String(index) }, [
      ["media", bytes, "blob", "application/octet-stream"],
    ]),
  );

const finalize = (id: string, who = ann) => who.post(path, { command: "FINALIZE", media_id: id });

function cut(bytes: Buffer, into: number): Buffer[] {
  const size = Math.ceil(bytes.length / into);
  return Array.from({ length: into }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
}

/** Every blob that is kept. */
function blobs(): string[] {
  const kept = join(world.hub.config.dataDir, "blobs", "kept");
  return existsSync(kept)
    ? readdirSync(kept)
        .flatMap((folder) => readdirSync(join(kept, folder)))
        .toSorted()
    : [];
}

async function pieces(): Promise<number> {
  const { n } = await world.hub.db
    .selectFrom("upload_piece")
    .select((x) => x.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return Number(n);
}

describe("an upload in pieces", () => {
  test("becomes media that a status can use by the id of INIT", async () => {
    const id = await begun(png.length, { alt_text: "Blue" });
    for (const [index, bytes] of cut(png, 3).entries()) {
      const answer = await append(id, index, bytes);
      expect([answer.status, answer.json]).toEqual([200, {}]);
    }
    const { status, json } = await finalize(id);
    expect([status, json]).toEqual([
      200,
      {
        media_id: Number(id),
        media_id_string: id,
        size: expect.any(Number),
        image: {
          w: 640,
          h: 480,
          image_type: "image/png",
          svc_preview_url: expect.stringMatching(/-2\.png$/),
          friendica_preview_url: json.image.svc_preview_url,
        },
        expires_after_secs: 86_400,
      },
    ]);
    const posted = await ann.post("/api/statuses/update.json", { status: "x", media_ids: id, include_entities: true });
    expect(posted.json.attachments).toMatchObject([{ url: json.image.svc_preview_url }]);
    expect(posted.json.entities.media[0].ext_alt_text).toBe("Blue");
    expect(await pieces()).toBe(0);
  });

  test("comes in any order, some of it twice, some of it anew, also as base64", async () => {
    const id = await begun(png.length);
    const [first, second, third] = cut(png, 3) as [Buffer, Buffer, Buffer];
    await append(id, 2, third);
    await append(id, 0, Buffer.alloc(first.length));
    await ann.post(path, {
      command: "append",
      media_id: id,
      segment_index: 1,
      media_data: second.toString("base64"),
    });
    for (let again = 0; again < 2; again++) expect((await append(id, 0, first)).json).toEqual({});
    expect((await finalize(id)).json.image).toMatchObject({ w: 640, h: 480 });
  });

  test("says how far it is", async () => {
    const id = await begun(png.length, { media_type: "IMAGE/PNG" });
    const status = () => ann.post(path, { command: "STATUS", media_id: id });
    const pending = { state: "pending", check_after_secs: 1 };
    expect((await status()).json).toEqual({
      media_id: Number(id),
      media_id_string: id,
      size: png.length,
      expires_after_secs: 3600,
      processing_info: { ...pending, progress_percent: 0 },
    });
    await append(id, 0, png.subarray(0, Math.ceil(png.length / 2)));
    expect((await status()).json.processing_info).toEqual({ ...pending, progress_percent: 50 });
    await append(id, 1, png.subarray(Math.ceil(png.length / 2)));
    expect((await status()).json.processing_info).toEqual({ ...pending, progress_percent: 99 });
    await finalize(id);
    expect((await status()).json).toMatchObject({
      image: { w: 640 },
      processing_info: { state: "succeeded", progress_percent: 100 },
    });
  });

  test("can be finished again, which changes nothing", async () => {
    const id = await begun(png.length);
    await append(id, 0, png);
    const once = await finalize(id);
    const before = blobs();
    const again = await finalize(id);
    expect([again.status, again.json]).toEqual([200, once.json]);
    await world.work();
    expect(blobs().length).toBeLessThanOrEqual(before.length);
    const late = await append(id, 1, png);
    expect([late.status, late.json.error]).toEqual([400, "This upload is finished."]);
  });

  test("finished by two at once is one file", async () => {
    const id = await begun(png.length);
    await append(id, 0, png);
    const files = async () =>
      (await world.hub.db.selectFrom("attach").select("id").where("is_photo", "=", 1).execute()).length;
    const before = await files();
    const answers = await Promise.all([finalize(id), finalize(id), finalize(id)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await files()).toBe(before + 1);
  });

  test("answers in XML", async () => {
    const root = readXml(await ann.post("/api/media/upload.xml", { command: "INIT", total_bytes: 5 }));
    expect([root.name, Number(textAt(root, "media_id")) > firstId]).toEqual(["media", true]);
    const id = textAt(root, "media_id");
    const form = formWith({ command: "APPEND", media_id: id, segment_index: "0" }, [
      ["media", Buffer.from("audio"), "b", "application/octet-stream"],
    ]);
    const appended = readXml(await ann.send("POST", "/api/media/upload.xml", form));
    expect([appended.name, appended.children]).toEqual(["media", []]);
  });

  test("takes the description while it is under way, and its album", async () => {
    const id = await begun(png.length, { album: "Pieces" });
    const body = JSON.stringify({ media_id: id, alt_text: { text: "A rectangle" } });
    expect((await ann.send("POST", "/api/media/metadata/create.json", body)).json).toEqual({});
    await append(id, 0, png);
    await finalize(id);
    const { json } = await ann.get("/api/svc/photoalbum.json", { album: "Pieces" });
    expect(json).toMatchObject([{ desc: "A rectangle", filename: "image.png", album: "Pieces" }]);
  });

  test("of another type is a file with a fitting name", async () => {
    const bytes = Buffer.from("a very short film");
    const id = await begun(bytes.length, { media_type: "video/mp4", media_category: "tweet_video" });
    await append(id, 0, bytes);
    expect((await finalize(id)).json).toMatchObject({ size: bytes.length });
    const status = await ann.post("/api/statuses/update.json", { status: "film", media_ids: id });
    expect(status.json.attachments).toMatchObject([{ mimetype: "video/mp4", size: bytes.length }]);
  });

  test("of 10 MB in pieces of 1 MB", async () => {
    const noise = Buffer.alloc(3 * 1900 * 1900);
    for (let at = 0; at + 4 <= noise.length; at += 4) noise.writeUInt32LE((at * 2_654_435_761) >>> 0, at);
    const bytes = await sharp(noise, { raw: { width: 1900, height: 1900, channels: 3 } })
      .png({ compressionLevel: 0 })
      .toBuffer();
    expect(bytes.length).toBeGreaterThan(10 * 1024 * 1024);
    const id = await begun(bytes.length);
    for (let at = 0; at * 1_048_576 < bytes.length; at++)
      expect((await append(id, at, bytes.subarray(at * 1_048_576, (at + 1) * 1_048_576))).status).toBe(200);
    const { json } = await finalize(id);
    expect(json.image).toMatchObject({ w: 1900, h: 1900 });
  });
});

describe("refusals", () => {
  test.each([
    ["INIT without a size", () => ann.post(path, { command: "INIT" }), 400, "total_bytes parameter is missing."],
    ["INIT of nothing", () => init(0), 400, "total_bytes parameter is missing."],
    ["INIT of a word", () => init("much"), 400, "total_bytes parameter is missing."],
    [
      "INIT of too much",
      () => init(21 * 1024 * 1024),
      413,
      `image size exceeds the limit of this hub (uploaded size: ${21 * 1024 * 1024})`,
    ],
    ["APPEND to nothing", () => append("", 0, png), 400, "Media not found."],
    ["APPEND to what is not there", () => append(String(firstId + 999_999), 0, png), 400, "Media not found."],
    ["APPEND to an ordinary id", () => append("1", 0, png), 400, "Media not found."],
    ["APPEND without a place", async () => append(await begun(9), "", png), 400, "segment_index parameter is missing."],
    [
      "APPEND at a bad place",
      async () => append(await begun(9), "-1", png),
      400,
      "segment_index parameter is missing.",
    ],
    [
      "APPEND without bytes",
      async () => ann.post(path, { command: "APPEND", media_id: await begun(9), segment_index: 0 }),
      400,
      "No media.",
    ],
    ["APPEND of too much", async () => append(await begun(9), 0, png), 400, "The pieces are larger than total_bytes."],
    ["FINALIZE of nothing", () => finalize(""), 400, "Media not found."],
    ["FINALIZE too early", async () => finalize(await begun(9)), 400, "The upload is not complete."],
    [
      "FINALIZE of half of it",
      async () => {
        const id = await begun(png.length);
        await append(id, 0, png.subarray(0, 100));
        return finalize(id);
      },
      400,
      "The upload is not complete.",
    ],
    [
      "FINALIZE of what is no image",
      async () => {
        const id = await begun(4);
        await append(id, 0, Buffer.from("text"));
        return finalize(id);
      },
      400,
      "unable to process image data",
    ],
    [
      "STATUS of what is not there",
      () => ann.post(path, { command: "STATUS", media_id: String(firstId + 999_999) }),
      400,
      "Media not found.",
    ],
    [
      "a status with an unfinished one",
      async () => ann.post("/api/statuses/update.json", { status: "x", media_ids: await begun(9) }),
      400,
      "Media not found.",
    ],
  ] as [string, () => Promise<Answer>, number, string][])("%s", async (_name, send, status, error) => {
    const answer = await send();
    expect([answer.status, answer.json.error, answer.json.code]).toEqual([status, error, status]);
  });

  test("an upload of somebody else is none", async () => {
    const id = await begun(png.length);
    await append(id, 0, png.subarray(0, 100));
    const unknown = String(firstId + 999_999);
    const asked = (who: Person, media_id: string) =>
      Promise.all([
        append(media_id, 0, png, who),
        finalize(media_id, who),
        who.post(path, { command: "STATUS", media_id }),
        who.send("POST", "/api/media/metadata/create.json", JSON.stringify({ media_id, alt_text: { text: "stolen" } })),
        who.post("/api/statuses/update.json", { status: "x", media_ids: media_id }),
      ]);
    const bare = (answers: Answer[]) => answers.map(({ status, text }) => [status, text]);
    expect(bare(await asked(ben, id))).toEqual(bare(await asked(ben, unknown)));
    await append(id, 1, png.subarray(100));
    await finalize(id);
    expect(bare(await asked(ben, id))).toEqual(bare(await asked(ben, unknown)));
  });

  test("too many at once", async () => {
    world.hub.advance(3700);
    for (let n = 0; n < 50; n++) await begun(9);
    const answer = await init(9);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "3600"]);
    expect((await init(9, {}, ben)).status).toBe(200);
    world.hub.advance(3700);
    expect((await init(9)).status).toBe(200);
  });
});

describe("sweeping", () => {
  test("takes what is unfinished for an hour with its bytes, and nothing else", async () => {
    await sweep(7200);
    const before = blobs();
    const id = await begun(png.length);
    for (const [index, bytes] of cut(png, 3).entries()) await append(id, index, bytes);
    expect(blobs().length).toBe(before.length + 3);
    await sweep(3000);
    expect([await pieces(), blobs().length]).toEqual([3, before.length + 3]);
    // Each piece gives it another hour.
    await append(id, 0, cut(png, 3)[0]!);
    await sweep(3000);
    expect(await pieces()).toBe(3);
    await sweep(3700);
    expect([await pieces(), blobs()]).toEqual([0, before]);
    expect((await finalize(id)).json.error).toBe("Media not found.");
  });

  test("leaves finished ones their id for a month, and their file for ever", async () => {
    const id = await begun(png.length);
    await append(id, 0, png);
    const { image } = (await finalize(id)).json;
    await sweep(29 * 24 * 3600);
    expect((await ann.post("/api/statuses/update.json", { status: "x", media_ids: id })).status).toBe(200);
    await sweep(2 * 24 * 3600);
    expect((await ann.post("/api/statuses/update.json", { status: "x", media_ids: id })).json.error).toBe(
      "Media not found.",
    );
    const [, resource] = /photo\/([0-9a-f]+)/.exec(image.svc_preview_url)!;
    expect((await ann.get("/api/svc/photo.json", { photo_id: resource })).status).toBe(200);
  });

  test("every blob that rows speak of is there, and no other", async () => {
    await sweep(7200);
    const named = new Set<string>();
    for (const table of ["attach", "photo", "upload_piece"] as const) {
      for (const { blob } of await world.hub.db.selectFrom(table).select("blob").execute()) if (blob) named.add(blob);
    }
    for (const blob of named) expect((await readBlob(world.hub, blob)).length).toBeGreaterThan(0);
    expect(blobs().filter((name) => !named.has(name) && !name.startsWith("avatar-"))).toEqual([]);
  });

  /** Lets so much time go by, and the jobs run. */
  async function sweep(seconds: number): Promise<void> {
    world.hub.advance(seconds);
    const { sweepUploads } = await import("../../../domain/cloud/pieces.ts");
    await sweepUploads(world.hub);
    await world.work();
  }
});
