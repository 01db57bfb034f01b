import { randomUUID } from "node:crypto";
import type { Hub, Staged } from "../../hub.ts";
import { keepBlobs } from "../files/blobs.ts";
import { claimsImage, decideType } from "../files/decide-type.ts";
import { preparePhoto } from "./prepare.ts";
import { noImage } from "./renditions.ts";
import type { PreparedPhoto } from "./types.ts";
import { mimes } from "mrmime";
import { imageExtension, isImageType } from "./images.ts";

/** An upload whose bytes are kept and whose type is known, before there are rows about it. */
export type PreparedUpload = {
  filename: string;
  filetype: string;
  filesize: number;
  blob: string;
  /** Set when it is an image. */
  photo: PreparedPhoto | undefined;
};

/** What is known of an upload besides its bytes. */
export type Claims = {
  /** Empty when the bytes came without one. */
  filename: string;
  /** What the sender says of the type. */
  type: string;
  /** The last scale of an image, 3 when left out. */
  smallest?: number | undefined;
  /** What is no image is refused before anything is kept: what calls itself one, or everything. */
  refuses?: "false images" | "all but images" | undefined;
};

/**
 * Looks at an upload and keeps its bytes, an image's as renditions; never inside a transaction. Throws invalid,
 * too-large.
 */
export async function prepareUpload(
  hub: Hub,
  staged: Staged,
  { filename: sentName, type, smallest, refuses }: Claims,
): Promise<PreparedUpload> {
  const photo = await preparePhoto(hub, staged, sentName, smallest);
  const filetype = decideType(type, sentName, photo?.mimetype);
  const filename = sentName.trim() === "" ? nameOfType(filetype) : sentName;
  if (photo) {
    const { filesize, blob } = photo.renditions[0]!;
    return { filename, filetype, filesize, blob, photo };
  }
  if (refuses === "all but images" || (refuses && claimsImage(type, sentName))) throw noImage();
  const blob = randomUUID().replaceAll("-", "");
  await keepBlobs(hub, [{ name: blob, bytes: staged }]);
  return { filename, filetype, filesize: staged.size, blob, photo };
}

/** A name for bytes that came without one: players and programs go by the extension. */
function nameOfType(type: string): string {
  if (isImageType(type)) return `image.${imageExtension(type)}`;
  const extension = Object.keys(mimes).find((name) => mimes[name] === type);
  return extension === undefined || type === "application/octet-stream" ? "media" : `media.${extension}`;
}
