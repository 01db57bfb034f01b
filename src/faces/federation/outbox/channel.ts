import { createHash } from "node:crypto";
import type { DeedOf } from "../../../deeds.ts";
import { sendOut } from "../../../domain/delivery/outgoing.ts";
import { findChannelById } from "../../../domain/identity/channels/channels.ts";
import { inboxesOfAll } from "../../../domain/identity/xchans/actors.ts";
import { connectedElsewhere } from "../../../domain/items/delivery/elsewhere.ts";
import type { Hub } from "../../../hub.ts";
import { actorAt } from "../documents/actor.ts";
import { everybody } from "../everybody.ts";
import { idsOf } from "../ids.ts";
import { sendTo } from "./send-to.ts";
import { bytesOf, vouchedBytesOf } from "./serialise.ts";

/** What others see of the channel is another now: they get the new document, each version once. */
export async function describe(hub: Hub, channelId: number): Promise<void> {
  const channel = await findChannelById(hub, channelId);
  const to = channel ? await connectedElsewhere(hub, channel) : [];
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

/** The channel goes on as somebody else: its followers shall follow them. */
export async function move(hub: Hub, channelId: number, { person, stamp }: DeedOf<"move">): Promise<void> {
  const channel = await findChannelById(hub, channelId);
  const to = channel ? await connectedElsewhere(hub, channel) : [];
  if (!channel || to.length === 0) return;
  const { actor, followers } = idsOf(hub, channel.channel_address);
  const id = `${actor}#move-${encodeURIComponent(stamp)}`;
  const activity = { id, type: "Move", actor, to: [followers], object: actor, target: person };
  const deed = `move ${channelId} ${stamp}`;
  await sendOut(hub, [{ deed, variant: "", sender: channelId, objectId: actor, bytes: bytesOf(activity), to }]);
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
