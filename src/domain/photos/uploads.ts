import { randomUUID } from "node:crypto";
import type { Hub, Staged } from "../../hub.ts";
import { keepBlobs, releaseBlobs } from "../files/blobs.ts";
import { checkWriting } from "../files/check-writing.ts";
import { claimsImage, decideType } from "../files/decide-type.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { preparePhoto } from "./prepare.ts";
import type { Wanted } from "./prepare.ts";
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
  sha256: string;
  /** Set when it is an image. */
  photo: PreparedPhoto | undefined;
};

/** What is known of an upload besides its bytes. */
export type Claims = Wanted & {
  /** Empty when the bytes came without one. */
  filename: string;
  /** What the sender says of the type. */
  type: string;
  /** What is no image is refused before anything is kept: what calls itself one, or everything. */
  refuses?: "false images" | "all but images" | undefined;
};

/** A file that somebody sends. */
export type Sent = Claims & { staged: Staged };

/**
 * Looks at files that the actor sends to the channel and keeps their bytes, an image's as renditions; then does the work that
 * writes the rows about them. When anything fails, no bytes stay. Never inside a transaction. Throws denied without
 * `write_storage`, invalid, too-large, and what the work throws.
 */
export async function withUploads<T>(
  hub: Hub,
  owner: Channel,
  sent: readonly Sent[],
  work: (uploads: readonly PreparedUpload[]) => Promise<T>,
  actor = owner,
): Promise<T> {
  if (sent.length > 0) await checkWriting(hub, actor, owner);
  const uploads: PreparedUpload[] = [];
  try {
    for (const one of sent) uploads.push(await prepareUpload(hub, one));
    return await work(uploads);
  } catch (error) {
    await dropUploads(hub, uploads);
    throw error;
  }
}

/** The same for one file. */
export async function withUpload<T>(
  hub: Hub,
  owner: Channel,
  sent: Sent,
  work: (upload: PreparedUpload) => Promise<T>,
  actor = owner,
): Promise<T> {
  return withUploads(hub, owner, [sent], ([upload]) => work(upload!), actor);
}

/** Lets bytes go for which there will be no rows; they need not wait for the job that looks for such. */
export async function dropUploads(hub: Hub, uploads: readonly PreparedUpload[]): Promise<void> {
  const blobs = uploads.flatMap(({ blob, photo }) => [
    blob,
    ...[...(photo?.renditions ?? []), ...(photo?.used ?? [])].map((one) => one.blob),
  ]);
  await releaseBlobs(hub, [...new Set(blobs)]);
}

/** What was drawn of an upload that had to be an image. */
export function photoOf({ photo }: PreparedUpload): PreparedPhoto {
  if (!photo) throw noImage();
  return photo;
}

async function prepareUpload(
  hub: Hub,
  { staged, filename: sentName, type, refuses, ...wanted }: Sent,
): Promise<PreparedUpload> {
  const photo = await preparePhoto(hub, staged, sentName, wanted);
  const filetype = decideType(type, sentName, photo?.mimetype);
  const filename = sentName.trim() === "" ? nameOfType(filetype) : sentName;
  if (photo) {
    const { filesize, blob, sha256 } = photo.renditions[0]!;
    return { filename, filetype, filesize, blob, sha256, photo };
  }
  if (refuses === "all but images" || (refuses && claimsImage(type, sentName))) throw noImage();
  const blob = randomUUID().replaceAll("-", "");
  await keepBlobs(hub, [{ name: blob, bytes: staged }]);
  return { filename, filetype, filesize: staged.size, blob, sha256: staged.sha256, photo };
}

/** A name for bytes that came without one: players and programs go by the extension. */
function nameOfType(type: string): string {
  if (isImageType(type)) return `image.${imageExtension(type)}`;
  const extension = Object.keys(mimes).find((name) => mimes[name] === type);
  return extension === undefined || type === "application/octet-stream" ? "media" : `media.${extension}`;
}
