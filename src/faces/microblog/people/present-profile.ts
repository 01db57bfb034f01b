import { personalise } from "../../../domain/bodies/personalise.ts";
import type { Profile, ProfileHtml } from "../../../domain/identity/channels/profiles.ts";
import type { User } from "../../../domain/people/users.ts";
import { presentUser } from "./present-user.ts";

/** A profile with those who see it in place of the default one. */
export type ProfileAnswer = { profile: Profile; html: ProfileHtml; viewers: User[] };

/** A profile; what the hub does not know is empty. */
export function presentProfile({ profile, html, viewers }: ProfileAnswer): object {
  const shown = (name: keyof ProfileHtml): string => personalise(html[name], undefined);
  return {
    profile_id: profile.id,
    profile_name: profile.profile_name,
    is_default: profile.is_default === 1,
    hide_friends: profile.hide_friends === 1,
    profile_photo: profile.photo,
    profile_thumb: profile.thumb,
    publish: profile.publish === 1,
    // There is no directory beyond the hub's own.
    net_publish: false,
    description: profile.pdesc,
    date_of_birth: profile.dob.startsWith("0000-00-00") ? "" : profile.dob,
    address: profile.address,
    city: profile.locality,
    region: profile.region,
    postal_code: profile.postal_code,
    country: profile.country_name,
    hometown: profile.hometown,
    gender: profile.gender,
    marital: profile.marital,
    marital_with: profile.partner,
    marital_since: profile.howlong.startsWith("000") ? "" : profile.howlong,
    sexual: profile.sexual,
    politic: profile.politic,
    religion: profile.religion,
    public_keywords: keywordsOf(profile.keywords),
    private_keywords: "",
    likes: shown("likes"),
    dislikes: shown("dislikes"),
    about: shown("about"),
    music: shown("music"),
    book: shown("book"),
    tv: shown("tv"),
    film: shown("film"),
    interest: shown("interest"),
    romance: shown("romance"),
    work: shown("employment"),
    education: shown("education"),
    social_networks: shown("contact"),
    homepage: profile.homepage,
    users: viewers.map((user) => presentUser(user)),
    custom_fields: [],
  };
}

/** They are stored with commas or with spaces between them. */
function keywordsOf(stored: string): string {
  const between = stored.includes(",") ? "," : /\s+/;
  const words = stored.split(between).map((word) => word.trim());
  return words.filter((word) => word !== "").join(", ");
}
