import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import type { Answer } from "../../../../test/support/client.ts";
import { password } from "../../../../test/support/hub.ts";
import { readXml, textAt } from "../../../../test/support/microblog.ts";
import { befriend } from "../../../../test/support/people.ts";
import { formWith, movingGif, photoOfTelephone, picture } from "../../../../test/support/pictures.ts";
import { visitorOf } from "../../../../test/support/visitor.ts";
import type { Visitor } from "../../../../test/support/visitor.ts";
import { connect } from "../../../domain/connections/connections.ts";
import { observerOf } from "../../../domain/identity/channels/observer.ts";
import { DiskRefuses, HubError } from "../../../errors.ts";
import { findPhoto } from "../../../domain/photos/find.ts";

/** Uploads of media and what statuses do with them (microblog contract 8.11, 8.3). */

let world: TestApp;
let ann: Person;
let ben: Person;
let cleo: Person;
let jpeg: Buffer;
const browsers = new Map<string, Visitor>();

beforeAll(async () => {
  world = await openTestApp();
  [ann, ben, cleo] = [await world.person("ann"), await world.person("ben"), await world.person("cleo")];
  await befriend(world.hub, ann.channel, ben.channel);
  await connect(world.hub, cleo.channel, { xchan_hash: ann.channel.channel_hash });
  jpeg = await photoOfTelephone(1024, 768);
  for (const { nick } of [ann, ben, cleo]) {
    const browser = visitorOf(world.app);
    await browser.logIn(nick, password);
    browsers.set(nick, browser);
  }
  browsers.set("nobody", visitorOf(world.app));
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
function rawForm(
  ...parts: { headers: string; bytes: Buffer | string }[]
): [Buffer, { headers: Record<string, string> }] {
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
          w: 768,
          h: 1024,
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
    expect(textAt(root, "image", "w")).toBe("768");
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
    const served = await browsers.get("ann")!.get(pathOf(image.svc_preview_url));
    expect([served.status, served.headers.get("content-type")]).toEqual([200, type]);
    const { resource_id } = await fileOf(media_id);
    const rows = await world.hub.db
      .selectFrom("photo")
      .select("imgscale")
      .where("resource_id", "=", resource_id)
      .execute();
    expect(rows.map((row) => row.imgscale).toSorted()).toEqual([0, 1, 2, 3]);
  });

  test("keeps a moving GIF moving", async () => {
    const { image } = await uploaded(ann, "media", await movingGif(60, 40, 3), "dance.gif", "image/gif");
    const [, resource = ""] = /photo\/([0-9a-f]+)/.exec(image.svc_preview_url)!;
    const { blob } = await findPhoto(world.hub, observerOf(ann.channel), { resource, scale: 0 });
    const { pages } = await sharp(await bytesOf(blob), { animated: true }).metadata();
    expect(pages).toBe(3);
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
    [
      "base64 in lines",
      () => ann.post("/api/media/upload.json", { media_data: asBase64().replace(/.{76}/g, "$&\r\n") }),
    ],
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
      () =>
        sendRaw(ann, "/api/media/upload.json", {
          headers: 'content-disposition: form-data; name="media"',
          bytes: jpeg,
        }),
    ],
  ])("takes %s", async (_name, send) => {
    const answer = await send();
    expect([answer.status, answer.json.image]).toMatchObject([200, { w: 768, h: 1024 }]);
  });

  test("takes the first of several", async () => {
    const small = await picture(30, 20).png().toBuffer();
    const answer = await upload(
      ann,
      {},
      ["media[]", small, "a.png", "image/png"],
      ["media[]", jpeg, "b.jpg", "image/jpeg"],
    );
    expect(answer.json.image).toMatchObject({ w: 30, h: 20 });
  });

  test("takes 8 MB in base64", async () => {
    const noise = Buffer.alloc(3 * 1700 * 1600);
    for (let at = 0; at < noise.length; at += 4) noise.writeUInt32LE((at * 2_654_435_761) >>> 0, at);
    const bytes = await sharp(noise, { raw: { width: 1700, height: 1600, channels: 3 } })
      .png({ compressionLevel: 0 })
      .toBuffer();
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
    [
      "half an image",
      () => upload(ann, {}, ["media", jpeg.subarray(0, 2000), "a.jpg", "image/jpeg"]),
      400,
      "unable to process image data",
    ],
    [
      "text that says it is an image",
      () => upload(ann, {}, ["media", Buffer.from("no"), "a.bin", "image/png"]),
      400,
      "unable to process image data",
    ],
    [
      "text with the name of an image",
      () => upload(ann, {}, ["media", Buffer.from("no"), "a.gif", "application/octet-stream"]),
      400,
      "unable to process image data",
    ],
    ["an unknown command", () => upload(ann, { command: "ERASE" }, photo()), 400, "Unknown command."],
  ])("refuses %s", async (_name, send, status, error) => {
    const before = await counts();
    const answer = await send();
    expect([answer.status, answer.json]).toEqual([status, { error, code: status, request: "api/media/upload.json" }]);
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

/** Who sees the picture at this address: its owner, a connection, somebody else with a login, anybody. */
async function whoSees(url: string): Promise<string[]> {
  const seeing: string[] = [];
  for (const [nick, browser] of browsers) if ((await browser.get(pathOf(url))).status === 200) seeing.push(nick);
  return seeing;
}

const everybody = ["ann", "ben", "cleo", "nobody"];

async function post(who: Person, fields: Record<string, unknown>): Promise<any> {
  const answer = await who.post("/api/statuses/update.json", fields);
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"id"')]);
  return answer.json;
}

describe("a status with media_ids", () => {
  test("shows them, and everybody who sees it sees them", async () => {
    const [one, two] = [
      await uploaded(ann),
      await uploaded(ann, "media", await picture(300, 200).png().toBuffer(), "x.png"),
    ];
    expect(await whoSees(one.image.svc_preview_url)).toEqual(["ann"]);
    const ids = `${one.media_id_string},${two.media_id_string}`;
    const status = await post(ann, {
      status: "Two pictures",
      media_ids: ids,
      contact_allow: [],
      include_entities: true,
    });
    expect(status.attachments).toEqual([
      {
        url: one.image.svc_preview_url,
        mimetype: "image/jpeg",
        size: expect.any(Number),
        width: 480,
        height: 640,
        thumb_url: one.image.svc_preview_url.replace("-2.jpg", "-3.jpg"),
      },
      expect.objectContaining({ url: two.image.svc_preview_url, width: 300, height: 200, mimetype: "image/png" }),
    ]);
    expect(status.attachments[0].size).toBeGreaterThan(1000);
    expect(status.text).toBe("Two pictures");
    const length = [...status.text].length;
    expect(status.entities.media[0]).toEqual({
      id: one.media_id,
      id_str: one.media_id_string,
      indices: [length, length],
      media_url: one.image.svc_preview_url,
      media_url_https: one.image.svc_preview_url,
      url: one.image.svc_preview_url,
      expanded_url: one.image.svc_preview_url,
      display_url: expect.stringMatching(/^hub\.example\/photo\/.+…$/),
      type: "photo",
      ext_alt_text: "",
      sizes: {
        thumb: { w: 113, h: 150, resize: "fit" },
        small: { w: 255, h: 340, resize: "fit" },
        medium: { w: 450, h: 600, resize: "fit" },
        large: { w: 768, h: 1024, resize: "fit" },
      },
    });
    expect(status.extended_entities).toEqual({ media: status.entities.media });
    for (const url of [one, two].map(({ image }) => image.svc_preview_url))
      expect(await whoSees(url)).toEqual(everybody);
  });

  test("gives them its own audience", async () => {
    const { media_id_string: id, image } = await uploaded(ann);
    await post(ann, { status: "For Ben", media_ids: [id], contact_allow: [ben.channel.channel_hash] });
    expect(await whoSees(image.svc_preview_url)).toEqual(["ann", "ben"]);
  });

  test("may have no words of its own: the addresses are its text", async () => {
    const { media_id_string: id, image } = await uploaded(ann);
    expect((await post(ann, { media_ids: id, contact_allow: [] })).text).toBe(image.svc_preview_url);
    const described = await upload(ann, { alt_text: "A beach" }, photo());
    const status = await post(ann, {
      status: "",
      media_ids: described.json.media_id,
      contact_allow: [],
      include_entities: true,
    });
    expect(status.text).toBe(described.json.image.svc_preview_url);
    const [media] = status.entities.media;
    expect(media.indices).toEqual([0, status.text.length]);
  });

  test("media_ids win over files that come along", async () => {
    const { media_id_string: id, image } = await uploaded(ann);
    const answer = await ann.send(
      "POST",
      "/api/statuses/update.json",
      formWith({ status: "x", media_ids: id }, [photo()]),
    );
    expect(answer.json.attachments.map((one: any) => one.url)).toEqual([image.svc_preview_url]);
  });

  test.each([
    ["unknown ones", () => "987654321"],
    ["no numbers", () => "x1"],
    ["zero", () => "0"],
    ["an upload that never was", () => String(2 ** 50 + 999)],
    ["what is too large", () => "99999999999999999999"],
    ["one known and one unknown", async () => `${(await uploaded(ann)).media_id},987654321`],
    ["those of others", async () => (await uploaded(ben)).media_id_string],
    [
      "directories",
      async () => {
        await uploaded(ann);
        const { id } = await world.hub.db
          .selectFrom("attach")
          .select("id")
          .where("is_dir", "=", 1)
          .where("uid", "=", ann.channel.channel_id)
          .executeTakeFirstOrThrow();
        return String(id);
      },
    ],
  ])("refuses %s, and posts nothing", async (_name, ids) => {
    const media_ids = await ids();
    const before = await counts();
    const answer = await ann.post("/api/statuses/update.json", { status: "never", media_ids });
    expect([answer.status, answer.json.error]).toEqual([400, "Media not found."]);
    expect(await counts()).toEqual(before);
  });

  test("takes ten and no more", async () => {
    const small = await picture(20, 20).png().toBuffer();
    const ids: string[] = [];
    for (let n = 0; n < 11; n++) ids.push((await uploaded(ann, "media", small, `${n}.png`)).media_id_string);
    const refused = await ann.post("/api/statuses/update.json", { status: "x", media_ids: ids.join(",") });
    expect([refused.status, refused.json.error]).toEqual([400, "A status can have at most 10 media."]);
    const status = await post(ann, { status: "x", media_ids: ids.slice(0, 10), contact_allow: [] });
    expect(status.attachments).toHaveLength(10);
  });

  test("attaches other files, and a video is an entity", async () => {
    const film = await uploaded(ann, "media", Buffer.from("a film"), "film.mp4", "video/mp4");
    const text = await uploaded(ann, "media", Buffer.from("some words"), "words.pdf", "application/pdf");
    const status = await post(ann, {
      status: "Files",
      media_ids: [film.media_id, text.media_id],
      contact_allow: [],
      include_entities: true,
    });
    expect(status.attachments).toMatchObject([
      { mimetype: "video/mp4", size: 6, width: 0, height: 0 },
      { mimetype: "application/pdf", size: 10 },
    ]);
    const [video, ...others] = status.entities.media;
    expect(others).toEqual([]);
    const [{ url }] = status.attachments;
    expect(video).toMatchObject({
      id: film.media_id,
      type: "video",
      media_url: url,
      video_info: { variants: [{ url, content_type: "video/mp4" }] },
    });
    expect(await whoSees(url)).toEqual(everybody);
  });

  test("an answer takes the audience of its thread along", async () => {
    const own = await post(ann, { status: "top for Ben", contact_allow: [ben.channel.channel_hash] });
    const mine = await uploaded(ann);
    await post(ann, { status: "me again", media_ids: mine.media_id, in_reply_to_status_id: own.id });
    expect(await whoSees(mine.image.svc_preview_url)).toEqual(["ann", "ben"]);

    const open = await post(ann, { status: "for all", contact_allow: [] });
    await world.work();
    const bens = await uploaded(ben);
    await post(ben, { status: "look", media_ids: bens.media_id, in_reply_to_status_id: open.id });
    expect(await whoSees(bens.image.svc_preview_url)).toEqual(everybody);

    const answer = await uploaded(ben);
    await post(ben, { status: "between us", media_ids: answer.media_id, in_reply_to_status_id: own.id });
    expect(await whoSees(answer.image.svc_preview_url)).toEqual(["ann", "ben"]);
  });
});

describe("a status with files", () => {
  test.each(["statuses/update", "statuses/update_with_media", "statuses/mediap", "1.1/statuses/update_with_media"])(
    "%s takes several",
    async (path) => {
      const form = formWith({ status: "Files", "contact_allow[]": "" }, [
        ["media[]", jpeg, "a.jpg", "image/jpeg"],
        ["media[]", await picture(90, 60).gif().toBuffer(), "b", "application/octet-stream"],
      ]);
      const answer = await ann.send("POST", `/api/${path}.json`, form);
      expect([answer.status, answer.json.attachments]).toMatchObject([200, [{ width: 480 }, { width: 90 }]]);
      expect(await whoSees(answer.json.attachments[1].url)).toEqual(everybody);
    },
  );

  test("the words may have a file name, and the bytes none", async () => {
    const answer = await sendRaw(
      ann,
      "/api/statuses/update.json",
      {
        headers: 'content-disposition: form-data; name="status"; filename="status.txt"\r\ncontent-type: text/plain',
        bytes: "Grüße",
      },
      {
        headers: 'content-disposition: form-data; name="media"\r\ncontent-type: application/octet-stream',
        bytes: jpeg,
      },
    );
    expect([answer.status, answer.json.text, answer.json.attachments.length]).toEqual([200, "Grüße", 1]);
  });

  test("a picture may come as base64", async () => {
    for (const name of ["media", "media_data"]) {
      const answer = await ann.post("/api/statuses/update.json", { status: "x", [name]: jpeg.toString("base64") });
      expect([answer.status, answer.json.attachments.length]).toEqual([200, 1]);
    }
  });

  test.each<[string, File, number, string]>([
    [
      "a broken picture",
      ["media", Buffer.from("GIF89a no"), "a.gif", "image/gif"],
      400,
      "unable to process image data",
    ],
    [
      "what only says that it is one",
      ["media", Buffer.from("no"), "a.png", "image/png"],
      400,
      "unable to process image data",
    ],
  ])("is refused with %s, and nothing stays", async (_name, file, status, error) => {
    await world.work();
    const before = await counts();
    const answer = await ann.send("POST", "/api/statuses/update.json", formWith({ status: "x" }, [photo(), file]));
    expect([answer.status, answer.json.error]).toEqual([status, error]);
    await world.work();
    expect(await counts()).toEqual(before);
  });

  test("is refused to answer what nobody sees, and nothing stays", async () => {
    const before = await counts();
    const form = formWith({ status: "x", in_reply_to_status_id: "987654321" }, [photo()]);
    expect((await ann.send("POST", "/api/statuses/update.json", form)).status).toBe(404);
    expect(await counts()).toEqual(before);
  });
});

describe("a status with the address of an own picture that nothing uses yet", () => {
  test.each([
    ["as bbcode", (url: string) => `Look [img]${url}[/img]`],
    ["as a plain link", (url: string) => `Look ${url}`],
    ["in another size", (url: string) => `Look [img]${url.replace("-2.jpg", "-1.jpg")}[/img]`],
  ])("%s shares it", async (_name, body) => {
    const { image } = await uploaded(ann);
    await post(ann, { status: body(image.svc_preview_url), contact_allow: [ben.channel.channel_hash] });
    expect(await whoSees(image.svc_preview_url)).toEqual(["ann", "ben"]);
  });

  test("and does nothing to the pictures of others", async () => {
    const { image } = await uploaded(ben);
    await post(ann, { status: `[img]${image.svc_preview_url}[/img]`, contact_allow: [] });
    expect(await whoSees(image.svc_preview_url)).toEqual(["ben"]);
  });

  test("nor to one that has its audience already", async () => {
    const { image, media_id } = await uploaded(ann);
    await post(ann, { status: "x", media_ids: media_id, contact_allow: [ben.channel.channel_hash] });
    await post(ann, { status: `again [img]${image.svc_preview_url}[/img]`, contact_allow: [] });
    expect(await whoSees(image.svc_preview_url)).toEqual(["ann", "ben"]);
  });
});

test.each(["small", "large", "thumb", "medium", "orig"])("the image route does not mind :%s", async (size) => {
  const { image } = await uploaded(ann);
  const answer = await browsers.get("ann")!.get(`${pathOf(image.svc_preview_url)}:${size}`);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
  expect((await browsers.get("ann")!.get(`${pathOf(image.svc_preview_url)}:other`)).status).toBe(404);
});

describe("when the storage fails", () => {
  const unknown = "unknown error - uploading photo failed, see log for more information";
  test.each([
    ["media/upload", "image upload failed"],
    ["statuses/update", "image upload failed"],
    ["account/update_profile_image", "image upload failed"],
    ["svc/photo/create", unknown],
  ])("%s says so", async (path, whenBroken) => {
    const { blobs } = world.hub;
    const form = () => formWith({ album: "x", status: "x" }, [photo()]);
    const before = await counts();
    const failing = async (fault: Error) => {
      const { keep } = blobs;
      blobs.keep = () => {
        throw fault;
      };
      const answer = await ann.send("POST", `/api/${path}.json`, form());
      blobs.keep = keep;
      return [answer.status, answer.json.error];
    };
    expect(await failing(new HubError("unavailable", "Not now."))).toEqual([500, "image upload failed"]);
    const full = new DiskRefuses("full", new Error("ENOSPC"));
    expect(await failing(full)).toEqual([503, "The disk of this hub is full; nothing was stored."]);
    expect(await failing(new Error("no such folder"))).toEqual([500, whenBroken]);
    expect(await counts()).toEqual(before);
    expect((await ann.send("POST", `/api/${path}.json`, form())).status).toBe(200);
  });
});

describe("alternative texts", () => {
  const words = 'Ann\'s "red" [boat] & <sea>';
  const shown = "Ann's 'red' (boat) & <sea>";

  test("alt_text is the picture's in statuses that use it", async () => {
    const { media_id } = (await upload(ann, { alt_text: words }, photo())).json;
    const status = await post(ann, { status: "x", media_ids: media_id, include_entities: true });
    expect(status.entities.media[0].ext_alt_text).toBe(shown);
    expect(status.svc_html).toContain("alt=\"Ann's 'red' (boat) &amp; &lt;sea&gt;\"");
    expect(status.attachments[0]).toMatchObject({ width: 480, height: 640 });
    // Each address in the text has its entity, so the one of the picture's page is not in it.
    expect(status.text).toBe(`x\n\n${shown}`);
    expect(status.entities.urls).toEqual([]);
    const html = await post(ann, { htmlstatus: "<p>x</p>", media_ids: media_id, include_entities: true });
    expect(html.entities.media[0].ext_alt_text).toBe(shown);
  });

  const describeIt = (who: Person, body: string, type = "application/json") =>
    who.send("POST", "/api/media/metadata/create.json", body, { headers: { "content-type": type } });

  test.each(["application/json", "application/x-www-form-urlencoded", "text/plain", "application/octet-stream"])(
    "media/metadata/create reads JSON whatever its type says: %s",
    async (type) => {
      const { media_id_string: id } = await uploaded(ann);
      const answer = await describeIt(ann, JSON.stringify({ media_id: id, alt_text: { text: "A boat" } }), type);
      expect([answer.status, answer.json]).toEqual([200, {}]);
      const status = await post(ann, { status: "x", media_ids: id, include_entities: true });
      expect(status.entities.media[0].ext_alt_text).toBe("A boat");
    },
  );

  test("takes the id as a number, and answers in XML", async () => {
    const { media_id } = await uploaded(ann);
    const body = JSON.stringify({ media_id, alt_text: { text: "A boat" } });
    expect(readXml(await ann.send("POST", "/api/media/metadata/create.xml", body)).name).toBe("media");
  });

  test.each<[string, (id: string) => string, string]>([
    ["nothing", () => "", "No post data"],
    ["no JSON", () => "media_id=1", "Invalid post data"],
    ["a list", () => "[]", "Invalid post data"],
    ["null", () => "null", "Invalid post data"],
    ["no id", () => '{"alt_text":{"text":"x"}}', "Missing post data values"],
    ["no text object", (id) => `{"media_id":"${id}"}`, "Missing post data values"],
    ["a text that is no object", (id) => `{"media_id":"${id}","alt_text":"x"}`, "Missing post data values"],
    ["an empty text", (id) => `{"media_id":"${id}","alt_text":{"text":""}}`, "No alt text."],
    ["no text", (id) => `{"media_id":"${id}","alt_text":{}}`, "No alt text."],
    ["an unknown id", () => '{"media_id":"987654321","alt_text":{"text":"x"}}', "Metadata not found."],
    ["no id at all", () => '{"media_id":"x","alt_text":{"text":"x"}}', "Metadata not found."],
  ])("refuses %s", async (_name, body, error) => {
    const { media_id_string: id } = await uploaded(ann);
    const answer = await describeIt(ann, body(id));
    expect([answer.status, answer.json]).toEqual([
      400,
      { error, code: 400, request: "api/media/metadata/create.json" },
    ]);
  });

  test("refuses the pictures of others like unknown ones, and what is no picture", async () => {
    const bens = await uploaded(ben);
    const song = await uploaded(ann, "media", Buffer.from("la la"), "song.mp3", "audio/mpeg");
    for (const id of [bens.media_id, song.media_id]) {
      const answer = await describeIt(ann, JSON.stringify({ media_id: id, alt_text: { text: "x" } }));
      expect([answer.status, answer.json.error]).toEqual([400, "Metadata not found."]);
    }
  });
});

async function fileOf(mediaId: number) {
  const row = await world.hub.db.selectFrom("attach").selectAll().where("id", "=", mediaId).executeTakeFirstOrThrow();
  return { ...row, resource_id: row.hash };
}

async function bytesOf(blob: string): Promise<Buffer> {
  const { readBlob } = await import("../../../domain/files/blobs.ts");
  return readBlob(world.hub, blob);
}

async function counts() {
  const { db } = world.hub;
  const of = async (table: "attach" | "photo" | "item" | "message" | "upload" | "upload_piece") =>
    (
      await db
        .selectFrom(table)
        .select((x) => x.fn.countAll<number>().as("n"))
        .executeTakeFirstOrThrow()
    ).n;
  return [
    await of("attach"),
    await of("photo"),
    await of("item"),
    await of("message"),
    await of("upload"),
    await of("upload_piece"),
  ].map(Number);
}
