import type { Hub } from "../../../hub.ts";
import { avatarUrls } from "../xchans/avatar-urls.ts";
import { listProfiles } from "./profiles.ts";

/** Gives a profile other than the default one a picture of its own. Part of a transaction. */
export async function setProfilePhoto(
  hub: Hub,
  profileId: number,
  { photo, thumb }: { photo: string; thumb: string },
): Promise<void> {
  await hub.db.updateTable("profile").set({ photo, thumb }).where("id", "=", profileId).execute();
}

/** Profiles whose picture is among these images show that of the channel again. Part of a transaction. */
export async function resetProfilePhotos(hub: Hub, uid: number, hashes: readonly string[]): Promise<void> {
  const { l, m } = avatarUrls(hub, uid);
  for (const { id, photo } of await listProfiles(hub, uid)) {
    if (hashes.some((hash) => photo.includes(`/photo/${hash}-`)))
      await setProfilePhoto(hub, id, { photo: l, thumb: m });
  }
}
