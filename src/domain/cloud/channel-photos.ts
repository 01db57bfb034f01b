import { missing, refusal } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub, Staged } from "../../hub.ts";
import { ownFile } from "../files/find.ts";
import { openLists } from "../files/lists.ts";
import { lockFiles } from "../files/lock.ts";
import { keepAudience } from "../files/message-files.ts";
import type { File } from "../files/types.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { setProfilePhoto } from "../identity/channels/profile-photos.ts";
import { findProfile } from "../identity/channels/profiles.ts";
import { isImage, prepareUse } from "../photos/prepare.ts";
import { atScale } from "../photos/scales.ts";
import type { Scale, Use } from "../photos/scales.ts";
import { photoOf, withUploads } from "../photos/uploads.ts";
import type { Claims, Sent } from "../photos/uploads.ts";
import { insertRenditions } from "../photos/rows.ts";
import type { Rendition } from "../photos/types.ts";
import { photoFileUrl } from "../photos/urls.ts";
import { usePhoto } from "../photos/use.ts";
import { storeFile, upload } from "./upload.ts";

/** The albums of these photos. */
const albumOf: Record<Use, string> = { profile: "Profile Photos", cover: "Cover Photos" };

/**
 * Makes an uploaded picture the profile or cover photo of the channel; it becomes a file of the album for these, which is as
 * public as the channel's storage is. Throws denied, invalid, too-large.
 */
export async function uploadPhotoFor(
  hub: Hub,
  use: Use,
  channel: Channel,
  staged: Staged,
  sent: Claims,
): Promise<File> {
  return uploadFor(hub, use, channel, { ...sent, staged }, (hub, file, renditions) =>
    usePhoto(hub, file, use, renditions),
  );
}

/**
 * The same for several pictures at once, with what else is changed in the same transaction: all of it or nothing. Throws as
 * `uploadPhotoFor` does, and what the rest throws.
 */
export async function uploadPhotosFor(
  hub: Hub,
  channel: Channel,
  pictures: readonly (Sent & { use: Use })[],
  besides: (hub: Hub) => Promise<void>,
): Promise<void> {
  for (const { staged } of pictures) if (!(await isImage(hub, staged))) throw refusal("not_an_image");
  const sent = pictures.map(({ use, ...one }) => ({ ...one, uses: [use] }));
  await withUploads(hub, channel, sent, (uploads) =>
    inTransaction(hub, async (hub) => {
      await besides(hub);
      for (const [at, prepared] of uploads.entries()) {
        const { use } = pictures[at]!;
        const folder = { path: albumOf[use], lists: openLists };
        const file = await storeFile(hub, channel, channel, prepared, { folder, lists: openLists });
        await usePhoto(hub, file, use, photoOf(prepared).used);
      }
    }),
  );
}

/**
 * The same for one of the channel's profiles: the default one's picture is the channel's, another profile shows it
 * alone. Throws missing for a profile that is not the channel's, denied, invalid, too-large.
 */
export async function uploadProfilePhoto(
  hub: Hub,
  channel: Channel,
  profileId: number,
  staged: Staged,
  sent: Claims,
): Promise<File> {
  const profile = await findProfile(hub, channel.channel_id, profileId);
  if (profile.is_default === 1) return uploadPhotoFor(hub, "profile", channel, staged, sent);
  return uploadFor(hub, "profile", channel, { ...sent, staged }, async (hub, file, renditions) => {
    await insertRenditions(hub, file, renditions);
    const url = (scale: Scale): string =>
      photoFileUrl(hub.config.baseUrl, { resource_id: file.hash, ...atScale(renditions, scale)! });
    await setProfilePhoto(hub, profile.id, { photo: url("profileLarge"), thumb: url("profileMedium") });
  });
}

async function uploadFor(
  hub: Hub,
  use: Use,
  channel: Channel,
  { staged, filename, type }: Sent,
  show: (hub: Hub, file: File, renditions: readonly Rendition[]) => Promise<void>,
): Promise<File> {
  if (!(await isImage(hub, staged))) throw refusal("not_an_image");
  const folder = { path: albumOf[use], lists: openLists };
  const sent = { filename, type, uses: [use], folder, lists: openLists };
  return upload(hub, channel, channel, staged, sent, (hub, file, prepared) => show(hub, file, photoOf(prepared).used));
}

/** Makes an image that the channel has its profile or cover photo. Throws missing, invalid. */
export async function choosePhotoFor(hub: Hub, use: Use, channel: Channel, hash: string): Promise<File> {
  const { blob } = await ownImage(hub, channel, hash);
  const renditions = await prepareUse(hub, blob, use);
  return inTransaction(hub, async (hub) => {
    await lockFiles(hub, channel.channel_account_id);
    const file = await ownImage(hub, channel, hash);
    if (file.blob !== blob) throw refusal("image_replaced");
    // It stays when the post goes that showed it first.
    await keepAudience(hub, channel.channel_id, [hash]);
    await usePhoto(hub, file, use, renditions);
    return file;
  });
}

async function ownImage(hub: Hub, channel: Channel, hash: string): Promise<File> {
  const file = await ownFile(hub, channel.channel_id, hash);
  if (file.is_photo === 0) throw missing("Photo");
  return file;
}
