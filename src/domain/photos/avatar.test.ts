import sharp from "sharp";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeChannel, openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { hugePng } from "../../../test/support/pictures.ts";
import type { Hub } from "../../hub.ts";
import { uploadPhotoFor } from "../cloud/channel-photos.ts";
import type { File } from "../files/types.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { observerOf } from "../identity/channels/observer.ts";
import { updateChannel } from "../identity/channels/channels.ts";
import { findXchan } from "../identity/xchans/xchans.ts";
import { albums } from "./albums.ts";
import { avatarOf, hasAvatar } from "./avatar.ts";
import type { AvatarSize } from "./avatar.ts";
import { drawAvatar } from "./avatar-picture.ts";
import { stopUsing } from "./use.ts";

let hub: TestHub;
let alma: Channel;
beforeAll(async () => {
  hub = await openTestHub();
  alma = await makeChannel(hub, "alma");
});
afterAll(() => hub.close());

const edges: [AvatarSize, number][] = [
  ["l", 300],
  ["m", 80],
  ["s", 48],
];

const upload = (bytes: Buffer): Promise<File> => uploadOn(hub, bytes);
async function uploadOn(hub: Hub, bytes: Buffer): Promise<File> {
  const staged = await hub.blobs.stage(Readable.from([bytes]), bytes.length);
  return uploadPhotoFor(hub, "profile", alma, staged, { filename: "me.png", type: "image/png" });
}
const picture = (width = 400, height = 200) => sharp({ create: { width, height, channels: 3, background: "#2266aa" } });

test.each(edges)("a channel without a picture has a drawn one in size %s", async (size, edge) => {
  const first = await avatarOf(hub, alma.channel_id, size);
  expect(first.mimetype).toBe("image/png");
  expect(await sharp(first.bytes).metadata()).toMatchObject({ width: edge, height: edge, format: "png" });
  expect(await avatarOf(hub, alma.channel_id, size)).toEqual(first);
});

test("the drawn picture follows hash and name", async () => {
  expect(drawAvatar("hash", "Émile")).toBe(drawAvatar("hash", "eva"));
  expect(drawAvatar("hash", "Anna")).not.toBe(drawAvatar("hash", "Berta"));
  expect(drawAvatar("hash", "Anna")).not.toBe(drawAvatar("other", "Anna"));
  for (const name of ["", "жанна", "🙂", "<svg>", "constructor"]) expect(drawAvatar("hash", name)).toContain("</svg>");
  const before = await avatarOf(hub, alma.channel_id, "s");
  await updateChannel(hub, alma.channel_id, { name: "Zoe" });
  expect((await avatarOf(hub, alma.channel_id, "s")).version).not.toBe(before.version);
});

test("somebody unknown has a picture too", async () => {
  const nobody = await avatarOf(hub, 0, "m");
  expect(await avatarOf(hub, 99_999, "m")).toEqual(nobody);
});

test.each(["png", "jpeg", "webp", "gif"] as const)("a %s becomes the profile photo in three sizes", async (format) => {
  await upload(await picture().toFormat(format).toBuffer());
  const mimetype = format === "jpeg" ? "image/jpeg" : "image/png";
  for (const [size, edge] of edges) {
    const avatar = await avatarOf(hub, alma.channel_id, size);
    expect(avatar.mimetype).toBe(mimetype);
    expect(await sharp(avatar.bytes).metadata()).toMatchObject({
      width: edge,
      height: edge,
      format: mimetype.slice(6),
    });
  }
  expect(await findXchan(hub, { id: alma.xchan_id })).toMatchObject({ xchan_photo_mimetype: mimetype });
});

test("the picture is turned upright and loses its metadata", async () => {
  const left = await sharp({ create: { width: 100, height: 200, channels: 3, background: "#ff0000" } })
    .png()
    .toBuffer();
  const sideways = await picture(200, 200)
    .composite([{ input: left, left: 0, top: 0 }])
    .jpeg()
    .withExif({ IFD0: { Artist: "Alma" }, IFD3: { GPSLatitude: "60/1 0/1 0/1" } })
    .withMetadata({ orientation: 6 })
    .toBuffer();
  await upload(sideways);
  const { bytes } = await avatarOf(hub, alma.channel_id, "l");
  const { exif, orientation } = await sharp(bytes).metadata();
  expect([exif, orientation]).toEqual([undefined, undefined]);
  const { data } = await sharp(bytes)
    .extract({ left: 150, top: 20, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect(data[0]).toBeGreaterThan(200);
});

test("a new picture replaces the earlier one, and taking it away goes back to the drawn one", async () => {
  hub.advance(60);
  await upload(await picture().png().toBuffer());
  const first = await avatarOf(hub, alma.channel_id, "m");
  await upload(await picture(50, 50).png().toBuffer());
  expect((await avatarOf(hub, alma.channel_id, "m")).version).not.toBe(first.version);
  const used = await hub.db
    .selectFrom("photo")
    .selectAll()
    .where("uid", "=", alma.channel_id)
    .where("photo_usage", "=", 1)
    .execute();
  expect(used.map((photo) => [photo.imgscale, photo.width, photo.profile])).toEqual([
    [4, 300, 1],
    [5, 80, 1],
    [6, 48, 1],
  ]);
  const shelf = (await albums(hub, observerOf(alma), alma)).map(({ name, total }) => [name, total]);
  expect(shelf).toEqual([["Profile Photos", 7]]);
  expect(await hasAvatar(hub, alma.channel_id)).toBe(true);
  const before = (await findXchan(hub, { id: alma.xchan_id }))!;
  expect(before.xchan_photo_date > before.xchan_created).toBe(true);
  await stopUsing(hub, alma, "profile");
  expect(await hasAvatar(hub, alma.channel_id)).toBe(false);
  expect((await avatarOf(hub, alma.channel_id, "m")).version).toMatch(/^[0-9a-f]{16}$/);
  expect(await findXchan(hub, { id: alma.xchan_id })).toMatchObject({ xchan_photo_mimetype: "image/png" });
});

test("what is no picture is refused and leaves everything as it was", async () => {
  const before = await avatarOf(hub, alma.channel_id, "l");
  const png = await picture().png().toBuffer();
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  const cases: [Buffer, string][] = [
    [Buffer.alloc(0), "not_an_image"],
    [svg, "not_an_image"],
    [Buffer.from("%PDF-1.7"), "not_an_image"],
    [png.subarray(0, 60), "image_unreadable"],
    [Buffer.concat([png.subarray(0, 8), Buffer.alloc(100)]), "image_unreadable"],
  ];
  for (const [bytes, code] of cases) await expect(upload(bytes)).rejects.toMatchObject({ kind: "invalid", code });
  expect(await avatarOf(hub, alma.channel_id, "l")).toEqual(before);
});

test("bombs and files over the limit are refused", async () => {
  await expect(upload(hugePng(20_000, 10_000))).rejects.toMatchObject({ kind: "invalid" });
  const small = { ...hub, config: { ...hub.config, limits: { ...hub.config.limits, image: 100 } } };
  await expect(uploadOn(small, await picture().png().toBuffer())).rejects.toMatchObject({ kind: "too-large" });
});
