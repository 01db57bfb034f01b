import type { Hub } from "../../hub.ts";
import { inTransaction } from "../../hub.ts";
import { defaultProfile, readChanges, storeProfile } from "../identity/channels/profiles.ts";
import type { Profile, ProfileChanges } from "../identity/channels/profiles.ts";
import { layOutTexts } from "./profile-texts.ts";

/**
 * Changes a profile and lays out what it says. Of the default profile name, about text, place and directory entry also reach
 * channel and xchan. Throws invalid, missing, conflict.
 */
export async function updateProfile(
  hub: Hub,
  uid: number,
  profileId: number,
  changes: ProfileChanges,
): Promise<Profile> {
  const fields = readChanges(changes);
  return storeProfile(hub, uid, profileId, fields, await layOutTexts(hub, fields));
}

/** Changes the profile that everybody sees. Throws invalid. */
export async function updateDefaultProfile(hub: Hub, uid: number, changes: ProfileChanges): Promise<Profile> {
  return inTransaction(hub, async (hub) => updateProfile(hub, uid, (await defaultProfile(hub, uid)).id, changes));
}
