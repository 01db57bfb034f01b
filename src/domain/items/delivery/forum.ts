import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { addJob, senderLane } from "../../../jobs/queue.ts";
import { findChannelById } from "../../identity/channels/channels.ts";
import { may } from "../../permissions/may.ts";
import { defaultAudience, scopeOf, scopeWord } from "../audience.ts";
import { answersOf, fanOutAnswer } from "./fan-out.ts";
import { postSettingsOf } from "../post-settings.ts";
import { notifyAnswer } from "./notices.ts";
import { selectItems, lockThread, yes } from "../queries.ts";
import { saveItem } from "../save.ts";
import type { Recipient } from "./recipients.ts";
import type { Item } from "../types.ts";
import { observerElsewhere } from "../../identity/channels/observer.ts";
import { findXchan } from "../../identity/xchans/xchans.ts";

/**
 * A forum that is mentioned in a public post of somebody with `tag_deliver` becomes the owner of its copy and
 * delivers it to its members (native contract 4.7 point 7). Private posts keep their audience.
 */
export async function acceptAsForum(hub: Hub, recipient: Recipient, item: Item): Promise<void> {
  const author = await findXchan(hub, { id: item.author_id });
  const forum = await findChannelById(hub, recipient.channel_id);
  if (!author || !forum || item.item_private !== 0 || item.uid === forum.channel_id || item.item_uplink === 1) return;
  const observer = { ...observerElsewhere(author), channelId: item.uid };
  if (!(await may(hub, observer, "tag_deliver", forum.channel_id))) return;
  await inTransaction(hub, async (hub) => {
    await lockThread(hub, item.message_id);
    const current = await selectItems(hub)
      .where("item.id", "=", item.id)
      .where("item.item_normal", "=", yes)
      .executeTakeFirst();
    if (!current) return;
    const limits = await postSettingsOf(hub, forum.channel_id);
    const scope = scopeOf(
      defaultAudience(forum),
      scopeWord(hub, limits.view_stream),
      scopeWord(hub, limits.post_comments),
    );
    const own = await saveItem(hub, {
      ...scope,
      uid: forum.channel_id,
      aid: forum.channel_account_id,
      message_id: item.message_id,
      author_id: item.author_id,
      owner_id: forum.xchan_id,
      source_id: item.owner_id,
      created: item.created,
      item_wall: 1,
      item_uplink: 1,
      item_unseen: 1,
      item_mentionsme: 1,
    });
    if (!own) return;
    for (const answer of await answersOf(hub, current)) await fanOutAnswer(hub, answer, current, [forum], []);
    await notifyAnswer(hub, forum, own.id);
    await addJob(hub, "deliver-item", { item: own.id }, { lane: senderLane(forum.channel_id) });
  });
}
