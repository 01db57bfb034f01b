import type { Hub } from "../../hub.ts";
import type { File } from "../files/types.ts";
import type { Channel } from "../identity/channel.ts";
import { buryPhotoItems, changePhotoItems, savePhotoItem } from "../items/photo-item.ts";
import { deletePhotos, insertPhoto } from "../photos/rows.ts";
import type { PreparedPhoto } from "../photos/types.ts";

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
  if (wasPhoto) await changePhotoItems(hub, owner, [file.hash]);
  else await savePhotoItem(hub, owner, file, photo.coord);
}

/** Removes photo rows of files that go, and makes their linked items tombstones. */
export async function dropPhotos(hub: Hub, files: readonly File[]): Promise<void> {
  for (const [uid, some] of Map.groupBy(files, (file) => file.uid)) {
    const hashes = some.map((file) => file.hash);
    await deletePhotos(hub, uid, hashes);
    await buryPhotoItems(hub, uid, hashes);
  }
}

/** Tells the linked items of the images among these files that name, place or audience have changed. */
export async function refreshPhotos(hub: Hub, owner: Channel, files: readonly File[]): Promise<void> {
  const hashes = files.filter((file) => file.is_photo === 1).map((file) => file.hash);
  if (hashes.length > 0) await changePhotoItems(hub, owner, hashes);
}
