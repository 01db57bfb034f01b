import { createHash } from "node:crypto";
import type { DeedOf } from "../../../deeds.ts";
import { followMoved } from "../../../domain/connections/follow-moved.ts";
import { sendOut, targetsOfDeed } from "../../../domain/delivery/outgoing.ts";
import type { Outgoing } from "../../../domain/delivery/outgoing.ts";
import type { Channel } from "../../../domain/identity/channels/channel.ts";
import { findChannelById } from "../../../domain/identity/channels/channels.ts";
import { moveTakenBack, newPlace } from "../../../domain/identity/channels/moved.ts";
import { inboxesOfAll, isAlsoKnownAs } from "../../../domain/identity/xchans/actors.ts";
import { findXchan } from "../../../domain/identity/xchans/xchans.ts";
import { connectedElsewhere } from "../../../domain/items/delivery/elsewhere.ts";
import { refusal } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { actorAt } from "../documents/actor.ts";
import { everybody } from "../everybody.ts";
import { idsOf } from "../ids.ts";
import { meet } from "../retrieve/actor.ts";
import { sendTo } from "./send-to.ts";
import { bytesOf, vouchedBytesOf } from "./serialise.ts";

/** What others see of the channel is another now: they get the new document, each version once. */
export async function describe(hub: Hub, channelId: number): Promise<void> {
  const channel = await findChannelById(hub, channelId);
  const to = channel ? [...(await connectedElsewhere(hub, channel)), ...(await toldOfMove(hub, channelId))] : [];
  if (!channel || to.length === 0) return;
  const found = await actorAt(hub, channel.channel_address);
  if (!found) return;
  const { actor, followers } = idsOf(hub, channel.channel_address);
  const id = `${actor}#update-${found.revision}`;
  const activity = { id, type: "Update", actor, to: [everybody], cc: [followers], object: found.object };
  const bytes = await vouchedBytesOf(hub, channel, activity, found.context);
  const deed = `actor ${channelId} ${found.revision}`;
  await sendOut(hub, [{ deed, variant: "", sender: channelId, objectId: actor, bytes, to }]);
}

/** Those who were told that the channel goes on elsewhere, and have left since, hear that it has come back. */
async function toldOfMove(hub: Hub, channelId: number): Promise<Outgoing["to"]> {
  const stamp = await moveTakenBack(hub, channelId);
  return stamp === "" ? [] : targetsOfDeed(hub, moveOf(channelId, stamp));
}

function moveOf(channelId: number, stamp: string): string {
  return `move ${channelId} ${stamp}`;
}

/** The channel goes on as somebody else: its followers shall follow them, and those of this hub do. */
export async function move(hub: Hub, channelId: number, { person, stamp }: DeedOf<"move">): Promise<void> {
  const channel = await findChannelById(hub, channelId);
  if (channel) await goOnAs(hub, channel, person, stamp);
}

async function goOnAs(hub: Hub, channel: Channel, person: string, stamp: string): Promise<void> {
  const [own, successor] = [await findXchan(hub, { id: channel.xchan_id }), await findXchan(hub, { hash: person })];
  if (own && successor) await followMoved(hub, own, successor);
  const to = await connectedElsewhere(hub, channel);
  if (to.length === 0) return;
  const { channel_id: sender, channel_address: nick } = channel;
  const { actor, followers } = idsOf(hub, nick);
  const id = `${actor}#move-${encodeURIComponent(stamp)}`;
  const activity = { id, type: "Move", actor, to: [followers], object: actor, target: person };
  const deed = moveOf(sender, stamp);
  await sendOut(hub, [{ deed, variant: "", sender, objectId: actor, bytes: bytesOf(activity), to }]);
}

/**
 * The channel has left for another hub: its followers shall follow it there, once that hub says that it is the same one. Throws
 * unavailable where it does not answer yet.
 */
export async function depart(hub: Hub, channelId: number, { stamp }: DeedOf<"depart">): Promise<void> {
  const channel = await findChannelById(hub, channelId);
  const place = channel && (await newPlace(hub, channel));
  if (!place) return;
  const met = await meet(hub, place.actor);
  if ("fault" in met && met.fault !== "gone" && met.fault !== "unusable") throw refusal("not_fetched");
  const own = idsOf(hub, channel.channel_address).actor;
  if ("fault" in met || !(await isAlsoKnownAs(hub, met.xchan.xchan_id, own))) return;
  await goOnAs(hub, channel, met.xchan.xchan_hash, stamp);
}

/** Its former place cannot say so any more, so this one does, to each who followed it there (FEP-7628). */
export function arrive(hub: Hub, channelId: number, { person, former }: DeedOf<"arrive">): Promise<void> {
  const deed = { deed: `arrive ${channelId} ${former} ${person}`, objectId: former };
  const digest = createHash("sha256").update(deed.deed).digest("base64url").slice(0, 22);
  return sendTo(hub, channelId, person, deed, (nick, follower) => {
    const { actor } = idsOf(hub, nick);
    const id = `${actor}#arrival-${digest}`;
    return { id, type: "Move", actor, to: [follower.actor], object: former, target: actor };
  });
}

/** The channel is gone for good: every hub hears of that which may have anything of it (federation contract 18.2). */
export async function leave(hub: Hub, channelId: number, { nick }: DeedOf<"leave">): Promise<void> {
  const to = (await inboxesOfAll(hub)).map((target) => ({ ...target, people: [] }));
  if (to.length === 0) return;
  const { actor } = idsOf(hub, nick);
  const bytes = bytesOf({ id: `${actor}#delete`, type: "Delete", actor, to: [everybody], object: actor });
  await sendOut(hub, [{ deed: `leave ${channelId}`, variant: "", sender: channelId, objectId: actor, bytes, to }]);
}
