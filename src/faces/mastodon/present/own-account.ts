import { isAdministrator, languageOf as accountLanguage } from "../../../domain/identity/accounts/accounts.ts";
import type { z } from "zod";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import type { Quoters } from "../../../domain/identity/channels/channel-settings.ts";
import type { Profile as StoredProfile } from "../../../domain/identity/channels/profiles.ts";
import { defaultAudience } from "../../../domain/items/audience.ts";
import type { OwnPreferences } from "../../../domain/people/appearance.ts";
import { typedFields } from "../../../domain/people/short-fields.ts";
import type { CredentialAccount, Field, Profile } from "../entities/account.ts";
import { administrators, presentAccount } from "./account.ts";
import type { Accounts } from "./account.ts";

/** The caller with all that only the caller is shown. */
export type Own = {
  shown: Accounts;
  caller: Caller;
  profile: StoredProfile;
  requests: number;
  preferences: OwnPreferences;
};

/** Who may quote, in the words of this API. */
export const quotePolicies = {
  everybody: "public",
  connections: "followers",
  nobody: "nobody",
} as const satisfies Record<Quoters, string>;

/** Mastodon contract 11.2. */
export function presentOwn(own: Own): z.infer<typeof CredentialAccount> {
  const { caller, profile, requests, preferences } = own;
  const account = presentAccount(own.shown, caller.channel.xchan_id);
  const hides = profile.hide_friends === 1;
  return {
    ...account,
    hide_collections: hides,
    source: {
      note: profile.about,
      fields: typed(own),
      privacy: privacyOf(own),
      sensitive: preferences.sensitive,
      language: languageOf(own),
      follow_requests_count: requests,
      hide_collections: hides,
      discoverable: profile.publish === 1,
      indexable: account.indexable,
      attribution_domains: [...preferences.authorSites],
      quote_policy: quotePolicies[preferences.quoters],
    },
    role: { ...roleOf(caller), permissions: "0", highlighted: false, collection_limit: 0 },
  };
}

/** Mastodon contract 11.37. */
function roleOf({ account }: Caller): typeof administrators {
  return isAdministrator(account) ? administrators : { id: "0", name: "", color: "" };
}

/** Mastodon contract 11.40. */
export function presentProfile(own: Own): z.infer<typeof Profile> {
  const { profile, shown, caller } = own;
  const account = presentAccount(shown, caller.channel.xchan_id);
  const user = shown.users.get(caller.channel.xchan_id);
  const avatar = user?.pictured ? account.avatar : null;
  const header = user?.cover ? account.header : null;
  return {
    id: account.id,
    display_name: account.display_name,
    note: profile.about,
    fields: typed(own),
    avatar,
    avatar_static: avatar,
    avatar_description: "",
    header,
    header_static: header,
    header_description: "",
    locked: account.locked,
    bot: account.bot,
    hide_collections: profile.hide_friends === 1,
    discoverable: profile.publish === 1,
    indexable: account.indexable,
    show_media: true,
    show_media_replies: true,
    show_featured: false,
    attribution_domains: [...own.preferences.authorSites],
  };
}

/** The audience that a post has which says nothing: some people, or everybody. */
export function privacyOf({ shown, caller: { channel } }: Pick<Own, "shown" | "caller">): "public" | "private" {
  const isForSome = Object.values(defaultAudience(channel)).some((list) => list.length > 0);
  return isForSome || shown.details.get(channel.xchan_id)?.streamPublic === false ? "private" : "public";
}

/** The language that was chosen for posts, else that of the account. */
export function languageOf({ preferences, caller: { account } }: Pick<Own, "preferences" | "caller">): string {
  return preferences.language || accountLanguage(account).slice(0, 2).toLowerCase();
}

function typed({ profile, preferences }: Own): z.infer<typeof Field>[] {
  return typedFields(profile, preferences.fields).map((field) => ({ ...field, verified_at: null }));
}
