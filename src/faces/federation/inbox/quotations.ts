import { isSameId } from "../../../domain/identity/xchans/foreign-ids.ts";
import { receiveQuoteRequest } from "../../../domain/items/receiving/receive-quote-request.ts";
import { refusal } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { isGenuine } from "../authority.ts";
import { retrieve } from "../retrieve/retrieve.ts";
import type { Post } from "../translate/object.ts";
import { objectIdOf } from "./incoming.ts";
import type { Effect, Incoming } from "./incoming.ts";
import { authorIn, postIn } from "./posts-in.ts";

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
