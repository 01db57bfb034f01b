import sharp from "sharp";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { hugePng, movingGif, photoOfTelephone, picture } from "../../../test/support/pictures.ts";
import type { Hub, Staged } from "../../hub.ts";
import { readBlob } from "../files/blobs.ts";
import { plainGif } from "./gif.ts";
import { inTurn } from "./images.ts";
import { preparePhoto } from "./prepare.ts";
import type { PreparedPhoto } from "./types.ts";

let hub: TestHub;
beforeAll(async () => {
  hub = await openTestHub();
});
afterAll(() => hub.close());

const stage = (bytes: Buffer): Promise<Staged> => hub.blobs.stage(Readable.from([bytes]), bytes.length);
const prepare = async (bytes: Buffer, on: Hub = hub): Promise<PreparedPhoto | undefined> =>
  preparePhoto(on, await stage(bytes), "picture");
const with_ = (limits: Partial<Hub["config"]["limits"]>): Hub => ({
  ...hub,
  config: { ...hub.config, limits: { ...hub.config.limits, ...limits } },
});
const sizes = (photo: PreparedPhoto | undefined) => photo!.renditions.map(({ width, height }) => [width, height]);

async function bytesOf(photo: PreparedPhoto | undefined, scale: number): Promise<Buffer> {
  return readBlob(hub, photo!.renditions[scale]!.blob);
}

describe("renditions", () => {
  test.each(["jpeg", "png", "webp", "gif"] as const)("of a %s have the limits of their scales", async (format) => {
    const photo = await prepare(await picture(2000, 1000).toFormat(format).toBuffer());
    expect(photo!.mimetype).toBe(`image/${format}`);
    expect(sizes(photo)).toEqual([
      [2000, 1000],
      [1024, 512],
      [640, 320],
      [320, 160],
    ]);
    for (const [scale, one] of photo!.renditions.entries()) {
      const bytes = await bytesOf(photo, scale);
      expect(one).toMatchObject({ imgscale: scale, mimetype: photo!.mimetype, filesize: bytes.length });
      const { width, height, format: found } = await sharp(bytes).metadata();
      expect([width, height, found]).toEqual([one.width, one.height, format]);
    }
  });

  test("of a tall image have their limits by its height", async () => {
    expect(sizes(await prepare(await picture(500, 2000).jpeg().toBuffer()))).toEqual([
      [500, 2000],
      [256, 1024],
      [160, 640],
      [80, 320],
    ]);
  });

  test("that are not smaller than the image are the image itself", async () => {
    const photo = await prepare(await picture(400, 300).jpeg().toBuffer());
    expect(sizes(photo)).toEqual([
      [400, 300],
      [400, 300],
      [400, 300],
      [320, 240],
    ]);
    expect(new Set(photo!.renditions.map(({ blob }) => blob)).size).toBe(2);
    expect(sizes(await prepare(await picture(1, 1).png().toBuffer()))).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
  });

  test("are upright and know neither place nor name", async () => {
    const photo = await prepare(await photoOfTelephone());
    expect(sizes(photo)).toEqual([
      [1200, 1600],
      [768, 1024],
      [480, 640],
      [240, 320],
    ]);
    expect(photo!.coord).toBe("59.91 10.75");
    for (const { imgscale, width, height } of photo!.renditions) {
      const bytes = await bytesOf(photo, imgscale);
      const { exif, orientation, xmp, iptc, icc } = await sharp(bytes).metadata();
      expect([exif, orientation, xmp, iptc, icc]).toEqual([undefined, undefined, undefined, undefined, undefined]);
      expect(bytes.includes("Alma") || bytes.includes("Exif")).toBe(false);
      const top = await sharp(bytes)
        .extract({ left: Math.floor(width / 2), top: Math.floor(height / 10), width: 1, height: 1 })
        .raw()
        .toBuffer();
      expect(top[0]).toBeGreaterThan(200);
    }
  });

  test.each(["png", "webp"] as const)("of a %s lose what it carries along", async (format) => {
    const sent = await picture(300, 200)
      .withExif({ IFD0: { Artist: "Alma" } })
      .toFormat(format)
      .toBuffer();
    expect(sent.includes("Alma")).toBe(true);
    const photo = await prepare(sent);
    for (const { imgscale } of photo!.renditions) expect((await bytesOf(photo, imgscale)).includes("Alma")).toBe(false);
  });

  test("keep what shines through", async () => {
    const clear = sharp({
      create: { width: 900, height: 900, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    });
    const photo = await prepare(await clear.png().toBuffer());
    for (const scale of [0, 1, 2, 3]) {
      const { data } = await sharp(await bytesOf(photo, scale))
        .raw()
        .toBuffer({ resolveWithObject: true });
      expect(data[3]).toBe(0);
    }
  });

  test("of a PNG with a palette are not much larger than it", async () => {
    const sent = await picture(2000, 2000).png({ palette: true }).toBuffer();
    expect((await bytesOf(await prepare(sent), 0)).length).toBeLessThan(sent.length * 2 + 2000);
  });

  test("are no larger than the hub wants them", async () => {
    const photo = await prepare(await picture(2000, 1000).jpeg().toBuffer(), with_({ imageLength: 800 }));
    expect(sizes(photo)).toEqual([
      [800, 400],
      [800, 400],
      [640, 320],
      [320, 160],
    ]);
  });
});

describe("moving images", () => {
  test("move at scale 0 only", async () => {
    const sent = await movingGif(700, 400, 3);
    const photo = await prepare(sent);
    const frames = [];
    for (const scale of [0, 1, 2, 3])
      frames.push((await sharp(await bytesOf(photo, scale), { animated: true }).metadata()).pages ?? 1);
    expect(frames).toEqual([3, 1, 1, 1]);
    expect(sizes(photo)).toEqual([
      [700, 400],
      [700, 400],
      [640, 366],
      [320, 183],
    ]);
  });

  test("lose comments and what is hidden behind their end", async () => {
    const gif = await movingGif(60, 40, 2);
    const comment = Buffer.concat([Buffer.from([0x21, 0xfe, 4]), Buffer.from("Alma"), Buffer.from([0])]);
    const at = 13 + (gif[10]! & 0x80 ? 3 * 2 ** ((gif[10]! & 7) + 1) : 0);
    const sent = Buffer.concat([gif.subarray(0, at), comment, gif.subarray(at), Buffer.from("<script>Alma</script>")]);
    const stored = await bytesOf(await prepare(sent), 0);
    expect(stored.includes("Alma")).toBe(false);
    expect((await sharp(stored, { animated: true }).metadata()).pages).toBe(2);
    expect(plainGif(stored)!.bytes.equals(stored)).toBe(true);
  });

  test("are made smaller with all their frames where the hub wants that", async () => {
    const photo = await prepare(await movingGif(600, 300, 3), with_({ imageLength: 200 }));
    const { pages, width, pageHeight } = await sharp(await bytesOf(photo, 0), { animated: true }).metadata();
    expect([pages, width, pageHeight]).toEqual([3, 200, 100]);
    expect(sizes(photo)[0]).toEqual([200, 100]);
  });

  test("that break off are refused, wherever", async () => {
    const gif = await movingGif(60, 40, 3);
    for (const part of [14, gif.length / 3, gif.length / 2, gif.length - 8])
      await expect(prepare(gif.subarray(0, Math.floor(part)))).rejects.toMatchObject({ kind: "invalid" });
  });
});

describe("hostile images", () => {
  test.each(["jpeg", "png", "webp", "gif"] as const)("a %s that breaks off is refused", async (format) => {
    const whole = await sharp({
      create: {
        width: 200,
        height: 150,
        channels: 3,
        background: "#888",
        noise: { type: "gaussian", mean: 128, sigma: 50 },
      },
    })
      .toFormat(format)
      .toBuffer();
    for (const part of [0.02, 0.3, 0.7, 0.95])
      await expect(prepare(whole.subarray(0, Math.max(40, Math.floor(whole.length * part))))).rejects.toMatchObject({
        kind: "invalid",
      });
  });

  test("bombs are refused before they are unpacked", async () => {
    const started = process.cpuUsage();
    for (const bomb of [hugePng(60_000, 60_000), hugePng(2_000_000_000, 2_000_000_000), hugePng(65_001, 1000)])
      await expect(prepare(bomb)).rejects.toMatchObject({ kind: "invalid" });
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(2000);
  });

  test("frames count together", async () => {
    const gif = await movingGif(30, 20, 2);
    const frame = plainGif(gif)!;
    const many = Buffer.from(frame.bytes);
    many.writeUInt16LE(6000, 6);
    many.writeUInt16LE(6000, 8);
    await expect(prepare(many)).rejects.toMatchObject({ kind: "invalid" });
  });

  test("images of nothing, or with rubbish inside, are refused", async () => {
    const png = await picture(300, 300).png().toBuffer();
    const broken = Buffer.from(png);
    broken.fill(0x55, png.length - 60, png.length - 20);
    const cases = [
      broken,
      hugePng(0, 10),
      Buffer.concat([png.subarray(0, 8), Buffer.alloc(500)]),
      Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
      Buffer.concat([Buffer.from("\xff\xd8\xff", "latin1"), Buffer.from("<svg onload=alert(1)>")]),
      Buffer.from("GIF89a"),
      Buffer.from("RIFF\0\0\0\0WEBPVP8 "),
    ];
    for (const bytes of cases) await expect(prepare(bytes)).rejects.toMatchObject({ kind: "invalid" });
  });

  test("what is no image of the four types is none, whatever it calls itself", async () => {
    const tiff = await picture(20, 20).tiff().toBuffer();
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    for (const bytes of [Buffer.alloc(0), svg, tiff, Buffer.from("%PDF-1.7"), Buffer.from("BM")])
      expect(await prepare(bytes)).toBeUndefined();
  });

  test("an image over the limit in bytes is too large, a file of that size is not", async () => {
    const image = await picture(300, 300).png().toBuffer();
    await expect(prepare(image, with_({ image: image.length - 1 }))).rejects.toMatchObject({ kind: "too-large" });
    expect(await prepare(image, with_({ image: image.length }))).toBeDefined();
    expect(await prepare(Buffer.alloc(5000), with_({ image: 10 }))).toBeUndefined();
  });

  test("places that cannot be are none", async () => {
    const placed = async (latitude: string): Promise<string> => {
      const sent = await picture(9, 9)
        .jpeg()
        .withExif({
          IFD3: { GPSLatitudeRef: "S", GPSLatitude: latitude, GPSLongitudeRef: "W", GPSLongitude: "70/1 30/1 0/1" },
        })
        .toBuffer();
      return (await prepare(sent))!.coord;
    };
    expect(await placed("33/1 15/1 0/1")).toBe("-33.25 -70.5");
    expect(await placed("200/1 0/1 0/1")).toBe("");
    expect(await placed("1/0 0/1 0/1")).toBe("");
  });
});

test("images wait for one another, and one that fails does not hold up the rest", async () => {
  let working = 0;
  let most = 0;
  const work = async (fails: boolean): Promise<void> => {
    most = Math.max(most, ++working);
    await new Promise((resolve) => setTimeout(resolve, 5));
    working--;
    if (fails) throw new Error("broken");
  };
  const all = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => inTurn(hub, () => work(n % 3 === 0))));
  expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(8);
  expect(most).toBeLessThanOrEqual(Math.max(1, (await import("node:os")).availableParallelism() - 1));
});
