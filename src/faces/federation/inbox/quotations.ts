import {
  findAsked,
  receiveQuoteRefusal,
  receiveQuoteStamp,
  receiveStampRevoked,
} from "../../../domain/items/receiving/receive-quote-answer.ts";
import type { AskedQuotation } from "../../../domain/items/receiving/receive-quote-answer.ts";
import { itemId } from "../ids.ts";
import { objectIdOf } from "./incoming.ts";
import type { Attempt, Incoming } from "./incoming.ts";
import { isStamp } from "./stamps.ts";

/** Somebody lets a post of this hub quote theirs; the stamp is looked at where it stands. */
export const quoteAccepted: Attempt = async (incoming) => {
  const { hub, activity, actor } = incoming;
  const asked = await askedIn(incoming);
  if (!asked) return false;
  const [result] = activity.results;
  const stamp = typeof result === "string" ? result : result?.id;
  const named = { act: itemId(hub, asked.uuid), about: asked.quoted, author: actor.xchan_hash };
  if (stamp !== undefined && (await isStamp(hub, "quote", stamp, named))) await receiveQuoteStamp(hub, asked, stamp);
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
