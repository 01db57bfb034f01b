import type { Profile } from "../../../../domain/identity/channels/profiles.ts";

/** Lines of a profile that everybody has use for. */
export const lineFields = [
  ["pdesc", "In one line"],
  ["locality", "Town"],
  ["region", "Region"],
  ["country_name", "Country"],
  ["homepage", "Web site"],
  ["keywords", "Interests"],
] as const satisfies readonly (readonly [keyof Profile, string])[];

/** Further lines about the address and the person. */
export const moreLineFields = [
  ["address", "Street"],
  ["postal_code", "Postal code"],
  ["hometown", "Comes from"],
  ["dob_tz", "Time zone of the birthday"],
] as const satisfies readonly (readonly [keyof Profile, string])[];

/** What people tell about themselves, as it is listed on the profile. */
export const personalFields = [
  ["keywords", "Interests"],
  ["gender", "Gender"],
  ["marital", "Relationship"],
  ["partner", "With"],
  ["sexual", "Orientation"],
  ["politic", "Politics"],
  ["religion", "Religion"],
  ["likes", "Likes"],
  ["dislikes", "Dislikes"],
  ["interest", "Hobbies"],
  ["music", "Music"],
  ["book", "Books"],
  ["tv", "Television"],
  ["film", "Films"],
  ["romance", "Love"],
  ["employment", "Work"],
  ["education", "Education"],
  ["contact", "Contact"],
  ["channels", "Other channels"],
] as const satisfies readonly (readonly [keyof Profile, string])[];
