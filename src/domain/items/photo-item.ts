import { sql } from "kysely";
import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import { addJob, senderLane } from "../../jobs/queue.ts";
import { refreshWords } from "../search/index-words.ts";
import { openLists, ownerOnly } from "../files/lists.ts";
import type { File } from "../files/types.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { sign } from "../identity/xchans/signing.ts";
import { listsAbove } from "../photos/album-lists.ts";
import { audienceIn, scopeOf, scopeWord } from "./audience.ts";
import type { Scope } from "./audience.ts";
import { linkedMessages } from "./linked.ts";
import { channelSetting } from "../identity/channels/channel-settings.ts";
import { permissionLimitsOf } from "../identity/channels/permission-limits.ts";
import type { PermissionName } from "../identity/channels/roles.ts";
import { photoContent } from "./photo-object.ts";
import { selectItems, lockThread, yes } from "./queries.ts";
import { hasConnections } from "../connections/connections.ts";
import { saveItem, saveMessage } from "./save.ts";
import { signAgain } from "./sign-again.ts";
import { countStatus } from "./status-count.ts";
import type { Item } from "./types.ts";
import { verbs } from "./vocabulary.ts";

/**
 * Stores the hidden item that people comment on and like; `coord` is where the photo was taken, for channels that want
 * that known. Inside a transaction.
 */
export async function savePhotoItem(hub: Hub, owner: Channel, file: File, coord = ""): Promise<void> {
  const tellsPlace = coord !== "" && (await channelSetting(hub, owner.channel_id, "tellsPlaces"));
  const content = await photoContent(hub, owner, file);
  const message = await saveMessage(
    hub,
    {
      ...content,
      author_id: owner.xchan_id,
      created: file.created,
      edited: file.created,
      mimetype: "text/bbcode",
      verb: verbs.post,
      resource_type: "photo",
      resource_id: file.hash,
      coord: tellsPlace ? coord : "",
      sig: await sign(hub, owner.channel_id, content.body),
      item_verified: 1,
    },
    [],
  );
  await saveItem(hub, {
    ...(await scopeOfPhoto(hub, owner, file)),
    uid: owner.channel_id,
    aid: owner.channel_account_id,
    message_id: message.id,
    author_id: owner.xchan_id,
    owner_id: owner.xchan_id,
    created: file.created,
    item_origin: 1,
    item_wall: 1,
    item_hidden: 1,
  });
}

/**
 * Brings the linked items of images up to date with their files: audience, name, album. One that was public and has
 * been answered stays as it is when its file no longer is (native contract 2.14), except with `newBytes`: nobody has
 * answered those. Inside a transaction.
 */
export async function changePhotoItems(
  hub: Hub,
  owner: Channel,
  hashes: readonly string[],
  { newBytes = false } = {},
): Promise<void> {
  for (const item of await itemsOfPhotos(hub, owner.channel_id, hashes)) {
    const file = await hub.db
      .selectFrom("attach")
      .selectAll()
      .where("uid", "=", owner.channel_id)
      .where("hash", "=", item.resource_id)
      .where("latest", "=", yes)
      .executeTakeFirst();
    if (file) await changePhotoItem(hub, owner, item, file, newBytes);
  }
}

async function changePhotoItem(hub: Hub, owner: Channel, item: Item, file: File, newBytes: boolean): Promise<void> {
  await lockThread(hub, item.message_id);
  const scope = await scopeOfPhoto(hub, owner, file);
  const isPosted = item.item_hidden === 0 && item.item_private === 0;
  if (isPosted && scope.item_private !== 0 && !newBytes) return;
  const content = await photoContent(hub, owner, file);
  const signature = signAgain(item, await sign(hub, owner.channel_id, content.body));
  await hub.db
    .updateTable("message")
    .set({ ...content, ...signature, edited: now(hub) })
    .where("id", "=", item.message_id)
    .execute();
  await refreshWords(hub, [item.message_id]);
  if (isPosted && scope.item_private === 0) return;
  // Answers have the audience of their thread.
  await hub.db
    .updateTable("item")
    .set({ ...scope, changed: now(hub) })
    .where("parent", "=", item.id)
    .execute();
}

/** A hidden photo item appears with its first comment or reaction, and goes to its audience from then on. */
export async function showPhotoItem(hub: Hub, item: Item): Promise<void> {
  await hub.db
    .updateTable("item")
    .set({ item_hidden: 0, changed: now(hub) })
    .where("message_id", "=", item.message_id)
    .execute();
  await countStatus(hub, { ...item, item_hidden: 0 }, 1);
  if (await hasConnections(hub, item.uid))
    await addJob(hub, "deliver-item", { item: item.id }, { lane: senderLane(item.uid) });
}

/** The linked items of these images of a channel. */
export async function itemsOfPhotos(hub: Hub, uid: number, hashes: readonly string[]): Promise<Item[]> {
  const messages = await linkedMessages(hub, "photo", hashes);
  if (messages.length === 0) return [];
  return selectItems(hub)
    .where(isOneOf(hub.engine, sql.ref("item.message_id"), messages))
    .where("item.uid", "=", uid)
    .where("item.item_deleted", "=", 0)
    .execute();
}

/**
 * Who may see a linked item: whom the image's lists name, and those of the directories above it. Where these differ nobody
 * but the owner can be sure to be named by all of them; without lists it is whom the channel shows its files.
 */
async function scopeOfPhoto(hub: Hub, owner: Channel, file: File): Promise<Scope> {
  const limits = await permissionLimitsOf(hub, owner.channel_id);
  const word = (name: PermissionName): string => scopeWord(hub, limits[name]);
  const [named = openLists, ...others] = await listsAbove(hub, file);
  const audience = audienceIn(others.length > 0 ? ownerOnly(owner) : named);
  return scopeOf(audience, word("view_storage"), word("post_comments"));
}
