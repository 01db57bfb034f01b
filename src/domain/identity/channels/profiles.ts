import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Selectable } from "kysely";
import { missing, refusal } from "../../../errors.ts";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { compiled } from "../../../storage/compiled-query.ts";
import type { ProfileTable } from "../../../storage/tables/identity.ts";
import { recordAppearance } from "../xchans/appearance.ts";
import { avatarUrls } from "../xchans/avatar-urls.ts";
import { readName } from "./channel-fields.ts";
import type { Channel } from "./channel.ts";
import { findChannelById } from "./find-channel.ts";
import { lockChannels } from "./lock-channels.ts";
import { mirrorName } from "./mirror.ts";
import { storedJson } from "../../../stored-json.ts";
import { isSqlDate } from "../../../storage/sql.ts";

export type Profile = Selectable<ProfileTable>;

type Fixed = "id" | "aid" | "uid" | "profile_guid" | "is_default" | "photo" | "thumb" | "html";

/** What the owner may change about a profile; absent fields stay. */
export type ProfileChanges = Partial<Omit<Profile, Fixed>>;

/** What people write about themselves in bbcode; it is laid out when it is stored. */
export const profileTexts = [
  "about",
  "likes",
  "dislikes",
  "interest",
  "music",
  "book",
  "tv",
  "film",
  "romance",
  "employment",
  "education",
  "contact",
] as const;

/** The HTML of these texts. */
export type ProfileHtml = Record<(typeof profileTexts)[number], string>;

/** Some texts of a profile as they are stored beside their source. */
export type LaidOutTexts = {
  html: Partial<ProfileHtml>;
  /** The about text without its markup, for the channel's identity; undefined where it is not among them. */
  description: string | undefined;
};

/** The stored HTML; undefined for a profile from before it was stored. */
export function storedHtml({ html }: Pick<Profile, "html">): Partial<ProfileHtml> | undefined {
  return html === null ? undefined : storedJson<Partial<ProfileHtml>>(html);
}

/** The profile that everybody sees; every channel has exactly one. Throws missing for a channel that has been removed. */
export async function defaultProfile(hub: Hub, uid: number): Promise<Profile> {
  const [profile] = await compiled(hub, "default profile", { uid }, (slots) =>
    hub.db.selectFrom("profile").selectAll().where("uid", "=", slots.uid).where("is_default", "=", sql.lit(1)),
  );
  if (!profile) throw missing("Profile");
  return profile;
}

/** The channel's profile with this guid. */
export async function profileByGuid(hub: Hub, uid: number, guid: string): Promise<Profile | undefined> {
  return hub.db
    .selectFrom("profile")
    .selectAll()
    .where("uid", "=", uid)
    .where("profile_guid", "=", guid)
    .executeTakeFirst();
}

/** How many profiles somebody may make for a channel; an import may bring more. */
const mostProfiles = 100;

/** All profiles of a channel, by id. */
export async function listProfiles(hub: Hub, uid: number): Promise<Profile[]> {
  return compiled(hub, "profiles", { uid }, (slots) =>
    hub.db.selectFrom("profile").selectAll().where("uid", "=", slots.uid).orderBy("id"),
  );
}

/**
 * Changes a profile, with the texts among the changes laid out (people/change-profile.ts). Of the default profile name, about
 * text, place and directory entry also reach channel and xchan.
 */
export async function storeProfile(
  hub: Hub,
  uid: number,
  profileId: number,
  changes: ProfileChanges,
  laidOut: LaidOutTexts,
): Promise<Profile> {
  return inTransaction(hub, async (hub) => {
    await lockChannels(hub, [uid]);
    const before = await findProfile(hub, uid, profileId);
    const fields = { ...changes, ...(before.is_default === 1 && readFullname(changes)) };
    const { profile_name: name = before.profile_name } = fields;
    if (name !== before.profile_name) refuseTakenName(await listProfiles(hub, uid), name);
    if (Object.keys(fields).length > 0) {
      const stored = storedHtml(before);
      const html = stored && JSON.stringify({ ...stored, ...laidOut.html });
      await hub.db
        .updateTable("profile")
        .set({ ...fields, ...(html !== undefined && { html }) })
        .where("id", "=", profileId)
        .execute();
    }
    const after = await findProfile(hub, uid, profileId);
    if (after.is_default === 1) await mirrorProfile(hub, after, laidOut.description);
    return after;
  });
}

/** Stores what has been laid out of a profile from before that was done, unless its owner has written something else since. */
export async function storeLaidOut(hub: Hub, profile: Profile, { html, description }: LaidOutTexts): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const { numUpdatedRows } = await hub.db
      .updateTable("profile")
      .set({ html: JSON.stringify(html) })
      .where("id", "=", profile.id)
      .where((eb) => eb.and(Object.fromEntries(profileTexts.map((name) => [name, profile[name]]))))
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n && profile.is_default === 1) await mirrorProfile(hub, profile, description);
  });
}

/**
 * Makes a further profile, which starts with what the default one says. Nobody but the owner sees it until it is
 * assigned to a connection.
 */
export async function createProfile(hub: Hub, channel: Channel, name: string): Promise<Profile> {
  const profile_name = readProfileName(name);
  return inTransaction(hub, async (hub) => {
    await lockChannels(hub, [channel.channel_id]);
    const profiles = await listProfiles(hub, channel.channel_id);
    if (profiles.length >= mostProfiles) throw refusal("profiles_too_many", { most: mostProfiles });
    refuseTakenName(profiles, profile_name);
    const { id: _, ...fields } = await defaultProfile(hub, channel.channel_id);
    const { l, m } = avatarUrls(hub, channel.channel_id);
    return hub.db
      .insertInto("profile")
      .values({
        ...fields,
        profile_guid: randomBytes(32).toString("hex"),
        profile_name,
        is_default: 0,
        publish: 0,
        photo: l,
        thumb: m,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** Removes a profile, as part of the transaction that shows its readers another one. Throws invalid for the default profile. */
export async function removeProfile(hub: Hub, profile: Profile): Promise<void> {
  if (profile.is_default === 1) throw refusal("default_profile_stays");
  await hub.db.deleteFrom("profile").where("id", "=", profile.id).execute();
}

/** One profile of the channel. Throws missing. */
export async function findProfile(hub: Hub, uid: number, id: number): Promise<Profile> {
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

/** What the columns hold, checked: a date of birth without a year has the year 0000. */
export function readChanges(changes: ProfileChanges): ProfileChanges {
  const { profile_name: name, dob, howlong } = changes;
  if (dob && !/^\d{4}-(0\d|1[0-2])-([0-2]\d|3[01])$/.test(dob)) {
    throw refusal("birthday_wrong");
  }
  if (howlong !== undefined && !isSqlDate(howlong)) {
    throw refusal("date_wrong", { field: "howlong" });
  }
  checkLengths(changes);
  return { ...changes, ...(name !== undefined && { profile_name: readProfileName(name) }) };
}

function readProfileName(text: string): string {
  const name = text.trim();
  if (name === "" || [...name].length > 191) {
    throw refusal("profile_name_wrong");
  }
  return name;
}

function refuseTakenName(profiles: readonly Profile[], name: string): void {
  if (profiles.some((profile) => profile.profile_name === name)) throw refusal("profile_name_taken");
}

const longestText = 65_535;
const longestLine = 255;
const lines: readonly string[] =
  "pdesc address locality region postal_code country_name hometown dob_tz homepage keywords".split(" ");

function checkLengths(fields: ProfileChanges): void {
  for (const [field, value] of Object.entries(fields)) {
    const most = lines.includes(field) ? longestLine : longestText;
    if (typeof value === "string" && value.length > most) throw refusal("longer_than", { most, field });
  }
}

async function mirrorProfile(hub: Hub, profile: Profile, description: string | undefined): Promise<void> {
  const channel = await findChannelById(hub, profile.uid);
  if (!channel) throw missing("Channel");
  if (profile.fullname !== channel.channel_name) await mirrorName(hub, channel, readName(profile.fullname));
  await hub.db
    .updateTable("xchan")
    .set({
      ...(description !== undefined && { xchan_about: description }),
      xchan_location: [profile.locality, profile.region, profile.country_name].filter((part) => part !== "").join(", "),
      xchan_hidden: profile.publish === 1 ? 0 : 1,
    })
    .where("xchan_hash", "=", channel.channel_hash)
    .execute();
  await recordAppearance(hub, profile.uid);
}
