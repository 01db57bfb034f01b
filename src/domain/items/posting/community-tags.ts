import { missing, refusal } from "../../../errors.ts";
import { inTransaction, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { refreshWords } from "../../search/index-words.ts";
import { observerOf } from "../../identity/channels/observer.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { findChannelByXchan } from "../../identity/channels/channels.ts";
import { channelSetting } from "../../identity/channels/channel-settings.ts";
import { bareTag } from "../../people/featured-tags.ts";
import { activityMessage } from "./activity-message.ts";
import type { About } from "./activity-message.ts";
import { spread } from "./comment.ts";
import { line, tagAddress } from "../content.ts";
import { deleteItem } from "./delete.ts";
import { findVisibleItem } from "../find.ts";
import type { ItemRef } from "../find.ts";
import { openThread } from "./open-thread.ts";
import type { Thread } from "./open-thread.ts";
import { saveMessage, termKey } from "../save.ts";
import { touchAll } from "../thread-dates.ts";
import type { Draft, Item } from "../types.ts";
import { objectTypes, termTypes } from "../vocabulary.ts";
import { withoutBrackets } from "../../bodies/escape.ts";

const longestTag = 191;

/** The tag that a draft means: the title of its object, or its body. */
export function tagOf(draft: Pick<Draft, "body" | "obj">): string {
  const object: unknown = draft.obj ? JSON.parse(draft.obj) : undefined;
  const title = typeof object === "object" && object !== null && "title" in object ? object.title : undefined;
  return typeof title === "string" && title !== "" ? title : draft.body;
}

/**
 * Adds a tag to an item as somebody who reads it: an item of its own, delivered like a comment, and a term of the
 * tagged item unless its owner wants none. A tag that is there already stays as it is. Throws missing, denied, invalid.
 */
export async function tagItem(hub: Hub, author: Channel, ref: ItemRef, text: string): Promise<Item> {
  const tag = bareTag(line(text, longestTag));
  if (tag === "") throw refusal("tag_needed");
  return inTransaction(hub, async (hub) => {
    const thread = await openThread(hub, author, ref);
    if (thread.parent.item_notshown === 1) throw missing("Item");
    // A tag changes the post for everybody: whose words wait does not do that.
    if (thread.commentPolicy.held) throw refusal("permission_denied");
    const before = await bringerOf(hub, thread.parent, tag);
    if (before !== undefined) return findVisibleItem(hub, observerOf(author), { mid: before });
    const item = await publishTag(hub, author, thread, tag);
    if (await takesTags(hub, thread.top.owner_id)) await addTerm(hub, thread.parent, item, tag);
    return item;
  });
}

/** Takes a community tag off an item, as the one who added it or as the owner of the thread. Throws missing, denied. */
export async function untagItem(hub: Hub, channel: Channel, ref: ItemRef, tag: string): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const target = await findVisibleItem(hub, observerOf(channel), ref);
    const mid = await bringerOf(hub, target, tag);
    if (mid === undefined) throw missing("Tag");
    const brought = await findVisibleItem(hub, observerOf(channel), { mid });
    if (brought.author_id !== channel.xchan_id && brought.owner_id !== channel.xchan_id)
      throw refusal("permission_denied");
    await deleteItem(hub, channel, { id: brought.id });
    await touchAll(hub, target.message_id);
  });
}

/** The mid of the item that brought a tag; undefined when the item does not have it. */
async function bringerOf(hub: Hub, target: Item, tag: string): Promise<string | undefined> {
  const row = await hub.db
    .selectFrom("term")
    .innerJoin("message", "message.id", "term.oid")
    .select("message.mid")
    .where("term.message_id", "=", target.message_id)
    .where("term.uid", "=", 0)
    .where("term.ttype", "=", termTypes.communityTag)
    .where("term.term_key", "=", termKey(tag))
    .executeTakeFirst();
  return row?.mid;
}

async function publishTag(hub: Hub, author: Channel, thread: Thread, tag: string): Promise<Item> {
  const url = tagAddress(hub, tag);
  const activity = { verb: "tag", does: "tagged", after: ` with #[zrl=${url}]${withoutBrackets(tag)}[/zrl]` };
  const about = (type: string, object: object): About => ({
    obj_type: objectTypes.tagterm,
    obj: JSON.stringify({
      type: objectTypes.tagterm,
      id: url,
      link: [{ rel: "alternate", type: "text/html", href: url }],
      title: tag,
      content: tag,
    }),
    tgt_type: type,
    target: JSON.stringify(object),
  });
  const message = await activityMessage(hub, author, thread.top, thread.parent, activity, about);
  return spread(hub, author, thread, {
    message_id: (await saveMessage(hub, message, [])).id,
    created: now(hub),
    author_id: author.xchan_id,
    item_notshown: 1,
    mentioned: [],
  });
}

/** Does the owner of a thread let readers tag what is in it? */
export async function takesTags(hub: Hub, ownerId: number): Promise<boolean> {
  const owner = await findChannelByXchan(hub, ownerId);
  return owner === undefined || !(await channelSetting(hub, owner.channel_id, "refusesTags"));
}

/** The term names the message that brought it, and goes with it. */
async function addTerm(hub: Hub, target: Item, item: Item, tag: string): Promise<void> {
  await hub.db
    .insertInto("term")
    .values({
      message_id: target.message_id,
      oid: item.message_id,
      uid: 0,
      otype: 1,
      ttype: termTypes.communityTag,
      term: tag,
      term_key: termKey(tag),
      url: tagAddress(hub, tag),
    })
    .execute();
  await refreshWords(hub, [target.message_id]);
  await touchAll(hub, target.message_id);
}
