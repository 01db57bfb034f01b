import type { Profile } from "../../../../domain/identity/channels/profiles.ts";
import type { Say } from "../../languages/say.ts";
import { hyphened } from "../connections/permission-labels.ts";

/** Lines of a profile that everybody has use for. */
export const lineFields = [
  "pdesc",
  "locality",
  "region",
  "country_name",
  "homepage",
  "keywords",
] as const satisfies readonly (keyof Profile)[];

/** Further lines about the address and the person. */
export const moreLineFields = [
  "address",
  "postal_code",
  "hometown",
  "dob_tz",
] as const satisfies readonly (keyof Profile)[];

/** What people tell about themselves, as it is listed on the profile. */
export const personalFields = [
  "keywords",
  "gender",
  "marital",
  "partner",
  "sexual",
  "politic",
  "religion",
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
  "channels",
] as const satisfies readonly (keyof Profile)[];

type Field = (typeof lineFields | typeof moreLineFields | typeof personalFields)[number];

/** What a field is called. */
export function fieldLabel(say: Say, name: Field): string {
  return say(`channels.field-${hyphened(name)}`);
}
