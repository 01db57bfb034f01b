import { randomUUID } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { refusal } from "../../errors.ts";
import type { Hub, Staged } from "../../hub.ts";
import { keepBlobs, readBlob } from "../files/blobs.ts";
import { blurhashOf } from "./blurhash.ts";
import { headLength, imageType, inTurn } from "./images.ts";
import type { ImageType } from "./images.ts";
import { drawAnew, drawScales, drawUse } from "./renditions.ts";
import type { Drawn, DrawingLimits } from "./renditions.ts";
import type { Use, smallerScales } from "./scales.ts";
import { scales } from "./scales.ts";
import type { PreparedPhoto, Rendition } from "./types.ts";

/** What is drawn of an image besides the original. */
export type Wanted = {
  /** The last of the scales that every image has; `small` when left out. */
  smallest?: (typeof smallerScales)[number] | undefined;
  /** What else it is going to be. */
  uses?: readonly Use[] | undefined;
};

/**
 * Draws and keeps the renditions of an uploaded image, before the transaction that writes their rows; undefined when the bytes
 * are no JPEG, PNG, GIF or WebP. Throws invalid for an image that is broken or a bomb, and too-large over the hub's limit.
 */
export async function preparePhoto(
  hub: Hub,
  staged: Staged,
  filename: string,
  { smallest = "small", uses = [] }: Wanted = {},
): Promise<PreparedPhoto | undefined> {
  const mimetype = await typeOf(hub, staged);
  if (!mimetype) return undefined;
  const { image, imageLength } = hub.config.limits;
  if (staged.size > image) throw refusal("image_too_large", { name: filename, most: image, size: staged.size });
  const { drawn, used, coord, blurhash } = await inTurn(hub, async () => {
    const all = await drawScales(await readBlob(hub, staged), mimetype, imageLength);
    const used: Drawn[] = [];
    for (const use of uses) used.push(...(await drawUse(all.drawn[0]!.bytes, use)));
    return { ...all, used, blurhash: await blurhashOf(all.drawn.at(-1)!.bytes) };
  });
  const ordinary = drawn.filter(({ scale }) => scales[scale].number <= scales[smallest].number);
  const kept = await keepDrawn(hub, [...ordinary, ...used], blurhash);
  return { mimetype, renditions: kept.slice(0, ordinary.length), used: kept.slice(ordinary.length), coord };
}

/** Do the bytes begin like an image of a type that is taken? */
export async function isImage(hub: Hub, staged: Staged): Promise<boolean> {
  return (await typeOf(hub, staged)) !== undefined;
}

async function typeOf(hub: Hub, staged: Staged): Promise<ImageType | undefined> {
  return imageType(await buffer(await hub.blobs.read(staged, 0, headLength)));
}

/**
 * Draws and keeps the renditions of an image that becomes a profile or cover photo, never inside a transaction. Throws
 * invalid for what is no image, broken or a bomb.
 */
export async function prepareUse(hub: Hub, image: string | Staged, use: Use): Promise<Rendition[]> {
  const drawn = await inTurn(hub, async () => {
    const bytes = await readBlob(hub, image);
    if (!imageType(bytes)) throw refusal("not_an_image");
    return drawUse(bytes, use);
  });
  return keepDrawn(hub, drawn);
}

/** An image of a stranger, drawn anew and not kept. Throws invalid for what is no image, broken or too large. */
export async function redraw(hub: Hub, bytes: Buffer, limits: DrawingLimits): Promise<Drawn> {
  const type = imageType(bytes);
  if (!type) throw refusal("not_an_image");
  return inTurn(hub, () => drawAnew(bytes, type, limits));
}

/** Renditions of the same bytes share them. */
async function keepDrawn(hub: Hub, drawn: readonly Drawn[], blurhash = ""): Promise<Rendition[]> {
  const id = randomUUID().replaceAll("-", "");
  const names = new Map<Buffer, string>();
  for (const { bytes, scale } of drawn) if (!names.has(bytes)) names.set(bytes, `${id}-${scales[scale].number}`);
  const digests = await keepBlobs(
    hub,
    [...names].map(([bytes, name]) => ({ name, bytes })),
  );
  return drawn.map(({ bytes, scale, ...one }) => ({
    ...one,
    imgscale: scales[scale].number,
    filesize: bytes.length,
    blob: names.get(bytes)!,
    sha256: digests.get(names.get(bytes)!)!,
    blurhash,
  }));
}
