import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { identityOf } from "../identity/channels/observer.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { defaultProfile, profileByGuid } from "../identity/channels/profiles.ts";
import type { Profile } from "../identity/channels/profiles.ts";
import { may } from "../permissions/may.ts";

/**
 * The profile that the observer sees of a channel: the one that the owner assigned to it, else the default one. Whether
 * it may see any (`view_profile`) is for the caller to ask.
 */
export async function profileFor(hub: Hub, observer: Observer, uid: number): Promise<Profile> {
  return (await assignedProfile(hub, observer, uid)) ?? defaultProfile(hub, uid);
}

/**
 * The profile with this guid: any of one's own, of others the default one and the assigned one. Undefined for all that
 * the observer may not see, whether it exists or not.
 */
export async function findVisibleProfile(
  hub: Hub,
  observer: Observer,
  channel: Channel,
  guid: string,
): Promise<Profile | undefined> {
  const uid = channel.channel_id;
  if (observer.channelId === uid) return profileByGuid(hub, uid, guid);
  if (!(await may(hub, observer, "view_profile", uid))) return undefined;
  const open = [await defaultProfile(hub, uid), await assignedProfile(hub, observer, uid)];
  return open.find((profile) => profile?.profile_guid === guid);
}

/** Requests are no connections yet, and guests never are. */
async function assignedProfile(hub: Hub, observer: Observer, uid: number): Promise<Profile | undefined> {
  const who = identityOf(observer);
  if (who === undefined || observer.channelId === uid) return undefined;
  return hub.db
    .selectFrom("abook")
    .innerJoin("profile", (join) =>
      join.onRef("profile.uid", "=", "abook_channel").onRef("profile_guid", "=", "abook_profile"),
    )
    .selectAll("profile")
    .where("abook_channel", "=", uid)
    .where("abook_xchan", "=", who)
    .where("abook_pending", "=", 0)
    .where("abook_unconnected", "=", 0)
    .where("abook_self", "=", 0)
    .executeTakeFirst();
}
