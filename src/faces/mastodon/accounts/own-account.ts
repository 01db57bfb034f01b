import { z } from "zod";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { countRequests } from "../../../domain/connections/connections.ts";
import { defaultAudience } from "../../../domain/items/audience.ts";
import { defaultProfile } from "../../../domain/identity/channels/profiles.ts";
import type { Profile } from "../../../domain/identity/channels/profiles.ts";
import type { Hub } from "../../../hub.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { CredentialAccount } from "../entities/account.ts";
import { presentAccount } from "../present/account.ts";
import { showAccounts } from "./account-answers.ts";
import type { AccountAnswers } from "./account-answers.ts";

type Own = { shown: AccountAnswers; caller: Caller; profile: Profile; requests: number };

/** Mastodon contract 12.3: who a token acts as, and what its posts begin with. */
export const ownAccountRows = [
  endpoint({
    path: "v1/accounts/verify_credentials",
    methods: ["GET"],
    access: "channel",
    scope: ["profile", "read:accounts"],
    summary: "Who the token acts as; the first thing that applications ask.",
    answer: "CredentialAccount",
    input: z.object({}),
    handle: loadOwn,
    present: presentOwn,
  }),
  endpoint({
    path: "v1/preferences",
    methods: ["GET"],
    access: "channel",
    scope: "read:accounts",
    summary: "What new posts of the caller begin with.",
    answer: "Preferences",
    input: z.object({}),
    handle: (_hub, caller) => caller,
    present: (caller) => ({
      "posting:default:visibility": privacyOf(caller),
      "posting:default:sensitive": false,
      "posting:default:language": languageOf(caller) || null,
      "posting:default:quote_policy": "public",
      "reading:expand:media": "default",
      "reading:expand:spoilers": false,
      "reading:autoplay:gifs": false,
    }),
  }),
];

async function loadOwn(hub: Hub, caller: Caller): Promise<Own> {
  const { channel_id, xchan_id } = caller.channel;
  const [shown, profile, requests] = await Promise.all([
    showAccounts(hub, caller, [xchan_id]),
    defaultProfile(hub, channel_id),
    countRequests(hub, channel_id),
  ]);
  return { shown, caller, profile, requests };
}

function presentOwn({ shown, caller, profile, requests }: Own): z.infer<typeof CredentialAccount> {
  const { moved: _moved, ...account } = presentAccount(shown, caller.channel.xchan_id);
  const hides = profile.hide_friends === 1;
  return {
    ...account,
    hide_collections: hides,
    source: {
      note: profile.about,
      fields: [],
      privacy: privacyOf(caller),
      sensitive: false,
      language: languageOf(caller),
      follow_requests_count: requests,
      hide_collections: hides,
      discoverable: profile.publish === 1 && (account.discoverable ?? false),
      indexable: account.indexable,
      attribution_domains: [],
      quote_policy: "public",
    },
    role: { id: "0", name: "", permissions: "0", color: "", highlighted: false },
  };
}

/** The audience that a post has which says nothing: some people, or everybody. */
function privacyOf({ channel }: Caller): "public" | "private" {
  return Object.values(defaultAudience(channel)).some((list) => list.length > 0) ? "private" : "public";
}

function languageOf({ account }: Caller): string {
  return account.account_language.slice(0, 2).toLowerCase();
}
