import type { DeedOf } from "../../../deeds.ts";
import { sendOut } from "../../../domain/delivery/outgoing.ts";
import { findChannelById } from "../../../domain/identity/channels/channels.ts";
import { followersElsewhere } from "../../../domain/items/delivery/elsewhere.ts";
import type { Hub } from "../../../hub.ts";
import { itemId } from "../ids.ts";
import { pinOf } from "../present/pin.ts";
import { vouchedBytesOf } from "./serialise.ts";

/** What the channel has on top of its page is another now, as its followers hear. */
export async function pin(hub: Hub, channelId: number, deed: DeedOf<"pin">): Promise<void> {
  const channel = await findChannelById(hub, channelId);
  const to = channel ? await followersElsewhere(hub, channel) : [];
  if (!channel || to.length === 0) return;
  const bytes = await vouchedBytesOf(hub, channel, pinOf(hub, channel.channel_address, deed));
  const objectId = itemId(hub, deed.uuid);
  await sendOut(hub, [{ deed: `pin ${deed.stamp}`, variant: "", sender: channelId, objectId, bytes, to }]);
}
