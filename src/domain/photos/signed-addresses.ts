import { createHmac } from "node:crypto";
import type { Hub } from "../../hub.ts";
import { findChannelById } from "../identity/channels/channels.ts";
import { observerOf } from "../identity/channels/observer.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { isSameSecret } from "../identity/same-secret.ts";

/**
 * Addresses of files for programs that load pictures without saying who asks (mastodon contract 11.5): such an address stands for one
 * file and one reader until two days after the day on which it was made. What the reader may see is asked when it is used.
 */

const day = 24 * 3600 * 1000;
/** So many days after its own an address is good for. */
const lasting = 2;

type Signing = Pick<Hub, "config" | "mediaKey" | "clock">;

/** A file of this hub, by its hash, or what an item for some shows of another site, by the signature in its address. */
const forSome = /\/(?:(?:photo|attach)\/([0-9a-f]{64})(?:[-./][^?#]*)?|proxy\/item\/[\w-]+\/([\w-]{43})\/[\w-]+)$/;

/** The address with a signature for this channel; what is not for some keeps its address. */
export function signedFor(hub: Signing, url: string, channelId: number): string {
  const [, hash, signature] = url.startsWith(`${hub.config.baseUrl}/`) ? (forSome.exec(url) ?? []) : [];
  const name = hash ?? signature;
  return name === undefined ? url : `${url}?t=${tokenFor(hub, name, channelId, today(hub))}`;
}

/** In whose name the file is asked for by this token; undefined where it is not good, or not any more. */
export async function readerOf(hub: Hub, name: string, token: string): Promise<Observer | undefined> {
  const [, id, made] = /^([0-9a-z]{1,12})\.([0-9a-z]{1,6})\.[\w-]{43}$/.exec(token) ?? [];
  if (id === undefined || made === undefined) return undefined;
  const [channelId, madeOn] = [parseInt(id, 36), parseInt(made, 36)];
  const isGood = isSameSecret(token, tokenFor(hub, name, channelId, madeOn));
  if (!isGood || madeOn > today(hub) || madeOn + lasting < today(hub)) return undefined;
  const channel = await findChannelById(hub, channelId);
  return channel && observerOf(channel);
}

function tokenFor({ mediaKey }: Signing, name: string, channelId: number, madeOn: number): string {
  const said = `${channelId.toString(36)}.${madeOn.toString(36)}`;
  return `${said}.${createHmac("sha256", mediaKey).update(`file ${name} ${said}`).digest("base64url")}`;
}

function today({ clock }: Signing): number {
  return Math.floor(clock().getTime() / day);
}
