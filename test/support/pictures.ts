import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import type { Sharp } from "sharp";

/** A picture of one colour. */
export function picture(width: number, height: number, background = "#2266aa"): Sharp {
  return sharp({ create: { width, height, channels: 3, background } });
}

/** A JPEG with a place, a name and a direction in its metadata, as a telephone takes it; red at its true top. */
export async function photoOfTelephone(width = 1600, height = 1200): Promise<Buffer> {
  const red = await picture(Math.round(width / 4), height, "#ff0000")
    .png()
    .toBuffer();
  // Orientation 6: what is left in the file is on top.
  return picture(width, height)
    .composite([{ input: red, left: 0, top: 0 }])
    .jpeg({ quality: 90 })
    .withExif({
      IFD0: { Artist: "Alma" },
      IFD3: {
        GPSLatitudeRef: "N",
        GPSLatitude: "59/1 54/1 36/1",
        GPSLongitudeRef: "E",
        GPSLongitude: "10/1 45/1 0/1",
      },
    })
    .withMetadata({ orientation: 6 })
    .toBuffer();
}

/** A moving GIF of so many frames. */
export async function movingGif(width: number, height: number, frames: number): Promise<Buffer> {
  const pictures = await Promise.all(
    Array.from({ length: frames }, (_, n) =>
      picture(width, height, `rgb(${(n * 40) % 256}, 80, 160)`)
        .png()
        .toBuffer(),
    ),
  );
  return sharp(pictures, { join: { animated: true } })
    .gif({ delay: 100, loop: 0 })
    .toBuffer();
}

/** A form with a body text and files, for `item/update` and its like. */
export function formWith(
  fields: Record<string, string>,
  files: [name: string, bytes: Buffer, filename: string, type: string][],
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const [name, bytes, filename, type] of files)
    form.append(name, new File([new Uint8Array(bytes)], filename, { type }));
  return form;
}

/** A PNG that says it is so large; its pixels are zeros, as far as they go. */
export function hugePng(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 8;
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(Buffer.alloc(5_000_000))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
