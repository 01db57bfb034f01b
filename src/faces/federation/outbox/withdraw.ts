import type { DeedOf } from "../../../deeds.ts";
import { sendOut } from "../../../domain/delivery/outgoing.ts";
import { findChannelById } from "../../../domain/identity/channels/channels.ts";
import { sentTo } from "../../../domain/items/sent-to.ts";
import type { Hub } from "../../../hub.ts";
import { itemId } from "../ids.ts";
import { removalOf, withdrawalOf } from "../present/withdrawal.ts";
import { bytesOf, vouchedBytesOf } from "./serialise.ts";

/** What somebody said or did is gone: all who ever got it hear of that, whoever has left its audience since. */
export async function withdraw(hub: Hub, _channel: number, deed: DeedOf<"withdraw">): Promise<void> {
  const author = await findChannelById(hub, deed.author);
  const to = await sentTo(hub, deed.message);
  if (!author || to.length === 0) return;
  const activity = withdrawalOf(hub, author.channel_address, deed);
  if (!activity) return;
  const bytes = deed.wasPublic ? await vouchedBytesOf(hub, author, activity) : bytesOf(activity);
  const objectId = itemId(hub, deed.uuid);
  const name = `delete ${deed.uuid}`;
  await sendOut(hub, [{ deed: name, variant: "", sender: deed.author, objectId, bytes, to, stage: "last" }]);
}

/** What was handed on is in the thread no more, by the word of its owner: never a Delete of what somebody else wrote. */
export async function remove(hub: Hub, channel: number, deed: DeedOf<"remove">): Promise<void> {
  const owner = await findChannelById(hub, channel);
  const to = await sentTo(hub, deed.message);
  if (!owner || to.length === 0) return;
  const activity = removalOf(hub, owner.channel_address, deed);
  const bytes = deed.wasPublic ? await vouchedBytesOf(hub, owner, activity) : bytesOf(activity);
  const name = `remove ${deed.object} ${deed.moment}`;
  await sendOut(hub, [{ deed: name, variant: "", sender: channel, objectId: deed.object, bytes, to, stage: "last" }]);
}
