import type sharp from "sharp";
import { oncePerHub } from "../../caches.ts";
import type { Hub } from "../../hub.ts";
import { allCoresButOne, Semaphore } from "../../semaphore.ts";

/** More than the cameras of telephones make, less than what fills the memory; all frames of an animation together. */
export const mostPixels = 65_000_000;

/** What a decoder needs to know of bytes that strangers have sent: bombs and halves are refused. */
export const carefully = { limitInputPixels: mostPixels, failOn: "error", sequentialRead: true } as const;

/** The image library, loaded when the first image comes; one thread for each image, so that others get theirs. */
export async function openImages(): Promise<typeof sharp> {
  const library = (await import("sharp")).default;
  library.concurrency(1);
  library.cache(false);
  return library;
}

const turns = oncePerHub(() => new Semaphore(allCoresButOne));

/** Images are worked on a few at a time. */
export function inTurn<T>(hub: Hub, work: () => Promise<T>): Promise<T> {
  return turns(hub).run(work);
}

/** The types of images that are taken. */
export type ImageType = "image/jpeg" | "image/png" | "image/gif" | "image/webp";

/** How many bytes `imageType` looks at. */
export const headLength = 12;

/** The type by the bytes themselves, whatever the upload calls itself; undefined for what is no image that is taken. */
export function imageType(bytes: Buffer): ImageType | undefined {
  const text = bytes.toString("latin1", 0, headLength);
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (/^GIF8[79]a/.test(text)) return "image/gif";
  return /^RIFF[^]{4}WEBP/.test(text) ? "image/webp" : undefined;
}

const extensions: Readonly<Record<string, string>> = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/gif": "gif",
  "image/webp": "webp",
};

/** Is it one of the types of images that are taken? */
export function isImageType(type: string): type is ImageType {
  return Object.hasOwn(extensions, type);
}

/** The extension that addresses of an image end in; without a dot. */
export function imageExtension(mimetype: string): string {
  return extensions[mimetype] ?? "jpg";
}
