import type { Hub } from "../../../hub.ts";
import { channelSettings } from "../channels/channel-settings.ts";
import { emit } from "../../live/emit.ts";
import { dropAccountTokens } from "./account-tokens.ts";
import { changeGuestKey, newGuestToken } from "../channels/guest-keys.ts";
import { pausePlaces } from "./outgoing-places.ts";

/**
 * What lets somebody in without the password: log-ins of browsers, applications, links of guests with the secret addresses of calendars; and
 * the places to which what is here goes by itself (`outgoing-places.ts`).
 */
export const accesses = ["sessions", "applications", "guests", "places"] as const;
export type Access = (typeof accesses)[number];

/** Ends what lets in to this account and its channels, besides what is kept; part of a transaction. Guests stay and get new links, places are paused, and links in mails work no more. */
export async function endAccess(hub: Hub, accountId: number, keep: readonly Access[] = []): Promise<void> {
  await dropAccountTokens(hub, accountId);
  if (!keep.includes("sessions")) await endSessions(hub, accountId);
  if (!keep.includes("applications")) await endTokens(hub, accountId);
  if (!keep.includes("guests")) {
    await renewGuestLinks(hub, accountId);
    await endCalendarAddresses(hub, accountId);
  }
  if (!keep.includes("places")) await pausePlaces(hub, accountId);
  await emit(hub, { what: "access", account: accountId });
}

/** Logs the account out in all browsers. */
export async function endSessions(hub: Hub, accountId: number): Promise<void> {
  await hub.db.deleteFrom("session").where("account_id", "=", accountId).execute();
  await emit(hub, { what: "access", account: accountId });
}

/** Also those to which somebody has just agreed, and which nobody has fetched yet. */
async function endTokens(hub: Hub, accountId: number): Promise<void> {
  for (const table of ["oauth_token", "oauth2_token", "oauth2_code"] as const)
    await hub.db.deleteFrom(table).where("uid", "in", channelsOf(hub, accountId)).execute();
}

async function renewGuestLinks(hub: Hub, accountId: number): Promise<void> {
  const guests = await hub.db
    .selectFrom("atoken")
    .select("atoken_id")
    .where("atoken_uid", "in", channelsOf(hub, accountId))
    .execute();
  for (const { atoken_id: id } of guests) await changeGuestKey(hub, id, { atoken_token: newGuestToken() });
}

async function endCalendarAddresses(hub: Hub, accountId: number): Promise<void> {
  const { cat, k } = channelSettings.calendarAddress;
  await hub.db
    .deleteFrom("config")
    .where("uid", "in", channelsOf(hub, accountId))
    .where("cat", "=", cat)
    .where("k", "=", k)
    .execute();
}

function channelsOf(hub: Hub, accountId: number) {
  return hub.db.selectFrom("channel").select("channel_id").where("channel_account_id", "=", accountId);
}
