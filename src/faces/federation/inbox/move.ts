import { followMoved } from "../../../domain/connections/follow-moved.ts";
import { channelSetting } from "../../../domain/identity/channels/channel-settings.ts";
import { findMet, haveKeyInCommon, isAlsoKnownAs } from "../../../domain/identity/xchans/actors.ts";
import { isSameId } from "../../../domain/identity/xchans/foreign-ids.ts";
import { findXchan } from "../../../domain/identity/xchans/xchans.ts";
import type { Xchan } from "../../../domain/identity/xchans/xchans.ts";
import { meetLater } from "../../../domain/peers/meet-actor.ts";
import type { Hub } from "../../../hub.ts";
import { meetAgain } from "../retrieve/actor.ts";
import { channelAt } from "./channel-at.ts";
import { objectIdOf } from "./incoming.ts";
import type { Effect } from "./incoming.ts";

/** Somebody goes on as somebody else. That one's own words count, not what is said of them (federation contract 11). */
export const move: Effect = async ({ hub, activity, actor }) => {
  const [target] = activity.targets;
  const id = typeof target === "string" ? target : target?.id;
  if (id === undefined) return;
  if (isSameId(id, actor.xchan_hash)) return comeFrom(hub, objectIdOf(activity), actor);
  const successor = await successorAt(hub, id, actor.xchan_hash);
  if (!successor) return;
  await followMoved(hub, actor, successor);
  // Their own document says where they have gone.
  await meetLater(hub, actor.xchan_hash);
};

/**
 * The new place says so, since the old one may be gone (FEP-7628): a key has to stand behind both, as the documents said when they
 * were read.
 */
async function comeFrom(hub: Hub, id: string | undefined, actor: Xchan): Promise<void> {
  const known = id === undefined ? undefined : await findMet(hub, id);
  const former = known && (await findXchan(hub, { id: known.xchan_id }));
  const successor = await meetAgain(hub, actor.xchan_hash);
  if (!former || !successor || former.xchan_id === successor.xchan_id) return;
  if (await haveKeyInCommon(hub, former.xchan_id, successor.xchan_id)) await followMoved(hub, former, successor);
}

/** Who names the other id as one of their own, here or elsewhere. */
async function successorAt(hub: Hub, id: string, other: string): Promise<Xchan | undefined> {
  const channel = await channelAt(hub, id);
  if (channel) {
    const aliases = await channelSetting(hub, channel.channel_id, "aliases");
    return aliases.some((alias) => isSameId(alias, other)) ? findXchan(hub, { id: channel.xchan_id }) : undefined;
  }
  const person = await meetAgain(hub, id);
  return person && (await isAlsoKnownAs(hub, person.xchan_id, other)) ? person : undefined;
}
