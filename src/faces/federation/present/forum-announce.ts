import type { Channel } from "../../../domain/identity/channels/channel.ts";
import type { Hub } from "../../../hub.ts";
import { everybody } from "../everybody.ts";
import { idsOf } from "../ids.ts";

/** One announcement of a forum: what tells it from others, and for whom it is. */
export type Announcing = {
  name: string;
  isPublic: boolean;
  /** For those who follow the forum; else for the readers alone. */
  isForFollowers: boolean;
  readers: readonly string[];
};

/** That a forum hands on what somebody did there (FEP-1b12; federation contract 6.5). */
export function forumAnnounce(
  hub: Hub,
  { channel_address }: Channel,
  { name, isPublic, isForFollowers, readers }: Announcing,
  object: object | string,
): object {
  const { actor, followers } = idsOf(hub, channel_address);
  const addressed = isPublic
    ? { to: [everybody], cc: [followers] }
    : { to: isForFollowers ? [followers] : [...readers] };
  return { id: `${actor}#announce-${encodeURIComponent(name)}`, type: "Announce", actor, ...addressed, object };
}
