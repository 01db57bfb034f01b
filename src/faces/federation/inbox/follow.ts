import {
  blockHeard,
  followAsked,
  followHeard,
  receiveAccept,
  receiveBlock,
  receiveFollow,
  receiveReject,
  receiveUnblock,
  receiveUndo,
  undoAgain,
} from "../../../domain/connections/connections.ts";
import { receiveSubscription } from "../../../domain/items/receiving/receive-subscription.ts";
import { isSameId } from "../../../domain/identity/xchans/foreign-ids.ts";
import type { Node } from "../translate/node.ts";
import { channelAt } from "./channel-at.ts";
import { objectIdOf } from "./incoming.ts";
import type { Attempt, Effect, Incoming } from "./incoming.ts";

/** Who follows whom between hubs, and who wants nothing of whom (federation contract 1.5, 4.3). */

/** Somebody wants what a channel posts, or what is said below a post. What comes of it, they are told by a deed. */
export const follow: Effect = async ({ hub, activity, actor }) => {
  const id = objectIdOf(activity);
  if (activity.id === undefined || id === undefined) return;
  const channel = await channelAt(hub, id);
  if (channel) await receiveFollow(hub, channel, actor, activity.id);
  else await receiveSubscription(hub, actor, activity.id, id);
};

/** Somebody accepts the follow of a channel. */
export const followAccepted: Attempt = async (incoming) => {
  if (await answered(incoming, receiveAccept)) return true;
  const { hub, activity, actor } = incoming;
  const id = meantBy(activity.objects[0], "Follow")?.id;
  return id !== undefined && undoAgain(hub, actor, id);
};

/** Somebody refuses it, or ends it later. */
export const followRejected: Attempt = (incoming) => answered(incoming, receiveReject);

/** Somebody follows a channel no more. */
export const followUndone: Attempt = async ({ hub, activity: { objects }, actor }) => {
  const meant = meantBy(objects[0], "Follow");
  if (!meant) return false;
  const channel = meant.id === undefined ? undefined : await followHeard(hub, actor, meant.id);
  if (channel) return receiveUndo(hub, channel, actor, meant.id);
  const named = await channelAt(hub, meant.of);
  return named !== undefined && receiveUndo(hub, named, actor);
};

/** Somebody blocks a channel. */
export const block: Effect = async ({ hub, activity, actor }) => {
  const channel = await channelAt(hub, objectIdOf(activity));
  if (channel) await receiveBlock(hub, channel, actor, activity.id);
};

/** Somebody blocks a channel no more. */
export const blockUndone: Attempt = async ({ hub, activity: { objects }, actor }) => {
  const meant = meantBy(objects[0], "Block");
  const heard = meant?.id === undefined ? undefined : await blockHeard(hub, actor, meant.id);
  const channel = heard ?? (await channelAt(hub, meant?.of));
  if (!channel) return false;
  await receiveUnblock(hub, channel, actor);
  return true;
};

/** An answer names the follow by its id, or by who follows whom; some write out both. */
async function answered({ hub, activity: { objects }, actor }: Incoming, take: typeof receiveAccept): Promise<boolean> {
  const meant = meantBy(objects[0], "Follow");
  if (!meant) return false;
  const channel = meant.id === undefined ? undefined : await followAsked(hub, actor, meant.id);
  if (channel) return take(hub, channel, actor, meant.id);
  const isOfAnother = meant.id?.startsWith(`${hub.config.baseUrl}/follow/`);
  if (isOfAnother || (meant.of !== undefined && !isSameId(meant.of, actor.xchan_hash))) return false;
  const named = await channelAt(hub, meant.by);
  return named !== undefined && take(hub, named, actor);
}

type Meant = { id?: string | undefined; by?: string | undefined; of?: string | undefined };

/** The activity that another one is about: written out, or by its id alone, and then it may be one of any type. */
function meantBy(object: Node | string | undefined, type: string): Meant | undefined {
  if (object === undefined) return undefined;
  if (typeof object === "string") return { id: object };
  if (!object.types.includes(type)) return undefined;
  return { id: object.id, by: object.oneId("actor"), of: object.oneId("object") };
}
