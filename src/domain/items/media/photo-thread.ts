import { sql } from "kysely";
import { missing, unlessMissing } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import { findFile } from "../../files/find.ts";
import type { File } from "../../files/types.ts";
import type { Observer } from "../../identity/channels/observer.ts";
import { visibleTo } from "../../permissions/visible.ts";
import { findVisibleItem, named } from "../find.ts";
import type { ItemRef } from "../find.ts";
import { linkedMessages } from "../linked.ts";
import { no, selectItems, withoutUnwanted, yes } from "../queries.ts";
import type { ThreadPart } from "../timelines/thread.ts";
import { seenPart, windowed } from "../timelines/thread-window.ts";
import type { ThreadWindow } from "../timelines/thread-window.ts";
import type { Item } from "../types.ts";

/** A part of the thread of an image; without items where there is none to be seen. */
export type PhotoThread = Omit<ThreadPart, "items"> & { items: Item[] };

/**
 * The linked item of an image that the observer sees, and its newest comments or those of a window, by `view_storage` (native contract 3.5 rule 3); the
 * top first, hidden or not. Empty when it has none that the observer may see.
 */
export async function photoThread(
  hub: Hub,
  observer: Observer,
  file: File,
  window: ThreadWindow = {},
): Promise<PhotoThread> {
  const messages = await linkedMessages(hub, "photo", [file.hash]);
  const top = await selectItems(hub)
    .where(isOneOf(hub.engine, sql.ref("item.message_id"), messages))
    .where("item.uid", "=", file.uid)
    .where("item.item_deleted", "=", no)
    .where(visibleTo(hub, observer, "view_storage"))
    .orderBy("item.id")
    .executeTakeFirst();
  if (!top) return { items: [], older: undefined, newer: undefined };
  const part = await windowed(hub, top.id, window);
  const comments = selectItems(hub)
    .where(isOneOf(hub.engine, sql.ref("item.id"), part.ids))
    .where("item.item_normal", "=", yes)
    .where("item.item_notshown", "=", no)
    .where("item.item_thread_top", "=", no)
    .where(visibleTo(hub, observer, "view_storage"));
  const shown = observer.channelId > 0 ? withoutUnwanted(comments, observer.channelId, "only blocked") : comments;
  const { items, ...more } = seenPart(part, await shown.orderBy("item.created").orderBy("item.id").execute());
  return { items: [top, ...items], ...more };
}

/** The public post that an image has become, whatever its file's lists say now; undefined when the observer sees none. */
export async function postedPhoto(hub: Hub, observer: Observer, uid: number, hash: string): Promise<Item | undefined> {
  return selectItems(hub)
    .where(isOneOf(hub.engine, sql.ref("item.message_id"), await linkedMessages(hub, "photo", [hash])))
    .where("item.uid", "=", uid)
    .where("item.item_private", "=", no)
    .where("item.item_normal", "=", yes)
    .where(visibleTo(hub, observer))
    .orderBy("item.id")
    .executeTakeFirst();
}

/**
 * An item that the observer may answer: one that it sees, or one of the thread of a photo that it sees, shown or not.
 * Throws missing.
 */
export async function findAnswerable(hub: Hub, observer: Observer, ref: ItemRef): Promise<Item> {
  const found = (await unlessMissing(findVisibleItem(hub, observer, ref))) ?? (await findByPhoto(hub, observer, ref));
  if (!found) throw missing("Item");
  return found;
}

async function findByPhoto(hub: Hub, observer: Observer, ref: ItemRef): Promise<Item | undefined> {
  const item = await named(selectItems(hub), ref)
    .where("item.item_wall", "=", yes)
    .where("item.item_deleted", "=", no)
    .where(visibleTo(hub, observer, "view_storage"))
    .orderBy("item.id")
    .executeTakeFirst();
  if (!item) return undefined;
  const top = await selectItems(hub).where("item.id", "=", item.parent).executeTakeFirst();
  if (top?.resource_type !== "photo") return undefined;
  const seen = await unlessMissing(findFile(hub, observer, { hash: top.resource_id }, top.uid));
  return seen && item;
}
