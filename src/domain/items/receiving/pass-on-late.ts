import type { Hub } from "../../../hub.ts";
import { addDeed } from "../../../jobs/queue.ts";
import { findChannelByXchan } from "../../identity/channels/channels.ts";
import { anyCopyOf } from "../find.ts";
import { findCame, keepDocument } from "../foreign-documents.ts";
import type { Came } from "../foreign-documents.ts";

/**
 * What came first by a request alone, or forwarded, can be handed on as soon as its author has sent it: as it came then. Part of a
 * transaction.
 */
export async function passOnLate(hub: Hub, message: number, came: Came): Promise<void> {
  const before = await findCame(hub, message);
  if (came.document === "" || (before && (came.isForwarded || !before.isForwarded))) return;
  await keepDocument(hub, message, came);
  const copy = await anyCopyOf(hub, message);
  const owner = copy?.item_thread_top === 0 ? await findChannelByXchan(hub, copy.owner_id) : undefined;
  if (owner) await addDeed(hub, owner.channel_id, { deed: "say", message });
}
