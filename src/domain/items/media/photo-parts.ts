import type { Hub } from "../../../hub.ts";
import { findEntry } from "../../files/find.ts";
import { insertFile } from "../../files/insert.ts";
import { lockFiles } from "../../files/lock.ts";
import { tidyName } from "../../files/names.ts";
import type { File, Lists } from "../../files/types.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { resetProfilePhotos } from "../../identity/channels/profile-photos.ts";
import { deletePhotos, insertPhoto } from "../../photos/rows.ts";
import type { PreparedUpload } from "../../photos/uploads.ts";
import type { PreparedPhoto } from "../../photos/types.ts";
import { tombstonePhotoItems } from "./end-photo-items.ts";
import { changePhotoItems, savePhotoItem } from "../photo-item.ts";

/**
 * Writes the rows of an upload: the file, and what belongs to an image. Where the channel wants new bytes in the place of old
 * ones of that name, what belonged to those is put right. Inside a transaction. Throws denied (`limit_reached`).
 */
export async function storeUpload(
  hub: Hub,
  owner: Channel,
  { photo, ...upload }: PreparedUpload,
  place: { creator: string; folder: File | undefined; lists: Lists | undefined },
): Promise<File> {
  await lockFiles(hub, owner.channel_account_id);
  const before = await findEntry(hub, owner.channel_id, place.folder?.hash ?? "", tidyName(upload.filename));
  const file = await insertFile(hub, { ...upload, ...place, owner, isPhoto: photo !== undefined });
  await showAsPhoto(hub, owner, file, photo, before?.hash === file.hash && before.is_photo === 1);
  return file;
}

/** Gives a file with new bytes the photo rows and the linked item that belong to them, or takes those of its old bytes away. */
export async function showAsPhoto(
  hub: Hub,
  owner: Channel,
  file: File,
  photo: PreparedPhoto | undefined,
  wasPhoto: boolean,
): Promise<void> {
  if (!photo) return wasPhoto ? dropPhotos(hub, [file]) : undefined;
  await insertPhoto(hub, file, photo);
  if (wasPhoto) await changePhotoItems(hub, owner, [file.hash], { newBytes: true });
  else await savePhotoItem(hub, owner, file, photo.coord);
}

/** Removes photo rows of files that go, and makes their linked items tombstones. */
export async function dropPhotos(hub: Hub, files: readonly File[]): Promise<void> {
  for (const [uid, some] of Map.groupBy(files, (file) => file.uid)) {
    const hashes = some.map((file) => file.hash);
    await deletePhotos(hub, uid, hashes);
    await resetProfilePhotos(hub, uid, hashes);
    await tombstonePhotoItems(hub, uid, hashes);
  }
}

/** Tells the linked items of the images among these files that name, place or audience have changed. */
export async function refreshPhotos(hub: Hub, owner: Channel, files: readonly File[]): Promise<void> {
  const hashes = files.filter((file) => file.is_photo === 1).map((file) => file.hash);
  if (hashes.length > 0) await changePhotoItems(hub, owner, hashes);
}
