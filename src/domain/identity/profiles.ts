import type { Selectable } from "kysely";
import { HubError, missing } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import type { ProfileTable } from "../../storage/tables/identity.ts";
import { readName } from "./channel-fields.ts";
import { findChannelById } from "./find-channel.ts";
import { mirrorName } from "./mirror.ts";

export type Profile = Selectable<ProfileTable>;

type Fixed = "id" | "aid" | "uid" | "profile_guid" | "is_default" | "photo" | "thumb";

/** What the owner may change about a profile; absent fields stay. */
export type ProfileChanges = Partial<Omit<Profile, Fixed>>;

/** The profile that everybody sees; every channel has exactly one. */
export async function defaultProfile(hub: Hub, uid: number): Promise<Profile> {
  const profile = await hub.db
    .selectFrom("profile")
    .selectAll()
    .where("uid", "=", uid)
    .where("is_default", "=", 1)
    .executeTakeFirst();
  if (!profile) throw missing("Profile");
  return profile;
}

/** All profiles of a channel, by id. */
export async function listProfiles(hub: Hub, uid: number): Promise<Profile[]> {
  return hub.db.selectFrom("profile").selectAll().where("uid", "=", uid).orderBy("id").execute();
}

/**
 * Changes a profile. Of the default profile name, about text, place and directory entry also reach channel and xchan
 * (microblog contract 8.1, account/update_profile).
 */
export async function updateProfile(
  hub: Hub,
  uid: number,
  profileId: number,
  changes: ProfileChanges,
): Promise<Profile> {
  return inTransaction(hub, async (hub) => {
    const before = await findProfile(hub, uid, profileId);
    const fields = { ...changes, ...(before.is_default === 1 && readFullname(changes)) };
    checkLengths(fields);
    if (Object.keys(fields).length > 0) {
      await hub.db.updateTable("profile").set(fields).where("id", "=", profileId).execute();
    }
    const after = await findProfile(hub, uid, profileId);
    if (after.is_default === 1) await mirrorProfile(hub, after);
    return after;
  });
}

async function findProfile(hub: Hub, uid: number, id: number): Promise<Profile> {
  const profile = await hub.db
    .selectFrom("profile")
    .selectAll()
    .where("id", "=", id)
    .where("uid", "=", uid)
    .executeTakeFirst();
  if (!profile) throw missing("Profile");
  return profile;
}

function readFullname({ fullname }: ProfileChanges): ProfileChanges {
  return fullname === undefined ? {} : { fullname: readName(fullname) };
}

const longest = 65_535;

function checkLengths(fields: ProfileChanges): void {
  for (const [field, value] of Object.entries(fields)) {
    if (typeof value === "string" && value.length > longest) {
      throw new HubError("invalid", `The profile field is longer than ${longest} characters.`, { field });
    }
  }
}

async function mirrorProfile(hub: Hub, profile: Profile): Promise<void> {
  const channel = await findChannelById(hub, profile.uid);
  if (!channel) throw missing("Channel");
  if (profile.fullname !== channel.channel_name) await mirrorName(hub, channel, readName(profile.fullname));
  await hub.db
    .updateTable("xchan")
    .set({
      xchan_about: profile.about,
      xchan_location: [profile.locality, profile.region, profile.country_name].filter((part) => part !== "").join(", "),
      xchan_hidden: profile.publish === 1 ? 0 : 1,
    })
    .where("xchan_hash", "=", channel.channel_hash)
    .execute();
}
