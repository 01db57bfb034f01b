import { createHmac, timingSafeEqual } from "node:crypto";
import { missing } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { findAccountById, isInOrder } from "../identity/accounts/accounts.ts";
import { changeChannelSettings, channelSetting } from "../identity/channels/channel-settings.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { findChannelByNick } from "../identity/channels/channels.ts";
import { newSecret } from "../identity/secrets.ts";
import { formSecret } from "../identity/site/site-settings.ts";

/** The secret in the address by which programs without a log-in read the whole calendar of a channel; undefined where there is none. */
export async function calendarSecret(hub: Hub, { channel_id: uid }: Channel): Promise<string | undefined> {
  const salt = await channelSetting(hub, uid, "calendarAddress");
  if (salt === "") return undefined;
  return createHmac("sha256", await formSecret(hub))
    .update(`calendar ${uid} ${salt}`)
    .digest("base64url");
}

/** Makes a new address; the one before works no more. */
export async function renewCalendarAddress(hub: Hub, { channel_id: uid }: Channel): Promise<void> {
  await changeChannelSettings(hub, uid, { calendarAddress: newSecret() });
}

/** There is no such address any more. */
export async function endCalendarAddress(hub: Hub, { channel_id: uid }: Channel): Promise<void> {
  await changeChannelSettings(hub, uid, { calendarAddress: "" });
}

/** The channel whose calendar this secret opens. Throws missing, also where its owner may not log in. */
export async function channelOfCalendar(hub: Hub, nick: string, secret: string): Promise<Channel> {
  const channel = await findChannelByNick(hub, nick);
  const known = channel && (await calendarSecret(hub, channel));
  if (!channel || known === undefined || !isSame(known, secret)) throw missing("Page");
  const account = await findAccountById(hub, channel.channel_account_id);
  if (!account || !isInOrder(hub, account)) throw missing("Page");
  return channel;
}

function isSame(known: string, given: string): boolean {
  const [one, other] = [Buffer.from(known), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}
