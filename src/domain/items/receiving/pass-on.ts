import type { Hub } from "../../../hub.ts";
import { addDeed } from "../../../jobs/queue.ts";
import { findChannelByXchan } from "../../identity/channels/channels.ts";
import { anyCopyOf } from "../find.ts";
import { haveLeft } from "../sent-to.ts";
import type { KnownMessage } from "./known-message.ts";

/**
 * Does away with what somebody of elsewhere takes back. Whoever has it from the owner of a thread here hears of that in the words of
 * its author as well, which are all that some hubs believe (federation contract 6.2). Part of a transaction.
 */
export async function passOn(
  hub: Hub,
  { id: message, mid: object }: Pick<KnownMessage, "id" | "mid">,
  document: string,
  remove: () => Promise<void>,
): Promise<void> {
  const copy = document === "" ? undefined : await anyCopyOf(hub, message);
  const owner = copy?.item_thread_top === 0 ? await findChannelByXchan(hub, copy.owner_id) : undefined;
  const isHandedOn = owner !== undefined && (await haveLeft(hub, [message]));
  await remove();
  if (isHandedOn) await addDeed(hub, owner.channel_id, { deed: "retract", message, object, document });
}
