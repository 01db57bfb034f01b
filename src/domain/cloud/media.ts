import { inTransaction } from "../../hub.ts";
import type { Hub, Staged } from "../../hub.ts";
import { releaseBlobs } from "../files/blobs.ts";
import { readPath } from "../files/find.ts";
import { ensureFolder } from "../files/insert.ts";
import { openLists, ownerOnly } from "../files/lists.ts";
import { lockFiles } from "../files/lock.ts";
import type { File } from "../files/types.ts";
import { ensureUploadFolder } from "../files/upload-folder.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { storeUpload } from "../items/media/photo-parts.ts";
import { prepareUpload } from "../photos/prepare-upload.ts";
import type { Claims, PreparedUpload } from "../photos/prepare-upload.ts";
import { describePhoto } from "./describe.ts";
import { checkWriting } from "./rights.ts";

/** Where media goes and what it shows. */
export type MediaPlace = {
  /** The album, made if need be; empty is the directory for uploads of its kind. */
  album: string;
  /** For those who do not see the picture; empty says nothing. */
  description: string;
};

/**
 * Stores a file that only its owner sees until a post uses it. What calls itself an image and is none is refused.
 * Throws denied, invalid, too-large.
 */
export async function uploadMedia(
  hub: Hub,
  channel: Channel,
  staged: Staged,
  claims: Claims,
  place: MediaPlace,
): Promise<File> {
  await checkWriting(hub, channel, channel);
  readPath(place.album);
  const prepared = await prepareUpload(hub, staged, { ...claims, refuses: "false images" });
  return orDropBytes(hub, prepared, () => inTransaction(hub, (hub) => storeMediaFile(hub, channel, prepared, place)));
}

/** Writes the rows of prepared media. Inside a transaction. */
export async function storeMediaFile(
  hub: Hub,
  channel: Channel,
  prepared: PreparedUpload,
  { album, description }: MediaPlace,
): Promise<File> {
  await lockFiles(hub, channel.channel_account_id);
  const creator = channel.channel_hash;
  const folder =
    album === ""
      ? await ensureUploadFolder(hub, channel, prepared.photo ? "photo" : "file", creator)
      : await ensureFolder(hub, channel, album, creator, openLists);
  const file = await storeUpload(hub, channel, prepared, { creator, folder, lists: ownerOnly(channel) });
  if (description.trim() !== "" && prepared.photo)
    await describePhoto(hub, channel, channel, file.hash, { title: "", description });
  return file;
}

/** Bytes for which no rows came need not wait for the job that looks for such. */
export async function orDropBytes<T>(hub: Hub, prepared: PreparedUpload, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await dropBytes(hub, prepared);
    throw error;
  }
}

/** Lets the bytes of an upload go for which there will be no rows. */
export async function dropBytes(hub: Hub, { blob, photo }: PreparedUpload): Promise<void> {
  await releaseBlobs(hub, [...new Set([blob, ...(photo?.renditions ?? []).map((one) => one.blob)])]);
}

/** What a client said of an album or a description, fit to be stored. */
export function readPlace(album: string | undefined, description: string | undefined): MediaPlace {
  return { album: (album ?? "").trim(), description: description ?? "" };
}
