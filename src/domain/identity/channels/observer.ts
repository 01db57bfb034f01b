import { isForeignId } from "../xchans/foreign-ids.ts";
import type { Xchan } from "../xchans/xchans.ts";
import { getSettings } from "../site/site-settings.ts";
import type { SiteSettings } from "../site/site-settings.ts";
import type { Hub } from "../../../hub.ts";
import type { Channel } from "./channel.ts";

/** Whoever looks, from the credentials of a request to the conditions of its queries; see `nobody` for those without any. */
export type Observer = {
  /** The id of its xchan; 0 where the hub has none of it. */
  readonly xchanId: number;
  /** Its identity; empty for nobody. */
  readonly hash: string;
  /** Is it of the native network? */
  readonly native: boolean;
  /** Its channel on this hub, 0 for none. */
  readonly channelId: number;
  /** Of a guest the channel that has let it in, 0 for none any more. To all other channels a guest is nobody. */
  readonly guestOf?: number;
  /** Does the site show it what is for everybody? Without an identity that is for the site to say (native contract 3.4, rule 5). */
  readonly seesPublic: boolean;
};

/** What the site says about those without an identity. */
export type SitePolicy = Pick<SiteSettings, "blockPublic">;

/** The channel itself as the one who looks. */
export function observerOf(channel: Channel): Observer {
  return {
    xchanId: channel.xchan_id,
    hash: channel.channel_hash,
    native: true,
    channelId: channel.channel_id,
    seesPublic: true,
  };
}

/** Somebody who has shown to be this identity, and has no channel here. */
export function observerElsewhere(xchan: Pick<Xchan, "xchan_id" | "xchan_hash" | "xchan_network">): Observer {
  const native = xchan.xchan_network === "zot";
  return { xchanId: xchan.xchan_id, hash: xchan.xchan_hash, native, channelId: 0, seesPublic: true };
}

/**
 * Somebody of elsewhere who has shown to be this actor, and whom the hub has not met: what is for everybody with an identity is
 * for them, and nothing that names them (federation contract 8.3). No hash has a space in it.
 */
export function observerUnmet(actorId: string): Observer {
  return { xchanId: 0, hash: `unmet ${actorId}`, native: false, channelId: 0, seesPublic: true };
}

/** The id by which somebody of elsewhere has signed, met or not; undefined for everybody else who looks. */
export function actorIdOf({ hash, native, channelId, guestOf }: Observer): string | undefined {
  return native || channelId > 0 || guestOf !== undefined ? undefined : actorIdIn(hash);
}

/** The same by the hash alone. */
export function actorIdIn(hash: string): string | undefined {
  const id = hash.replace(/^unmet /, "");
  return isForeignId(id) ? id : undefined;
}

/** Somebody whom a channel has let in. */
export function guestObserver(
  xchan: Pick<Xchan, "xchan_id" | "xchan_hash">,
  guestOf: number,
  { blockPublic }: SitePolicy,
): Observer {
  return {
    xchanId: xchan.xchan_id,
    hash: xchan.xchan_hash,
    native: false,
    channelId: 0,
    guestOf,
    seesPublic: !blockPublic,
  };
}

/** Somebody without an identity. */
export function nobody({ blockPublic }: SitePolicy): Observer {
  return { xchanId: 0, hash: "", native: false, channelId: 0, seesPublic: !blockPublic };
}

/** The same by the policy of this site. */
export async function nobodyHere(hub: Hub): Promise<Observer> {
  return nobody(await getSettings(hub, ["blockPublic"]));
}

/** Does the observer look without any identity? */
export function isNobody({ hash }: Observer): boolean {
  return hash === "";
}

/** All who look without one see the same, as the site has it: a part of the names of statements for them. */
export function strangerOf({ seesPublic }: Observer): string {
  return seesPublic ? "strangers" : "strangers who see nothing";
}

/** Somebody let in by a channel. */
export function isGuest({ guestOf }: Observer): boolean {
  return guestOf !== undefined;
}

/** Who it is to every channel alike: as what it may be connected, which guests never are; undefined for them and for nobody. */
export function identityOf({ hash, guestOf }: Observer): string | undefined {
  return hash === "" || guestOf !== undefined ? undefined : hash;
}
