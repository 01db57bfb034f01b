import type { Sharp } from "sharp";
import { HubError, refusal } from "../../errors.ts";
import { plainGif } from "./gif.ts";
import { carefully, mostPixels, openImages } from "./images.ts";
import type { ImageType } from "./images.ts";
import { positionOf } from "./position.ts";
import type { Scale, Use } from "./scales.ts";
import { scales, scalesOf, smallerScales } from "./scales.ts";

/** One rendition that has been drawn. */
export type Drawn = { scale: Scale; mimetype: ImageType; width: number; height: number; bytes: Buffer };

/** Pixels between two steps, without any format. */
type Raw = { data: Buffer; info: { width: number; height: number; channels: 1 | 2 | 3 | 4 } };

/**
 * Draws the scales that every image has, the original first: upright, without metadata, at most `mostLength` long (0: as long as it is). Throws
 * invalid for what cannot be drawn whole.
 */
export async function drawScales(
  input: Buffer,
  type: ImageType,
  mostLength: number,
): Promise<{ drawn: Drawn[]; coord: string }> {
  return drawing(async () => {
    const sharp = await openImages();
    const { exif, isPalette } = await sharp(input, carefully).metadata();
    const original = await drawOriginal(input, type, mostLength, isPalette);
    return { drawn: [original, ...(await drawSmaller(original, isPalette))], coord: positionOf(exif) };
  });
}

/** The most that is drawn of an image of a stranger. */
export type DrawingLimits = { pixels: number; length: number };

/** Draws an image once, upright and without metadata. Throws invalid for what cannot be drawn whole, and for more pixels. */
export async function drawAnew(input: Buffer, type: ImageType, { pixels, length }: DrawingLimits): Promise<Drawn> {
  return drawing(async () => {
    const sharp = await openImages();
    const { width, height, pages = 1, isPalette } = await sharp(input, carefully).metadata();
    if (width * height * pages > pixels) throw noImage();
    return drawOriginal(input, type, length, isPalette);
  });
}

/** Draws the renditions of a profile or cover photo, upright. */
export async function drawUse(input: Buffer, use: Use): Promise<Drawn[]> {
  return drawing(async () => {
    const sharp = await openImages();
    // Other hubs show these, so they are of the types that everybody reads.
    const { format } = await sharp(input, carefully).metadata();
    const type = format === "jpeg" ? "image/jpeg" : "image/png";
    const largest = scales[scalesOf[use][0]];
    const upright = sharp(input, carefully).autoOrient();
    const raw = await rawOf(upright.resize(largest.width, largest.height, { fit: "cover" }));
    const drawn: Drawn[] = [];
    for (const scale of scalesOf[use]) {
      const { width, height } = scales[scale];
      const picture = sharp(raw.data, { raw: raw.info }).resize(width, height, { fit: "cover" });
      drawn.push(await written(picture, scale, type, false));
    }
    return drawn;
  });
}

async function drawing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof HubError) throw cause;
    throw noImage(cause);
  }
}

/** The refusal of what is said to be an image and cannot be drawn. */
export function noImage(cause?: unknown): HubError {
  return refusal("image_unreadable", { cause });
}

async function drawOriginal(input: Buffer, type: ImageType, mostLength: number, palette: boolean): Promise<Drawn> {
  if (type === "image/gif") return drawGif(input, mostLength);
  const sharp = await openImages();
  return written(shrunk(sharp(input, carefully).autoOrient(), mostLength), "original", type, palette);
}

/** The frames stay as they came, unless the hub wants images smaller than this one. */
async function drawGif(input: Buffer, mostLength: number): Promise<Drawn> {
  const gif = plainGif(input);
  if (!gif || gif.frames * gif.width * gif.height > mostPixels) throw new Error("The GIF is broken, or too large.");
  const { bytes, width, height } = gif;
  if (mostLength === 0 || Math.max(width, height) <= mostLength)
    return { scale: "original", mimetype: "image/gif", width, height, bytes };
  const sharp = await openImages();
  const picture = sharp(bytes, { ...carefully, sequentialRead: false, animated: true });
  const [columns, rows] = width >= height ? [mostLength, undefined] : [undefined, mostLength];
  const smaller = await picture.resize(columns, rows).gif().toBuffer({ resolveWithObject: true });
  const { info } = smaller;
  return {
    scale: "original",
    mimetype: "image/gif",
    width: info.width,
    height: info.pageHeight ?? info.height,
    bytes: smaller.data,
  };
}

/** The large image is read once; the small ones are all drawn from the pixels of `large`. */
async function drawSmaller(original: Drawn, palette: boolean): Promise<Drawn[]> {
  const sharp = await openImages();
  const type = original.mimetype;
  const raw = await rawOf(shrunk(sharp(original.bytes, carefully), scales.large.edge));
  const drawn: Drawn[] = [];
  for (const scale of smallerScales) {
    const { edge } = scales[scale];
    const before = drawn.at(-1) ?? original;
    // A smaller image is stored at its own size: the same bytes again, unless they move.
    const same = Math.max(before.width, before.height) <= edge && (scale !== "large" || type !== "image/gif");
    drawn.push(
      same
        ? { ...before, scale }
        : await written(shrunk(sharp(raw.data, { raw: raw.info }), edge), scale, type, palette),
    );
  }
  return drawn;
}

function shrunk(picture: Sharp, edge: number): Sharp {
  return edge === 0 ? picture : picture.resize(edge, edge, { fit: "inside", withoutEnlargement: true });
}

async function rawOf(picture: Sharp): Promise<Raw> {
  const { data, info } = await picture.toColourspace("srgb").raw().toBuffer({ resolveWithObject: true });
  return { data, info: { width: info.width, height: info.height, channels: info.channels } };
}

async function written(picture: Sharp, scale: Scale, mimetype: ImageType, palette: boolean): Promise<Drawn> {
  const { data, info } = await writers[mimetype](picture, scale === "original", palette).toBuffer({
    resolveWithObject: true,
  });
  return { scale, mimetype, width: info.width, height: info.height, bytes: data };
}

/** Time counts more than the last percent of size: somebody waits for the upload. */
const writers: Record<ImageType, (picture: Sharp, original: boolean, palette: boolean) => Sharp> = {
  "image/jpeg": (picture, original) => picture.jpeg({ quality: original ? 90 : 85 }),
  "image/png": (picture, original, palette) =>
    picture.png(original && palette ? { palette: true, quality: 100, effort: 1, dither: 0 } : { compressionLevel: 6 }),
  "image/webp": (picture, original) => picture.webp({ quality: original ? 90 : 80, effort: 1 }),
  "image/gif": (picture) => picture.gif({ effort: 3 }),
};
