import type { Hub } from "../../../hub.ts";
import { findChannelByXchan } from "../../identity/channels/channels.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import type { Xchan } from "../../identity/xchans/xchans.ts";
import { anyCopyOf, ownCopyOf } from "../find.ts";
import { no } from "../queries.ts";
import { loadTop } from "../save.ts";
import type { Item } from "../types.ts";
import { findKnownMessage } from "./known-message.ts";
import type { KnownMessage } from "./known-message.ts";

/** Where something that answers a message stands: in a thread of somebody here, or of somebody elsewhere. */
export type Thread = {
  parent: KnownMessage;
  /** Of a thread that is owned here the owner's own copies. */
  top: Item;
  answered: Item;
  owner: Channel | undefined;
};

/** The thread of the message with this id; undefined where nobody here has it. */
export async function findThread(hub: Hub, id: string): Promise<Thread | undefined> {
  const parent = await findKnownMessage(hub, id);
  return parent && threadOf(hub, parent);
}

/** The same of a message that is known already. */
export async function threadOf(hub: Hub, parent: KnownMessage): Promise<Thread | undefined> {
  const copy = await anyCopyOf(hub, parent.id);
  if (!copy) return undefined;
  const top = await loadTop(hub, copy);
  const owner = await findChannelByXchan(hub, top.owner_id);
  if (!owner) return { parent, top, answered: copy, owner };
  const [wallTop, answered] = await Promise.all([
    ownCopyOf(hub, owner.channel_id, top.message_id),
    ownCopyOf(hub, owner.channel_id, parent.id),
  ]);
  return wallTop && answered ? { parent, top: wallTop, answered, owner } : undefined;
}

/** Is somebody here having the message with this id? */
export async function isKnown(hub: Hub, id: string): Promise<boolean> {
  return (await findThread(hub, id)) !== undefined;
}

/** Does a message stand in a thread of this person, as anybody here has it? */
export async function isIn(hub: Hub, owner: Pick<Xchan, "xchan_id">, id: string): Promise<boolean> {
  const known = await findKnownMessage(hub, id);
  const copy =
    known &&
    (await hub.db
      .selectFrom("item")
      .select("id")
      .where("message_id", "=", known.id)
      .where("owner_id", "=", owner.xchan_id)
      .where("item_deleted", "=", no)
      .limit(1)
      .executeTakeFirst());
  return copy !== undefined;
}
