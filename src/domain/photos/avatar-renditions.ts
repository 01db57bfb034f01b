import type { Readable } from "node:stream";
import { HubError } from "../../errors.ts";

/** Scale numbers and edges of the profile photo (native contract 2.14). */
export const avatarScales = {
  l: { imgscale: 4, edge: 300 },
  m: { imgscale: 5, edge: 80 },
  s: { imgscale: 6, edge: 48 },
} as const;
export type AvatarSize = keyof typeof avatarScales;

export const avatarSizes = Object.keys(avatarScales) as AvatarSize[];

export type Rendition = { size: AvatarSize; imgscale: number; edge: number; bytes: Buffer };

/** More than the cameras of telephones make, less than what fills the memory. */
const mostPixels = 50_000_000;
const mostBytes = 20 * 1024 * 1024;

/** Takes an uploaded picture in, up to the smaller of the hub's limit and 20 MiB. */
export async function readUpload(upload: Readable, limit: number): Promise<Buffer> {
  const most = Math.min(limit, mostBytes);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of upload as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most) throw new HubError("too-large", `The image is larger than ${most} bytes.`, { field: "image" });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The three square pictures of an upload: upright, without metadata. JPEG stays JPEG, the rest becomes PNG. */
export async function makeRenditions(input: Buffer): Promise<{ mimetype: string; renditions: Rendition[] }> {
  const mimetype = typeOf(input) === "image/jpeg" ? "image/jpeg" : "image/png";
  const sharp = (await import("sharp")).default;
  try {
    const upright = await sharp(input, { limitInputPixels: mostPixels, failOn: "error", sequentialRead: true })
      .autoOrient()
      .resize(300, 300, { fit: "cover" })
      .png()
      .toBuffer();
    const renditions = await Promise.all(avatarSizes.map((size) => rendition(upright, size, mimetype)));
    return { mimetype, renditions };
  } catch (cause) {
    throw new HubError("invalid", "unable to process image data", { field: "image", cause });
  }
}

async function rendition(upright: Buffer, size: AvatarSize, mimetype: string): Promise<Rendition> {
  const sharp = (await import("sharp")).default;
  const { imgscale, edge } = avatarScales[size];
  const picture = sharp(upright).resize(edge, edge);
  const bytes =
    mimetype === "image/jpeg" ? await picture.jpeg({ quality: 88 }).toBuffer() : await picture.png().toBuffer();
  return { size, imgscale, edge, bytes };
}

/** The type by the bytes themselves, whatever the upload calls itself. */
function typeOf(input: Buffer): string {
  const text = input.toString("latin1", 0, 12);
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (/^GIF8[79]a/.test(text)) return "image/gif";
  if (/^RIFF[^]{4}WEBP/.test(text)) return "image/webp";
  throw new HubError("invalid", "Unsupported filetype", { field: "image" });
}
