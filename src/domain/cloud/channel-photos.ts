import { HubError } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub, Staged } from "../../hub.ts";
import { releaseBlobs } from "../files/blobs.ts";
import { ownFile } from "../files/find.ts";
import { ensureFolder } from "../files/insert.ts";
import { openLists } from "../files/lists.ts";
import type { File } from "../files/types.ts";
import type { Channel } from "../identity/channel.ts";
import { storeUpload } from "../items/photo-parts.ts";
import { prepareUse } from "../photos/prepare.ts";
import { prepareUpload } from "../photos/prepare-upload.ts";
import type { Use } from "../photos/renditions.ts";
import { usePhoto } from "../photos/use.ts";

/** The albums of these photos (native contract 2.14). */
const albumOf: Record<Use, string> = { profile: "Profile Photos", cover: "Cover Photos" };

/**
 * Makes an uploaded picture the profile or cover photo of the channel; it becomes a file of the album for these, which is as
 * public as the channel's storage is. Throws invalid, too-large.
 */
export async function uploadPhotoFor(
  hub: Hub,
  use: Use,
  channel: Channel,
  staged: Staged,
  sent: { filename: string; type: string },
): Promise<File> {
  const { photo, ...upload } = await prepareUpload(hub, staged, sent);
  if (!photo) {
    await releaseBlobs(hub, [upload.blob]);
    throw new HubError("invalid", "Unsupported filetype", { field: "image" });
  }
  const renditions = await prepareUse(hub, upload.blob, use);
  return inTransaction(hub, async (hub) => {
    const creator = channel.channel_hash;
    const folder = await ensureFolder(hub, channel, albumOf[use], creator, openLists);
    const file = await storeUpload(hub, channel, { ...upload, photo }, { creator, folder, lists: openLists });
    await usePhoto(hub, file, use, renditions);
    return file;
  });
}

/** Makes an image that the channel has its profile or cover photo. Throws missing, invalid. */
export async function choosePhotoFor(hub: Hub, use: Use, channel: Channel, hash: string): Promise<File> {
  const { blob } = await ownImage(hub, channel, hash);
  const renditions = await prepareUse(hub, blob, use);
  return inTransaction(hub, async (hub) => {
    const file = await ownImage(hub, channel, hash);
    if (file.blob !== blob) throw new HubError("conflict", "The image has just been replaced.");
    await usePhoto(hub, file, use, renditions);
    return file;
  });
}

async function ownImage(hub: Hub, channel: Channel, hash: string): Promise<File> {
  const file = await ownFile(hub, channel.channel_id, hash);
  if (file.is_photo === 0) throw new HubError("missing", "Photo not found.");
  return file;
}
