import type { Channel } from "../../../domain/identity/channels/channel.ts";
import { readerOf } from "../../../domain/items/receiving/owners.ts";
import type { Hub } from "../../../hub.ts";
import { everybody } from "../everybody.ts";
import { retrieve } from "../retrieve/retrieve.ts";
import type { Found, Retrieved } from "../retrieve/retrieve.ts";
import type { Activity } from "../translate/activity.ts";
import { channelAt } from "./channel-at.ts";

/** So many are asked for, one after the other: each costs a request. */
const mostAskers = 3;

/**
 * In whose names one may ask for what somebody else has brought (federation contract 6.2): of those to whose own inboxes it came. What
 * came to the inbox of all, and is for few, is asked for in the names of those whom it says to be for, or of somebody who has what it
 * is about; what is found says whether that is true. Undefined stands for nobody in particular.
 */
export async function askersFor(
  hub: Hub,
  { objects: [object], to, cc }: Activity,
  recipients: readonly Channel[],
): Promise<(Channel | undefined)[]> {
  if (recipients.length > 0) return recipients.slice(0, mostAskers);
  const written = typeof object === "object" ? object : undefined;
  const said = [...to, ...cc, ...(written?.ids("to") ?? []), ...(written?.ids("cc") ?? [])];
  if (said.includes(everybody)) return [undefined];
  const named = await Promise.all([...new Set(said)].slice(0, mostLooked).map((id) => channelAt(hub, id)));
  const about = written?.oneId("inReplyTo") ?? (typeof object === "string" ? object : object?.id);
  const reader = about === undefined ? undefined : (await readerOf(hub, about))?.reader;
  const all = [...named, reader].filter((channel) => channel !== undefined);
  const once = [...new Map(all.map((channel) => [channel.channel_id, channel])).values()];
  return once.length > 0 ? once.slice(0, mostAskers) : [undefined];
}

/** Of those whom something names so many are looked at. */
const mostLooked = 20;

/** What stands at an id for the first of these who may read it, and who that is; else why the last one may not. */
export async function retrieveFor(
  hub: Hub,
  id: string,
  [asker, ...others]: readonly (Channel | undefined)[],
): Promise<(Found & { reader: Channel | undefined }) | Extract<Retrieved, { fault: unknown }>> {
  const found = await retrieve(hub, id, asker);
  if (!("fault" in found)) return { ...found, reader: asker };
  const mayBeForOthers = found.fault === "gone" || found.fault === "refused";
  return mayBeForOthers && others.length > 0 ? retrieveFor(hub, id, others) : found;
}
