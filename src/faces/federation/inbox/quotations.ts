import { isSameId } from "../../../domain/identity/xchans/foreign-ids.ts";
import {
  findAsked,
  receiveQuoteRefusal,
  receiveQuoteStamp,
  receiveStampRevoked,
} from "../../../domain/items/receiving/receive-quote-answer.ts";
import type { AskedQuotation } from "../../../domain/items/receiving/receive-quote-answer.ts";
import { receiveQuoteRequest } from "../../../domain/items/receiving/receive-quote-request.ts";
import { refusal } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { itemId } from "../ids.ts";
import { isGenuine } from "../authority.ts";
import { retrieve } from "../retrieve/retrieve.ts";
import type { Post } from "../translate/object.ts";
import { objectIdOf } from "./incoming.ts";
import type { Attempt, Effect, Incoming } from "./incoming.ts";
import { authorIn, postIn } from "./posts-in.ts";
import { isStamp } from "./stamps.ts";

/** Somebody wants to quote a post; what comes of it, they are told by its author's deed (federation contract 7). */
export const quoteRequested: Effect = async (incoming) => {
  const { hub, activity, actor } = incoming;
  const target = objectIdOf(activity);
  const quoting = await quotingPost(incoming);
  if (activity.id === undefined || target === undefined || quoting?.quote === undefined) return;
  if (!isSameId(quoting.quote, target)) return;
  await receiveQuoteRequest(hub, { id: activity.id, author: actor, target, quoting: quoting.id });
};

/** The post that quotes: as it was sent with the request, else as it stands at its id. */
async function quotingPost({ hub, activity }: Incoming): Promise<Post | undefined> {
  const [instrument] = activity.instruments;
  if (typeof instrument === "string") return fetched(hub, activity.actor, instrument);
  return instrument && postIn(instrument);
}

/** Nothing where it is somebody else's. Throws unavailable. */
async function fetched(hub: Hub, actor: string, id: string): Promise<Post | undefined> {
  const found = await retrieve(hub, id);
  if ("fault" in found) {
    if (found.fault === "unavailable") throw refusal("not_fetched");
    return undefined;
  }
  const { node, fetched } = found;
  const author = authorIn(node);
  if (author === undefined || !isSameId(author, actor)) return undefined;
  return isGenuine(node.id, actor, { fetched }) ? postIn(node) : undefined;
}

/** Somebody lets a post of this hub quote theirs; the stamp is looked at where it stands. */
export const quoteAccepted: Attempt = async (incoming) => {
  const { hub, activity, actor } = incoming;
  const asked = await askedIn(incoming);
  if (!asked) return false;
  const [result] = activity.results;
  const stamp = typeof result === "string" ? result : result?.id;
  const named = { quoting: itemId(hub, asked.uuid), quoted: asked.quoted, author: actor.xchan_hash };
  if (stamp !== undefined && (await isStamp(hub, stamp, named))) await receiveQuoteStamp(hub, asked, stamp);
  return true;
};

/** Somebody does not. */
export const quoteRefused: Attempt = async (incoming) => {
  const asked = await askedIn(incoming);
  if (asked) await receiveQuoteRefusal(incoming.hub, asked);
  return asked !== undefined;
};

/** Somebody takes a stamp of theirs back. */
export const stampRevoked: Attempt = async ({ hub, activity, ruling, actor }) => {
  const id = objectIdOf(activity);
  return ruling.do === "take" && id !== undefined && receiveStampRevoked(hub, actor, id);
};

/** The post that an answer is about: by the id of the request, which begins with that of its activity, or by what it asked for. */
async function askedIn({ hub, activity: { objects }, actor }: Incoming): Promise<AskedQuotation | undefined> {
  const [object] = objects;
  const id = typeof object === "string" ? object : object?.id;
  const [activityId, asking] = id?.split("#") ?? [];
  if (activityId !== undefined && asking?.startsWith("quote-")) return findAsked(hub, actor, activityId);
  if (typeof object !== "object" || !object.types.includes("QuoteRequest")) return undefined;
  const quoting = object.oneId("instrument");
  return quoting === undefined ? undefined : findAsked(hub, actor, quoting);
}
