import { inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import { planEndOfKeeping } from "./plan-end-of-keeping.ts";
import { defaultProfile, findProfile, removeProfile } from "../identity/channels/profiles.ts";

/** Shows a profile to these connections of the channel, too. Ids that are no connections of the channel are left out. */
export async function assignProfile(
  hub: Hub,
  uid: number,
  profileId: number,
  abookIds: readonly number[],
): Promise<void> {
  if (abookIds.length === 0) return;
  await inTransaction(hub, async (hub) => {
    const { profile_guid: guid } = await findProfile(hub, uid, profileId);
    await show(hub, uid, abookIds, guid).where("abook_profile", "!=", guid).execute();
    await planEndOfKeeping(hub, uid);
  });
}

/** Shows the default profile again to those of these connections of the channel who see this one. */
export async function withdrawProfile(
  hub: Hub,
  uid: number,
  profileId: number,
  abookIds: readonly number[],
): Promise<void> {
  if (abookIds.length === 0) return;
  await inTransaction(hub, async (hub) => {
    const { profile_guid: guid } = await findProfile(hub, uid, profileId);
    const { profile_guid: fallback } = await defaultProfile(hub, uid);
    await show(hub, uid, abookIds, fallback).where("abook_profile", "=", guid).execute();
  });
}

/** Lets these connections of the channel see the profile with this guid. */
function show(hub: Hub, uid: number, abookIds: readonly number[], guid: string) {
  return hub.db
    .updateTable("abook")
    .set({ abook_profile: guid, abook_updated: now(hub) })
    .where("abook_channel", "=", uid)
    .where("abook_self", "=", 0)
    .where((x) => isOneOf(hub.engine, x.ref("abook_id"), abookIds));
}

/**
 * Deletes a profile other than the default one. Connections that it was assigned to see the default profile again;
 * audiences that name its people are left with nobody, as with a deleted group.
 */
export async function deleteProfile(hub: Hub, uid: number, profileId: number): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const profile = await findProfile(hub, uid, profileId);
    await removeProfile(hub, profile);
    const { profile_guid: fallback } = await defaultProfile(hub, uid);
    await hub.db
      .updateTable("abook")
      .set({ abook_profile: fallback })
      .where("abook_channel", "=", uid)
      .where("abook_profile", "=", profile.profile_guid)
      .execute();
  });
}
