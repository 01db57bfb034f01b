import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { countRequests } from "../../../domain/connections/connections.ts";
import { defaultProfile } from "../../../domain/identity/channels/profiles.ts";
import { ownPreferences } from "../../../domain/people/appearance.ts";
import type { Hub } from "../../../hub.ts";
import type { Own } from "../present/own-account.ts";
import { showAccounts } from "./account-answers.ts";

/** Loads what the caller is shown of itself. */
export async function loadOwn(hub: Hub, caller: Caller): Promise<Own> {
  const { channel_id, xchan_id } = caller.channel;
  const [shown, profile, requests, preferences] = await Promise.all([
    showAccounts(hub, caller, [xchan_id]),
    defaultProfile(hub, channel_id),
    countRequests(hub, channel_id),
    ownPreferences(hub, channel_id),
  ]);
  return { shown, caller, profile, requests, preferences };
}
