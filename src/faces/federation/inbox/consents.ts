import {
  findConsented,
  receiveConsent,
  receiveConsentRevoked,
  receiveRefusal,
} from "../../../domain/items/receiving/receive-consent.ts";
import type { Consented } from "../../../domain/items/receiving/receive-consent.ts";
import { activityId, itemId } from "../ids.ts";
import { isRequest } from "../interactions.ts";
import { objectIdOf } from "./incoming.ts";
import type { Attempt, Incoming } from "./incoming.ts";
import { isStamp } from "./stamps.ts";

/** What people elsewhere say of answers, likes and shares of this hub (federation contract 7). */

/** Somebody lets one stand; a stamp is looked at where it is. */
export const consentGiven: Attempt = async (incoming) => {
  const { hub, activity, actor } = incoming;
  const about = await meantBy(incoming);
  if (!about) return false;
  const [result] = activity.results;
  const stamp = typeof result === "string" ? result : result?.id;
  const { uuid } = about.item;
  const act = about.kind === "reply" ? itemId(hub, uuid) : activityId(hub, uuid);
  const stamped = { act, about: about.about, author: actor.xchan_hash };
  if (stamp === undefined || (await isStamp(hub, about.kind, stamp, stamped))) await receiveConsent(hub, about, stamp);
  return true;
};

/** Somebody does not. */
export const consentRefused: Attempt = async (incoming) => {
  const about = await meantBy(incoming);
  if (about) await receiveRefusal(incoming.hub, about);
  return about !== undefined;
};

/** Somebody takes a stamp of theirs back. */
export const consentRevoked: Attempt = async ({ hub, activity, ruling, actor }) => {
  const id = objectIdOf(activity);
  return ruling.do === "take" && id !== undefined && receiveConsentRevoked(hub, actor, id);
};

/** It is named by its id or that of its activity, with which the id of a request for it begins, or in such a request. */
async function meantBy({ hub, activity: { objects }, actor }: Incoming): Promise<Consented | undefined> {
  const [object] = objects;
  const isAsked = typeof object === "object" && object.types.some(isRequest);
  const named = typeof object === "string" ? object : isAsked ? object.oneId("instrument") : object?.id;
  const [id] = named?.split("#") ?? [];
  return id === undefined ? undefined : findConsented(hub, actor, id);
}
