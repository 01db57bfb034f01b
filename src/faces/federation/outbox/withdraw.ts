import type { DeedOf } from "../../../deeds.ts";
import { sendOut } from "../../../domain/delivery/outgoing.ts";
import type { Outgoing } from "../../../domain/delivery/outgoing.ts";
import type { Channel } from "../../../domain/identity/channels/channel.ts";
import { findChannelById } from "../../../domain/identity/channels/channels.ts";
import { forumOf, isForum } from "../../../domain/items/delivery/in-forum.ts";
import { sentTo } from "../../../domain/items/sent-to.ts";
import { isSameOrigin } from "../../../domain/identity/xchans/foreign-ids.ts";
import type { Hub } from "../../../hub.ts";
import { storedJson } from "../../../stored-json.ts";
import { itemId } from "../ids.ts";
import { forumAnnounce } from "../present/forum-announce.ts";
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
  const forum = await forumOf(hub, deed.message);
  if (forum) await goneFromForum(hub, forum, deed, { objectId, activity: storedJson(bytes), to });
}

/** What was handed on is in the thread no more, by the word of its owner: never a Delete of what somebody else wrote. */
export async function remove(hub: Hub, channel: number, deed: DeedOf<"remove">): Promise<void> {
  const owner = await findChannelById(hub, channel);
  const to = await sentTo(hub, deed.message);
  if (!owner || to.length === 0) return;
  if (await isForum(hub, owner.xchan_id)) {
    const activity = removalOf(hub, owner.channel_address, "Delete", deed);
    return goneFromForum(hub, owner, deed, { objectId: deed.object, activity, to });
  }
  const activity = removalOf(hub, owner.channel_address, "Remove", deed);
  const bytes = deed.wasPublic ? await vouchedBytesOf(hub, owner, activity) : bytesOf(activity);
  const name = `remove ${deed.object} ${deed.moment}`;
  await sendOut(hub, [{ deed: name, variant: "", sender: channel, objectId: deed.object, bytes, to, stage: "last" }]);
}

/** The same in the words of its author, byte by byte; what stands in a forum is gone by the word of that. */
export async function retract(
  hub: Hub,
  channel: number,
  { message, object, document: bytes }: DeedOf<"retract">,
): Promise<void> {
  const to = (await sentTo(hub, message)).filter(({ inbox }) => !isSameOrigin(inbox, object));
  if (to.length === 0 || (await forumOf(hub, message))?.channel_id === channel) return;
  await sendOut(hub, [{ deed: `retract ${object}`, variant: "", sender: channel, objectId: object, bytes, to }]);
}

type Gone = { objectId: string; activity: object; to: Outgoing["to"] };

/** Those who have the threads of a forum hear from it what is gone (FEP-1b12; federation contract 6.5). */
async function goneFromForum(
  hub: Hub,
  forum: Channel,
  { message, moment, wasPublic }: Pick<DeedOf<"remove">, "message" | "moment" | "wasPublic">,
  { objectId, activity, to }: Gone,
): Promise<void> {
  const name = `gone ${message} ${moment}`;
  const readers: readonly string[] = [];
  const announcing = { name, isPublic: wasPublic, isForFollowers: true, readers };
  const bytes = bytesOf(forumAnnounce(hub, forum, announcing, activity));
  await sendOut(hub, [{ deed: `announce ${name}`, variant: "", sender: forum.channel_id, objectId, bytes, to }]);
}
