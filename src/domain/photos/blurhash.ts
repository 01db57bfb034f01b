import { encode } from "blurhash";
import { carefully, openImages } from "./images.ts";

/** What is left of an image from afar: so many pixels are looked at, in so many waves across and down. */
const edge = 32;
const waves = { across: 4, down: 3 };

/** A grey area, for an image that nobody can read. */
export const nothingToSee = encode(new Uint8ClampedArray([160, 160, 160, 255]), 1, 1, 1, 1);

/** What an image looks like before it is there (blurha.sh), in a few characters. */
export async function blurhashOf(image: Buffer): Promise<string> {
  const sharp = await openImages();
  const small = sharp(image, carefully).resize(edge, edge, { fit: "inside" }).flatten({ background: "white" });
  const { data, info } = await small.toColourspace("srgb").ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return encode(new Uint8ClampedArray(data), info.width, info.height, waves.across, waves.down);
}
