import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import type { Answer } from "../../../test/support/client.ts";
import { befriend, readXml, textAt } from "../../../test/support/microblog.ts";
import { formWith, movingGif, photoOfTelephone, picture } from "../../../test/support/pictures.ts";
import { connect } from "../../domain/connections/connections.ts";

/** Uploads of media and what statuses do with them (microblog contract 8.11, 8.3). */

let world: TestApp;
let ann: Person;
let ben: Person;
let cleo: Person;
let jpeg: Buffer;

beforeAll(async () => {
  world = await openTestApp();
  [ann, ben, cleo] = [await world.person("ann"), await world.person("ben"), await world.person("cleo")];
  await befriend(world.hub, ann.channel, ben.channel);
  await connect(world.hub, cleo.channel, { xchan_hash: ann.channel.channel_hash });
  jpeg = await photoOfTelephone();
});
afterAll(() => world.close());

type File = [name: string, bytes: Buffer, filename: string, type: string];

const upload = (who: Person, fields: Record<string, string>, ...files: File[]): Promise<Answer> =>
  who.send("POST", "/api/media/upload.json", formWith(fields, files));
const photo = (): File => ["media", jpeg, "holiday.jpg", "image/jpeg"];

/** Where the bytes of a rendition are, without the host. */
const pathOf = (url: string): string => new URL(url).pathname;

async function uploaded(who: Person, ...file: Partial<File>): Promise<any> {
  const [name, bytes, filename, type] = photo();
  const answer = await upload(who, {}, [file[0] ?? name, file[1] ?? bytes, file[2] ?? filename, file[3] ?? type]);
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining("media_id")]);
  return answer.json;
}

/** A form as bytes, with exactly these headers on its parts. */
function rawForm(...parts: { headers: string; bytes: Buffer | string }[]): [Buffer, { headers: Record<string, string> }] {
  const body = Buffer.concat([
    ...parts.flatMap(({ headers, bytes }) => [
      Buffer.from(`--edge\r\n${headers}\r\n\r\n`),
      Buffer.from(bytes),
      Buffer.from("\r\n"),
    ]),
    Buffer.from("--edge--\r\n"),
  ]);
  return [body, { headers: { "content-type": "multipart/form-data; boundary=edge" } }];
}

const sendRaw = (who: Person, path: string, ...parts: { headers: string; bytes: Buffer | string }[]) => {
  const [body, sent] = rawForm(...parts);
  return who.send("POST", path, new Uint8Array(body), sent);
};

describe("media/upload", () => {
  test("answers the media record, in JSON and XML", async () => {
    const answer = await upload(ann, {}, photo());
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        media_id: expect.any(Number),
        media_id_string: String(answer.json.media_id),
        size: expect.any(Number),
        image: {
          w: 1200,
          h: 1600,
          image_type: "image/jpeg",
          svc_preview_url: expect.stringMatching(/^http:\/\/hub\.example\/photo\/[0-9a-f]{64}-2\.jpg$/),
          friendica_preview_url: answer.json.image.svc_preview_url,
        },
        expires_after_secs: 86_400,
      },
    ]);
    const root = readXml(await ann.send("POST", "/api/media/upload.xml", formWith({}, [photo()])));
    expect([root.name, textAt(root, "media_id") === textAt(root, "media_id_string")]).toEqual(["media", true]);
    expect(textAt(root, "image", "svc:preview_url")).toMatch(/-2\.jpg$/);
    expect(textAt(root, "image", "w")).toBe("1200");
  });

  test.each(["PUT", "POST"])("takes %s, and the path below 1.1", async (method) => {
    const answer = await ann.send(method, "/api/1.1/media/upload.json", formWith({}, [photo()]));
    expect(answer.status).toBe(200);
  });

  test.each(["GET", "DELETE", "PATCH"])("refuses %s", async (method) => {
    expect((await world.anonymous.send(method, "/api/media/upload.json")).status).toBe(405);
  });

  test("needs credentials", async () => {
    expect((await world.anonymous.send("POST", "/api/media/upload.json", formWith({}, [photo()]))).status).toBe(401);
  });

  test.each([
    ["jpeg", "image/jpeg"],
    ["png", "image/png"],
    ["gif", "image/gif"],
    ["webp", "image/webp"],
  ] as const)("tells a %s by its bytes", async (format, type) => {
    const bytes = await picture(700, 500).toFormat(format).toBuffer();
    const { image, media_id } = await uploaded(ann, "media", bytes, "octet-stream", "application/octet-stream");
    expect(image).toMatchObject({ w: 700, h: 500, image_type: type });
    const served = await ann.get(pathOf(image.svc_preview_url));
    expect([served.status, served.headers.get("content-type")]).toEqual([200, type]);
    const { resource_id } = await fileOf(media_id);
    const rows = await world.hub.db.selectFrom("photo").select("imgscale").where("resource_id", "=", resource_id).execute();
    expect(rows.map((row) => row.imgscale).toSorted()).toEqual([0, 1, 2, 3]);
  });

  test("keeps a moving GIF moving", async () => {
    const { image } = await uploaded(ann, "media", await movingGif(60, 40, 3), "dance.gif", "image/gif");
    const response = await world.app.request(image.svc_preview_url.replace(/-2\.gif/, "-0.gif"), {
      headers: { authorization: `Basic ${Buffer.from("ann:correct horse").toString("base64")}` },
    });
    const { pages } = await sharp(Buffer.from(await response.arrayBuffer()), { animated: true }).metadata();
    expect([response.status, pages]).toEqual([200, 3]);
  });

  test("turns it upright and leaves the place out", async () => {
    const { media_id } = await uploaded(ann);
    const { blob } = await fileOf(media_id);
    const { exif, orientation } = await sharp(await bytesOf(blob)).metadata();
    expect([exif, orientation ?? 1]).toEqual([undefined, 1]);
  });

  const asBase64 = () => jpeg.toString("base64");
  test.each<[string, () => Promise<Answer>]>([
    ["a part media[]", () => upload(ann, {}, ["media[]", jpeg, "a.jpg", "image/jpeg"])],
    ["media_data in a form", () => ann.post("/api/media/upload.json", { media_data: asBase64() })],
    ["media as text in a form", () => ann.post("/api/media/upload.json", { media: asBase64() })],
    ["media_data in a multipart form", () => upload(ann, { media_data: asBase64() })],
    ["media as text in a multipart form", () => upload(ann, { media: asBase64() })],
    ["a data URL", () => ann.post("/api/media/upload.json", { media: `data:image/jpeg;base64,${asBase64()}` })],
    ["base64 in lines", () => ann.post("/api/media/upload.json", { media_data: asBase64().replace(/.{76}/g, "$&\r\n") })],
    ["base64 for URLs", () => ann.post("/api/media/upload.json", { media_data: jpeg.toString("base64url") })],
    [
      "JSON",
      () =>
        ann.send("POST", "/api/media/upload.json", JSON.stringify({ media_data: asBase64() }), {
          headers: { "content-type": "application/json" },
        }),
    ],
    [
      "bytes without a file name",
      () =>
        sendRaw(ann, "/api/media/upload.json", {
          headers: 'content-disposition: form-data; name="media"\r\ncontent-type: application/octet-stream',
          bytes: jpeg,
        }),
    ],
    [
      "a file name without a type",
      () =>
        sendRaw(ann, "/api/media/upload.json", {
          headers: 'content-disposition: form-data; name="media"; filename="x.jpg"',
          bytes: jpeg,
        }),
    ],
    [
      "neither name nor type",
      () => sendRaw(ann, "/api/media/upload.json", { headers: 'content-disposition: form-data; name="media"', bytes: jpeg }),
    ],
  ])("takes %s", async (_name, send) => {
    const answer = await send();
    expect([answer.status, answer.json.image]).toMatchObject([200, { w: 1200, h: 1600 }]);
  });

  test("takes the first of several", async () => {
    const small = await picture(30, 20).png().toBuffer();
    const answer = await upload(ann, {}, ["media[]", small, "a.png", "image/png"], ["media[]", jpeg, "b.jpg", "image/jpeg"]);
    expect(answer.json.image).toMatchObject({ w: 30, h: 20 });
  });

  test("takes 8 MB in base64", { timeout: 30_000 }, async () => {
    const noise = Buffer.alloc(3 * 1700 * 1600);
    for (let at = 0; at < noise.length; at += 4) noise.writeUInt32LE((at * 2_654_435_761) >>> 0, at);
    const bytes = await sharp(noise, { raw: { width: 1700, height: 1600, channels: 3 } }).png({ compressionLevel: 0 }).toBuffer();
    expect(bytes.length).toBeGreaterThan(8_000_000);
    const answer = await ann.post("/api/media/upload.json", { media_data: bytes.toString("base64") });
    expect([answer.status, answer.json.image]).toMatchObject([200, { w: 1700, h: 1600 }]);
  });

  test("goes into the album that is named, or that of the month", async () => {
    const named = await upload(ann, { album: "Travel/Oslo" }, photo());
    expect(await fileOf(named.json.media_id)).toMatchObject({ display_path: "Travel/Oslo/holiday.jpg" });
    expect((await fileOf((await uploaded(ann)).media_id)).display_path).toMatch(/^2026-03\/holiday(\(\d+\))?\.jpg$/);
    const top = await upload(ann, { album: "/" }, photo());
    expect(await fileOf(top.json.media_id)).toMatchObject({ display_path: "holiday.jpg" });
    const bad = await upload(ann, { album: ".." }, photo());
    expect([bad.status, bad.json.error]).toEqual([400, "A name is needed."]);
  });

  test.each<[string, () => Promise<Answer>, number, string]>([
    ["nothing", () => ann.post("/api/media/upload.json"), 400, "No media."],
    ["an empty file", () => upload(ann, {}, ["media", Buffer.alloc(0), "a.jpg", "image/jpeg"]), 400, "No media."],
    ["an empty text", () => ann.post("/api/media/upload.json", { media: " " }), 400, "No media."],
    ["a part of another name", () => upload(ann, {}, ["picture", jpeg, "a.jpg", "image/jpeg"]), 400, "No media."],
    ["no base64", () => ann.post("/api/media/upload.json", { media_data: "%%%" }), 400, "unable to process image data"],
    ["half an image", () => upload(ann, {}, ["media", jpeg.subarray(0, 2000), "a.jpg", "image/jpeg"]), 400, "unable to process image data"],
    ["text that says it is an image", () => upload(ann, {}, ["media", Buffer.from("no"), "a.bin", "image/png"]), 400, "unable to process image data"],
    ["text with the name of an image", () => upload(ann, {}, ["media", Buffer.from("no"), "a.gif", "application/octet-stream"]), 400, "unable to process image data"],
    ["an unknown command", () => upload(ann, { command: "ERASE" }, photo()), 400, "Unknown command."],
  ])("refuses %s", async (_name, send, status, error) => {
    const before = await counts();
    const answer = await send();
    expect([answer.status, answer.json]).toEqual([
      status,
      { error, code: status, request: "api/media/upload.json" },
    ]);
    await world.work();
    expect(await counts()).toEqual(before);
  });

  test("other files are files", async () => {
    const { media_id, image, size } = await uploaded(ann, "media", Buffer.from("ID3 a song"), "song.mp3", "audio/mpeg");
    expect([image, size]).toEqual([undefined, 10]);
    expect(await fileOf(media_id)).toMatchObject({ filename: "song.mp3", filetype: "audio/mpeg", is_photo: 0 });
    const untyped = await sendRaw(ann, "/api/media/upload.json", {
      headers: 'content-disposition: form-data; name="media"; filename="film.mp4"',
      bytes: "a film",
    });
    expect(await fileOf(untyped.json.media_id)).toMatchObject({ filename: "film.mp4", filetype: "video/mp4" });
  });
});

async function fileOf(mediaId: number) {
  const row = await world.hub.db.selectFrom("attach").selectAll().where("id", "=", mediaId).executeTakeFirstOrThrow();
  return { ...row, resource_id: row.hash };
}

async function bytesOf(blob: string): Promise<Buffer> {
  const { readBlob } = await import("../../domain/files/blobs.ts");
  return readBlob(world.hub, blob);
}

async function counts() {
  const { db } = world.hub;
  const of = async (table: "attach" | "photo" | "item" | "message" | "upload" | "upload_piece") =>
    (await db.selectFrom(table).select((x) => x.fn.countAll<number>().as("n")).executeTakeFirstOrThrow()).n;
  return [await of("attach"), await of("photo"), await of("item"), await of("message"), await of("upload"), await of("upload_piece")].map(Number);
}
