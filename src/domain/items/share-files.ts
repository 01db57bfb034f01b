import type { Hub } from "../../hub.ts";
import { hashesIn } from "./links.ts";
import { followAudience } from "../files/change.ts";
import { hasLists, listsOf, openLists, ownerOnly } from "../files/lists.ts";
import {
  forgetMessageFiles,
  recordMessageFiles,
  filesOfMessages,
  filesOfMail,
  messagesWith,
} from "../files/message-files.ts";
import type { Showing, MessageFile } from "../files/message-files.ts";
import type { File, Lists } from "../files/types.ts";
import { isOneOf } from "../../storage/sql.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { parseList } from "../groups/lists.ts";
import { findChannelById } from "../identity/channels/channels.ts";
import { findXchans } from "../identity/xchans/xchans.ts";
import { listsAbove } from "../photos/album-lists.ts";
import { inheritedScope, onlyFor } from "./audience.ts";
import type { Scope } from "./audience.ts";
import { changePhotoItems } from "./photo-item.ts";
import { no, selectItems, yes } from "./queries.ts";
import { recordAttached } from "./unattached.ts";
import type { Item } from "./types.ts";

/**
 * Files and photos that messages refer to have the audience of the oldest message that shows them, as long as one does, if they
 * were the owner's alone before and their directories name nobody (native contract 4.4 step 6, decision 85). Each as part of a
 * transaction.
 */

type Texts = { body: string; attach: string };

/** Lets the readers of a stored message of the owner see the files that it refers to. */
export async function shareFiles(hub: Hub, owner: Channel, by: Showing, texts: Texts): Promise<void> {
  const hashes = hashesIn(hub, texts.body + texts.attach);
  await recordAttached(hub, owner.channel_id, hashes);
  if (hashes.length === 0) return;
  const files = await filesThatFollow(hub, owner, hashes);
  await recordMessageFiles(
    hub,
    owner.channel_id,
    by,
    files.map(({ hash }) => hash),
  );
  for (const file of files) await follow(hub, owner, file);
}

/** What a message of this channel does not show any more after it was edited follows the others that show it. */
export async function unshareEdited(hub: Hub, uid: number, messageId: number, texts: Texts): Promise<void> {
  const left = new Set(hashesIn(hub, texts.body + texts.attach));
  const shown = await filesOfMessages(hub, [messageId]);
  await unshare(
    hub,
    shown.filter((one) => one.uid === uid && !left.has(one.hash)),
  );
}

/** The same for what was shown by items of which their authors' copies have gone. */
export async function unshareDropped(hub: Hub, dropped: readonly Pick<Item, "uid" | "message_id">[]): Promise<void> {
  const messages = [...new Set(dropped.map((item) => item.message_id))];
  if (messages.length === 0) return;
  const shown = await filesOfMessages(hub, messages);
  if (shown.length === 0) return;
  const gone = new Set(dropped.map((item) => `${item.uid} ${item.message_id}`));
  await unshare(
    hub,
    shown.filter((one) => gone.has(`${one.uid} ${one.message_id}`)),
  );
}

/** The same for a mail that was taken back. */
export async function unshareMail(hub: Hub, mailId: number): Promise<void> {
  await unshare(hub, await filesOfMail(hub, mailId));
}

/** The audience of these messages is another one, and so is that of what they show. */
export async function reshareFiles(hub: Hub, messages: readonly number[]): Promise<void> {
  await followAll(hub, await filesOfMessages(hub, messages));
}

async function unshare(hub: Hub, shown: readonly MessageFile[]): Promise<void> {
  await forgetMessageFiles(hub, shown);
  await followAll(hub, shown);
}

async function followAll(hub: Hub, shown: readonly MessageFile[]): Promise<void> {
  for (const [uid, some] of Map.groupBy(shown, (one) => one.uid)) {
    const owner = await findChannelById(hub, uid);
    if (!owner) continue;
    const hashes = [...new Set(some.map(({ hash }) => hash))];
    for (const file of await lockedFiles(hub, owner, hashes)) await follow(hub, owner, file);
  }
}

/** Gives a file the audience of the oldest message that shows it to somebody, else its owner's. */
async function follow(hub: Hub, owner: Channel, file: File): Promise<void> {
  const lists = (await audienceOf(hub, owner, file)) ?? ownerOnly(owner);
  if (JSON.stringify(listsOf(file)) === JSON.stringify(listsOf(lists))) return;
  await followAudience(hub, file, lists);
  if (file.is_photo === 1) await changePhotoItems(hub, owner, [file.hash]);
}

async function audienceOf(hub: Hub, owner: Channel, file: File): Promise<Lists | undefined> {
  for (const one of await messagesWith(hub, owner.channel_id, [file.hash])) {
    const scope = one.mail_id > 0 ? await scopeOfMail(hub, one) : await scopeOfItem(hub, owner, one);
    const lists = scope && listsFor(owner, scope);
    if (lists) return lists;
  }
  return undefined;
}

async function scopeOfMail(hub: Hub, { mail_id: id }: MessageFile): Promise<Scope | undefined> {
  const mail = await hub.db.selectFrom("mail").select(["to_xchan", "also_to"]).where("id", "=", id).executeTakeFirst();
  return mail && onlyFor(mail.to_xchan, ...parseList(mail.also_to));
}

/** That of the author's own copy. */
async function scopeOfItem(hub: Hub, owner: Channel, { message_id, uid }: MessageFile): Promise<Scope | undefined> {
  const item = await selectItems(hub)
    .where("item.message_id", "=", message_id)
    .where("item.uid", "=", uid)
    .where("item.item_deleted", "=", no)
    .executeTakeFirst();
  if (!item || item.owner_id === owner.xchan_id) return item;
  const top = await selectItems(hub).where("item.id", "=", item.parent).executeTakeFirst();
  return top && scopeAsSeen(hub, top);
}

/**
 * Whom the author of an answer knows to see the thread of somebody else, by the author's own copy of its top: everybody if it
 * is public, else its owner and those who have written in it. Who else does is not the author's to know.
 */
async function scopeAsSeen(hub: Hub, top: Item): Promise<Scope> {
  const scope = inheritedScope(top);
  if (top.item_private === 0) return scope;
  const authors = await hub.db
    .selectFrom("item")
    .select("author_id")
    .distinct()
    .where("parent", "=", top.id)
    .where("item_normal", "=", yes)
    .where("item_notshown", "=", no)
    .execute();
  const people = await findXchans(hub, [top.owner_id, ...authors.map((row) => row.author_id)]);
  return onlyFor(...people.map((one) => one.xchan_hash));
}

/** Those of the files that only the owner sees so far, or that follow messages already. */
async function filesThatFollow(hub: Hub, owner: Channel, hashes: readonly string[]): Promise<File[]> {
  const files = await lockedFiles(hub, owner, hashes);
  const following = new Set((await messagesWith(hub, owner.channel_id, hashes)).map(({ hash }) => hash));
  const alone = JSON.stringify(ownerOnly(owner));
  const found: File[] = [];
  for (const file of files) {
    const isOwners =
      JSON.stringify(listsOf(file)) === alone && (await listsAbove(hub, { ...file, ...openLists })).length === 0;
    if (isOwners || following.has(file.hash)) found.push(file);
  }
  return found;
}

/** Whoever else gives one of them another audience waits: what decides are messages that both may be about to change. */
async function lockedFiles(hub: Hub, owner: Channel, hashes: readonly string[]): Promise<File[]> {
  const files = hub.db
    .selectFrom("attach")
    .selectAll()
    .where("uid", "=", owner.channel_id)
    .where((x) => isOneOf(hub.engine, x.ref("hash"), hashes))
    .where("latest", "=", yes)
    .where("is_dir", "=", 0)
    .orderBy("id");
  return (hub.engine === "postgres" ? files.forNoKeyUpdate() : files).execute();
}

/**
 * The audience of a post as lists. Lists know no scope words: whatever is not for everybody is for the approved connections,
 * which is what lists mean that deny somebody and allow nobody; the denied one here is the owner, who sees it anyway.
 * Undefined when it stays the owner's.
 */
function listsFor(owner: Channel, scope: Scope): Lists | undefined {
  if (hasLists(scope)) return listsOf(scope);
  if (scope.public_policy === "self") return undefined;
  if (scope.item_private === 0) return openLists;
  return { ...openLists, deny_cid: `<${owner.channel_hash}>` };
}
