import type { Hub } from "../../../hub.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { goThroughSoon, keepList } from "./keep-list.ts";
import type { ListKind } from "./read-list.ts";

/** Lists of people of elsewhere that come with an export and not in a file. */

/**
 * Has these people, by their ids, asked one after the other by a channel that has come from another place and followed them there
 * (federation contract 11). Part of a transaction.
 */
export function askAnew(hub: Hub, channel: Channel, people: readonly string[]): Promise<void> {
  return begin(hub, channel, "follow", people);
}

/** Has those who stayed there looked up one after the other, by their addresses. Part of a transaction. */
export function lookUpStayed(hub: Hub, channel: Channel, addresses: readonly string[]): Promise<void> {
  return begin(hub, channel, "stayed", addresses);
}

async function begin(hub: Hub, { channel_id: uid }: Channel, kind: ListKind, people: readonly string[]): Promise<void> {
  if (people.length === 0) return;
  const list = await keepList(hub, uid, { kind, state: "running", filename: "" }, waiting(people));
  await goThroughSoon(hub, uid, list);
}

/**
 * Keeps those, by their ids, who followed the channel at the place from which it has come, where it had the id `former`: they are told where it is
 * now once its owner says that nobody answers there any more (FEP-7628, decision 137). Part of a transaction.
 */
export async function keepFollowers(
  hub: Hub,
  { channel_id: uid }: Channel,
  former: string,
  people: readonly string[],
): Promise<void> {
  if (people.length === 0) return;
  await keepList(hub, uid, { kind: "followers", state: "read", filename: "", former }, waiting(people));
}

function waiting(people: readonly string[]): { name: string; state: string }[] {
  return people.map((name) => ({ name, state: "waiting" }));
}
