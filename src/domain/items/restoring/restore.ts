import { now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { addJob } from "../../../jobs/queue.ts";
import { zeroDate } from "../../../storage/sql.ts";
import { refreshWords } from "../../search/index-words.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { importedMeta } from "../metadata.ts";
import { isForeignPin } from "../pins.ts";
import { adoptReplies, findHere, findMessages, freeUuids, keyOf } from "./restore-lookups.ts";
import type { Here, KnownMessage } from "./restore-lookups.ts";
import type { Restored, RestoredItem } from "./restored-item.ts";
import { answerType, questionType } from "../poll.ts";
import { insertMeta, isDirectMark, storeItem, saveMessage, saveTerms } from "../save.ts";
import { countStatus } from "../status-count.ts";
import { recordFormerVote, renewedQuestion } from "../votes.ts";

/**
 * Gives the channel its items back with their dates, flags, terms and metadata: no delivery, no notices (native contract
 * 7.5, step 9). Tops come before their comments. Part of a transaction; repeating it changes nothing.
 */
export async function restoreItems(hub: Hub, channel: Channel, items: readonly RestoredItem[]): Promise<Restored[]> {
  if (items.length === 0) return [];
  const known: Known = {
    here: await findHere(hub, channel.channel_id, items),
    messages: await findMessages(hub, items),
    uuids: await freeUuids(hub, items),
  };
  const outcomes: Restored[] = [];
  const added: Here[] = [];
  for (const item of items) {
    const own = known.here.exact.get(keyOf(item));
    const outcome = own ? await renew(hub, channel, item, own, known) : await add(hub, channel, item, known, added);
    outcomes.push(outcome);
  }
  await adoptReplies(hub, channel, added);
  return outcomes;
}

type Known = {
  here: { exact: Map<string, Here>; byMid: Map<string, Here> };
  messages: Map<string, KnownMessage>;
  uuids: Map<string, string>;
};

async function add(hub: Hub, channel: Channel, item: RestoredItem, known: Known, added: Here[]): Promise<Restored> {
  const isTop = item.parentMid === item.mid;
  const top = isTop ? undefined : known.here.byMid.get(item.parentMid);
  if (!isTop && !top) return "no top";
  const found = known.messages.get(`${keyOf(item)} ${item.message.author_id}`);
  const refusal = refusalOf(channel, item, found);
  if (refusal) return refusal;
  const message_id = found?.id ?? (await addMessage(hub, channel, item, known));
  if (found) await takeBack(hub, channel, item, found);
  const parent = known.here.byMid.get(item.thrParent);
  const row = confined(channel, item.item, top, found);
  const own = await storeItem(hub, {
    ...row,
    uid: channel.channel_id,
    aid: channel.channel_account_id,
    message_id,
    author_id: item.message.author_id,
    item_direct: !top && row.item_private !== 0 && item.meta.some(isDirectMark) ? 1 : 0,
    ...(top && {
      parent: top.parent,
      thr_parent_id: parent?.id ?? 0,
      answers_me: parent?.author_id === channel.xchan_id ? 1 : 0,
    }),
  });
  if (!own) return "there";
  if (found) await saveOwn(hub, channel, item, message_id);
  const here: Here = {
    id: own.id,
    parent: own.parent,
    message_id,
    mid: item.mid,
    version: item.version,
    author_id: item.message.author_id,
    owner_id: row.owner_id,
    edited: item.message.edited,
    body: item.message.body,
    title: item.message.title ?? "",
  };
  added.push(here);
  known.here.exact.set(keyOf(item), here);
  known.here.byMid.set(item.mid, here);
  await followUp(hub, channel, { ...item, item: row }, here);
  if (parent && item.message.obj_type === answerType) await restoreVote(hub, channel, item, parent);
  return "added";
}

/**
 * The channel's row of an item. What an import says about the threads of others is hearsay (decision 28): such a row is on no
 * wall and for nobody but the channel, unless this hub shows the message anyway.
 */
function confined(
  channel: Channel,
  item: RestoredItem["item"],
  top: Pick<Here, "owner_id"> | undefined,
  found: Pick<KnownMessage, "shown"> | undefined,
): RestoredItem["item"] {
  const owner_id = top?.owner_id ?? item.owner_id;
  if (owner_id === channel.xchan_id) return item;
  const item_private = found?.shown ? item.item_private : 1;
  return { ...item, owner_id, item_wall: 0, item_delayed: 0, item_private };
}

/** What somebody else's import said in the name of the channel gives way to what it signed itself. */
async function takeBack(hub: Hub, channel: Channel, item: RestoredItem, found: KnownMessage): Promise<void> {
  if (item.message.author_id !== channel.xchan_id || found.verified || item.message.item_verified !== 1) return;
  await hub.db.updateTable("message").set(item.message).where("id", "=", found.id).execute();
  await hub.db.deleteFrom("term").where("message_id", "=", found.id).where("uid", "=", 0).execute();
  await saveTerms(hub, found.id, [...item.terms]);
  await refreshWords(hub, [found.id]);
}

/** An import must neither put words into the mouth of somebody of this hub, nor show what the channel was not sent. */
function refusalOf(channel: Channel, item: RestoredItem, found: KnownMessage | undefined): Restored | undefined {
  if (item.message.author_id === channel.xchan_id) return undefined;
  if (!found) return item.authorIsLocal && item.message.item_verified !== 1 ? "not theirs" : undefined;
  // Whoever was sent it has its signature as well; a short text alone could be guessed.
  const { body, title = "", sig = "" } = item.message;
  const same = found.body === body && found.title === title && found.sig === sig;
  return found.shown || (same && found.body !== "") ? undefined : "another text";
}

async function addMessage(hub: Hub, channel: Channel, item: RestoredItem, known: Known): Promise<number> {
  const uuid = known.uuids.get(item.mid);
  known.uuids.delete(item.mid);
  const { id } = await saveMessage(
    hub,
    {
      ...item.message,
      mid: item.mid,
      parent_mid: item.parentMid,
      thr_parent: item.thrParent,
      version: item.version,
      ...(uuid !== undefined && { uuid }),
    },
    [...item.terms],
    item.meta
      .filter((entry) => !isForeignPin(entry, channel.channel_hash))
      .map((entry) => importedMeta({ ...entry, uid: entry.sharing === 1 ? 0 : channel.channel_id })),
  );
  await saveTerms(hub, id, [...item.ownTerms], channel.channel_id);
  return id;
}

/** What belongs to the channel alone, of a message that was here already. */
async function saveOwn(hub: Hub, channel: Channel, item: RestoredItem, message_id: number): Promise<void> {
  const uid = channel.channel_id;
  await hub.db.deleteFrom("term").where("message_id", "=", message_id).where("uid", "=", uid).execute();
  await hub.db.deleteFrom("iconfig").where("message_id", "=", message_id).where("uid", "=", uid).execute();
  await saveTerms(hub, message_id, [...item.ownTerms], uid);
  const meta = item.meta.filter((entry) => entry.sharing !== 1).map((entry) => importedMeta({ ...entry, uid }));
  await insertMeta(hub, message_id, meta);
}

async function followUp(hub: Hub, channel: Channel, item: RestoredItem, { id, message_id }: Here): Promise<void> {
  const { expires = zeroDate, author_id } = item.message;
  if (author_id === channel.xchan_id) {
    const { item_origin = 0, item_private = 0, item_type = 0, item_notshown = 0, item_delayed = 0 } = item.item;
    const { item_hidden = 0, item_unpublished = 0 } = item.item;
    const kept = { item_hidden, item_unpublished, item_delayed };
    await countStatus(hub, { author_id, item_origin, item_private, item_type, item_notshown, ...kept }, 1);
  }
  if (expires > now(hub)) await addJob(hub, "expire-item", { message: message_id }, { at: expires });
  if (item.item.item_delayed === 1) await addJob(hub, "publish-item", { item: id }, { at: item.item.created });
}

/** A vote that was counted where it was given; what others are said to have chosen is taken from the poll's author alone. */
async function restoreVote(hub: Hub, channel: Channel, { message }: RestoredItem, poll: Here): Promise<void> {
  if (![message.author_id, poll.author_id].includes(channel.xchan_id)) return;
  await recordFormerVote(hub, poll.message_id, message.author_id, message.title ?? "");
}

/**
 * A copy that is no older than ours replaces it. The text of somebody else stays while others of this hub have it, too:
 * it is stored once for all.
 */
async function renew(hub: Hub, channel: Channel, item: RestoredItem, own: Here, known: Known): Promise<Restored> {
  const same = own.body === item.message.body && own.title === (item.message.title ?? "");
  if (item.message.edited < own.edited || (item.message.edited === own.edited && same)) return "there";
  const found = known.messages.get(`${keyOf(item)} ${own.author_id}`);
  if (own.author_id !== item.message.author_id || !found) return "there";
  if (own.author_id !== channel.xchan_id && found.copies > 1) return "there";
  const { obj_type, obj = "" } = item.message;
  const message =
    obj_type === questionType
      ? { ...item.message, obj: await renewedQuestion(hub, own.message_id, obj) }
      : item.message;
  await hub.db.updateTable("message").set(message).where("id", "=", own.message_id).execute();
  const { item_unseen: _unseen, ...columns } = confined(channel, item.item, own, found);
  await hub.db.updateTable("item").set(columns).where("id", "=", own.id).execute();
  await hub.db.deleteFrom("term").where("message_id", "=", own.message_id).where("uid", "=", 0).execute();
  await saveTerms(hub, own.message_id, [...item.terms]);
  await refreshWords(hub, [own.message_id]);
  await saveOwn(hub, channel, item, own.message_id);
  return "updated";
}
