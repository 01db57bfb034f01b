import { decode, isBlurhashValid } from "blurhash";

/** Browsers draw what lies between so few pixels, which is the blur. */
const [width, height] = [8, 6];
const head = 54;
const row = 3 * width;

/** A tiny picture of what an image looks like from afar, as an address with all of it; undefined for what is no blurhash. */
export function blurredPicture(blurhash: string): string | undefined {
  if (blurhash === "" || blurhash.length > 100 || !isBlurhashValid(blurhash).result) return undefined;
  const pixels = decode(blurhash, width, height);
  // A bitmap, from below, in blue, green and red: the one format that needs no packing.
  const bytes = Buffer.alloc(head + row * height);
  bytes.write("BM");
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(head, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [from, to] = [4 * (width * y + x), head + row * (height - 1 - y) + 3 * x];
      bytes.set([pixels[from + 2]!, pixels[from + 1]!, pixels[from]!], to);
    }
  return `data:image/bmp;base64,${bytes.toString("base64")}`;
}
