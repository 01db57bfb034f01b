import { sendOut } from "../../../domain/delivery/outgoing.ts";
import type { Outgoing } from "../../../domain/delivery/outgoing.ts";
import { findChannelById } from "../../../domain/identity/channels/channels.ts";
import { findAddressee } from "../../../domain/identity/xchans/actors.ts";
import type { Addressee } from "../../../domain/identity/xchans/actors.ts";
import { inboxesAt } from "../../../domain/items/delivery/inboxes.ts";
import type { Hub } from "../../../hub.ts";
import { bytesOf } from "./serialise.ts";

/** Sends something that concerns one person alone, by their hash; nothing where they, or the channel, are gone. */
export async function sendTo(
  hub: Hub,
  channelId: number,
  hash: string,
  deed: Pick<Outgoing, "deed" | "objectId" | "stage">,
  activity: (nick: string, person: Addressee) => object,
): Promise<void> {
  const channel = await findChannelById(hub, channelId);
  const person = await findAddressee(hub, hash);
  if (!channel || !person) return;
  const bytes = bytesOf(activity(channel.channel_address, person));
  await sendOut(hub, [{ ...deed, variant: "", sender: channelId, bytes, to: inboxesAt([person]) }]);
}
