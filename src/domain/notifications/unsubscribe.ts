import { createHmac } from "node:crypto";
import type { Hub } from "../../hub.ts";
import { recordOf } from "../../record-of.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { findChannelById } from "../identity/channels/find-channel.ts";
import { isSameSecret } from "../identity/same-secret.ts";
import { formSecret } from "../identity/site/site-settings.ts";
import { choose, readChoices } from "./choices.ts";
import { noticeTopics } from "./kinds.ts";

/** Mails end by their own link (RFC 8058): whoever has it needs no log-in, and can do nothing else with it. */

/** What the link of the channel's mails carries; it is the same in all of them. */
export async function unsubscribeToken(hub: Hub, channel: Channel): Promise<string> {
  const signature = createHmac("sha256", await formSecret(hub)).update(`mails to ${channel.channel_hash}`);
  return `${channel.channel_id}.${signature.digest("base64url")}`;
}

/** Whose mails end by this link; undefined for one that the hub has not made. */
export async function findMailed(hub: Hub, token: string): Promise<Channel | undefined> {
  const [, id] = /^([1-9]\d{0,14})\.[\w-]{43}$/.exec(token) ?? [];
  const channel = id === undefined ? undefined : await findChannelById(hub, Number(id));
  return channel && isSameSecret(await unsubscribeToken(hub, channel), token) ? channel : undefined;
}

/** The channel is told of nothing by mail any more; all other ways stay as they are. */
export async function stopMails(hub: Hub, uid: number): Promise<void> {
  const before = await readChoices(hub, uid);
  await choose(
    hub,
    uid,
    recordOf(noticeTopics, (topic) => ({ ...before[topic], mail: "never" })),
  );
}
