import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import type { Channel, Xchan } from "../identity/channel.ts";
import { findXchan } from "../identity/xchans.ts";
import { noticeTypes, notify } from "../notifications/notices.ts";
import { localLink, personLink } from "./links.ts";
import { no } from "./queries.ts";
import type { Recipient } from "./recipients.ts";
import { loadItem } from "./save.ts";
import type { Item } from "./types.ts";
import { reactionOf, reactionSentences } from "./vocabulary.ts";

/** Tells a channel that somebody else wrote on its wall. */
export async function noteWallPost(hub: Hub, wall: Channel, item: Item): Promise<void> {
  const from = await authorOf(hub, item);
  await tell(hub, wall, from, item, noticeTypes.wall, `${personLink(from)} wrote ${thing(hub, item, "a post")} on your wall`);
}

/** Tells the owner of a thread about a new answer or reaction in it; `itemId` is the owner's copy. */
export async function noteAnswer(hub: Hub, owner: Channel, itemId: number): Promise<void> {
  const item = await loadItem(hub, itemId);
  await noteOne(hub, owner, item, await authorOf(hub, item));
}

/**
 * Tells those who just got their copies what concerns them: that they are mentioned, or that somebody answered
 * in a thread where they take part. `copies` are item ids by channel.
 */
export async function noteReaders(hub: Hub, readers: Recipient[], copies: Map<number, number>, message: Item): Promise<void> {
  const from = await authorOf(hub, message);
  const concerned = await takingPart(hub, readers, message);
  for (const reader of readers) {
    const id = copies.get(reader.channel_id);
    if (id !== undefined && concerned.has(reader.channel_id)) await noteOne(hub, reader, await loadItem(hub, id), from);
  }
}

/** The readers who are mentioned, or who wrote something in the thread. */
async function takingPart(hub: Hub, readers: Recipient[], message: Item): Promise<Set<number>> {
  const uids = readers.map((reader) => reader.channel_id);
  const rows = await hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .innerJoin("channel", "channel.channel_id", "item.uid")
    .innerJoin("xchan", "xchan.xchan_hash", "channel.channel_hash")
    .select("item.uid")
    .distinct()
    .where(isOneOf(hub.engine, sql.ref("item.uid"), uids))
    .where("message.parent_mid", "=", message.parent_mid)
    .where("item.item_deleted", "=", no)
    .where((x) =>
      x.or([
        x("item.author_id", "=", x.ref("xchan.xchan_id")),
        x.and([x("item.message_id", "=", message.message_id), x("item.item_mentionsme", "=", 1)]),
      ]),
    )
    .execute();
  return new Set(rows.map((row) => row.uid));
}

async function noteOne(hub: Hub, to: { channel_id: number; channel_account_id: number }, item: Item, from: Xchan): Promise<void> {
  const reaction = reactionOf(item.verb);
  if (reaction !== undefined) {
    const target = item.thr_parent_id > 0 ? await loadItem(hub, item.thr_parent_id) : item;
    await tell(hub, to, from, target, noticeTypes.reaction, `${personLink(from)} ${reactionSentences[reaction]} ${thing(hub, target, "a post")}`, item.verb);
  } else if (item.item_mentionsme === 1) {
    await tell(hub, to, from, item, noticeTypes.mention, `${personLink(from)} mentioned you in ${thing(hub, item, "a post")}`);
  } else if (item.item_thread_top === 0) {
    await tell(hub, to, from, item, noticeTypes.comment, `${personLink(from)} commented on ${thing(hub, item, "a post")}`);
  }
}

async function tell(
  hub: Hub,
  to: { channel_id: number; channel_account_id: number },
  from: Xchan,
  item: Item,
  type: number,
  msg: string,
  verb = item.verb,
): Promise<void> {
  await notify(hub, { to, from, type, msg, verb, link: localLink(hub, item.mid), parent: item.parent_mid, otype: "item", itemId: item.id });
}

async function authorOf(hub: Hub, item: Item): Promise<Xchan> {
  const author = await findXchan(hub, { id: item.author_id });
  if (!author) throw new Error(`Item ${item.id} has no author record`);
  return author;
}

function thing(hub: Hub, item: Item, words: string): string {
  return `[zrl=${localLink(hub, item.mid)}]${words}[/zrl]`;
}
