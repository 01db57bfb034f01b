import { followersAddressOf } from "../../../domain/identity/xchans/actors.ts";
import { isSameId } from "../../../domain/identity/xchans/foreign-ids.ts";
import { findXchan } from "../../../domain/identity/xchans/xchans.ts";
import { wanting } from "../../../domain/items/receiving/readers.ts";
import type { Hub } from "../../../hub.ts";
import type { Activity } from "../translate/activity.ts";
import type { Incoming } from "./incoming.ts";

/**
 * The channels to whose own inboxes something came, as far as that says that it is for them. What its author sends to followers is for
 * those who follow: an author who has not heard that somebody does so no more sends on (federation contract 6.4). Nor is it for those who
 * have blocked or ignore whoever hands it on: it stands in a thread of which they see nothing.
 */
export async function inboxesOf(
  { hub, actor, signer, recipients }: Incoming,
  { to, cc }: Pick<Activity, "to" | "cc">,
): Promise<number[]> {
  const all = recipients.map(({ channel_id }) => channel_id);
  if (all.length === 0) return all;
  if (!isSameId(signer, actor.xchan_hash)) return takingFrom(hub, signer, all);
  const followers = await followersAddressOf(hub, actor.xchan_id);
  const isForFollowers = followers !== "" && [...to, ...cc].some((id) => isSameId(id, followers));
  return isForFollowers ? [] : all;
}

async function takingFrom(hub: Hub, signer: string, ids: readonly number[]): Promise<number[]> {
  const person = await findXchan(hub, { hash: signer });
  return person ? (await wanting(hub, person, ids)).map(({ channel_id }) => channel_id) : [...ids];
}
