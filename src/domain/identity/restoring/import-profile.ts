import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { recordOf } from "../../../record-of.ts";
import type { Channel } from "../channels/channel.ts";
import { profileByGuid } from "../channels/profiles.ts";
import type { LaidOutTexts } from "../channels/profiles.ts";
import { dateIn, flagIn, hasValues, textIn, urlIn } from "../records/portable-fields.ts";
import type { PortableRecord, Taken } from "../records/portable-fields.ts";
import { avatarUrls } from "../xchans/avatar-urls.ts";

const texts = [
  "profile_name",
  "fullname",
  "pdesc",
  "chandesc",
  "dob",
  "dob_tz",
  "address",
  "locality",
  "region",
  "postal_code",
  "country_name",
  "hometown",
  "gender",
  "marital",
  "partner",
  "sexual",
  "politic",
  "religion",
  "keywords",
  "likes",
  "dislikes",
  "about",
  "summary",
  "music",
  "book",
  "tv",
  "film",
  "interest",
  "romance",
  "employment",
  "education",
  "contact",
  "channels",
  "homepage",
  "profile_vcard",
] as const;

/** Names that older exports use. */
const older: Partial<Record<(typeof texts)[number], string>> = {
  fullname: "name",
  partner: "with",
  employment: "work",
};

/** A profile of an export. */
export type ReadProfile = {
  guid: string;
  record: PortableRecord;
  texts: Record<(typeof texts)[number], string>;
};

/** Reads a profile of an export. */
export function readProfile(record: PortableRecord): ReadProfile {
  return { guid: textIn(record, "profile_guid"), record, texts: recordOf(texts, (name) => textOf(record, name)) };
}

function textOf(record: PortableRecord, name: (typeof texts)[number]): string {
  return (name === "homepage" ? urlIn : textIn)(record, name) || textIn(record, older[name] ?? name);
}

/**
 * Takes a profile over from an export; its guid stays, its pictures are those of the channel here (native contract 7.5,
 * step 3). A default profile takes the place of the one that the channel was made with. `there`: it was here just so;
 * `unreadable`: it has no guid.
 */
export async function importProfile(
  hub: Hub,
  channel: Channel,
  profile: ReadProfile,
  laidOut: LaidOutTexts,
): Promise<Taken> {
  const { guid, record } = profile;
  if (guid === "") return "unreadable";
  return inTransaction(hub, async (hub) => {
    if (flagIn(record, "is_default")) await makeRoom(hub, channel.channel_id, guid);
    const values = { ...valuesOf(hub, channel, profile), html: JSON.stringify(laidOut.html) };
    const known = await profileByGuid(hub, channel.channel_id, guid);
    if (known && hasValues(known, values)) return "there";
    if (known) await hub.db.updateTable("profile").set(values).where("id", "=", known.id).execute();
    else {
      await hub.db
        .insertInto("profile")
        .values({ profile_guid: guid, is_default: flagIn(record, "is_default"), ...values })
        .execute();
    }
    return "imported";
  });
}

/** The row that is the default one now becomes the imported one, with everything that points to it. */
async function makeRoom(hub: Hub, uid: number, guid: string): Promise<void> {
  const current = await hub.db
    .selectFrom("profile")
    .select(["id", "profile_guid"])
    .where("uid", "=", uid)
    .where("is_default", "=", 1)
    .executeTakeFirst();
  if (current?.profile_guid === guid) return;
  const known = await profileByGuid(hub, uid, guid);
  if (known) {
    await hub.db.updateTable("profile").set({ is_default: 0 }).where("uid", "=", uid).execute();
    await hub.db.updateTable("profile").set({ is_default: 1 }).where("id", "=", known.id).execute();
  } else if (current) {
    await hub.db.updateTable("profile").set({ profile_guid: guid }).where("id", "=", current.id).execute();
    await hub.db
      .updateTable("abook")
      .set({ abook_profile: guid })
      .where("abook_channel", "=", uid)
      .where("abook_profile", "=", current.profile_guid)
      .execute();
  }
}

function valuesOf(hub: Hub, channel: Channel, { record, texts }: ReadProfile) {
  const { l, m } = avatarUrls(hub, channel.channel_id);
  return {
    aid: channel.channel_account_id,
    uid: channel.channel_id,
    ...texts,
    hide_friends: flagIn(record, "hide_friends"),
    publish: flagIn(record, "publish"),
    howlong: dateIn(record, "howlong"),
    photo: l,
    thumb: m,
  };
}
