import { refusal } from "../../errors.ts";
import { escapeHtml } from "../bodies/escape.ts";
import type { ShortField } from "../identity/channels/channel-settings.ts";
import type { Profile } from "../identity/channels/profiles.ts";

/** What a profile says in short, as HTML: names with what they say; `verified` is since when a page of theirs is known to say so, too. */
export type FieldHtml = { name: string; html: string; verified?: string | undefined };

/** So many, and so long, as other hubs and programs read them. */
export const mostFields = 16;
const longestFieldName = 255;
const longestFieldValue = 2047;

type Usual = Pick<Profile, "homepage" | "locality" | "region" | "country_name">;

/** The web site, the place and the further fields of a profile. */
export function fieldsOf(profile: Usual, short: readonly ShortField[]): FieldHtml[] {
  const place = [profile.locality, profile.region, profile.country_name].filter((part) => part !== "").join(", ");
  const usual = [...typedFields(profile, []), ...(place === "" ? [] : [{ name: "Location", value: place }])];
  return [...usual, ...short].slice(0, mostFields).map(({ name, value }) => ({ name, html: linkedText(value) }));
}

const homepage = "Homepage";

/** Those that a program may change, as they were typed. */
export function typedFields(profile: Pick<Profile, "homepage">, short: readonly ShortField[]): ShortField[] {
  return [...(profile.homepage === "" ? [] : [{ name: homepage, value: profile.homepage }]), ...short];
}

/** The web site and the further fields among what somebody has typed; without name and value there is no field. Throws invalid. */
export function readFields(typed: readonly ShortField[]): { homepage: string; short: ShortField[] } {
  const fields = typed
    .map(({ name, value }) => ({ name: name.trim(), value: value.trim() }))
    .filter(({ name, value }) => name !== "" || value !== "");
  if (fields.length > mostFields) throw refusal("fields_too_many", { most: mostFields });
  for (const { name, value } of fields) {
    if (name === "") throw refusal("field_name_needed");
    if ([...name].length > longestFieldName) throw refusal("field_too_long", { most: longestFieldName });
    if ([...value].length > longestFieldValue) throw refusal("field_too_long", { most: longestFieldValue });
  }
  const site = fields.find(({ name, value }) => name === homepage && /^https?:\/\/\S{1,240}$/i.test(value));
  return { homepage: site?.value ?? "", short: fields.filter((field) => field !== site) };
}

/** A line of text with its addresses as links; `me` says of each that it is another page of the same person. */
function linkedText(text: string): string {
  const parts = text.split(/(https?:\/\/[^\s<>"]{1,2040})/i);
  return parts
    .map((part, at) => {
      const shown = escapeHtml(part);
      if (at % 2 === 0 || !URL.canParse(part)) return shown;
      return `<a href="${shown}" rel="me nofollow noopener">${shown}</a>`;
    })
    .join("");
}
