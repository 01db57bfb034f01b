import { HubError } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channel.ts";
import type { NewMeta } from "./save.ts";
import type { Draft, Item } from "./types.ts";

/** Under which key a kind of page keeps its name: native contract 2.13. */
const pageKeys: Record<number, string> = { 1: "BUILDBLOCK", 2: "PDL", 3: "WEBPAGE", 5: "docfile" };

/** The metadata that a draft brings: its page name, and its identity on another service. */
export function metaOf(draft: Draft, author: Channel): NewMeta[] {
  const key = pageKeys[draft.itemType ?? 0];
  const page =
    key !== undefined && draft.pageTitle ? [{ cat: "system", k: key, v: pageName(draft.pageTitle), sharing: 0 }] : [];
  const remote =
    draft.namespace && draft.remoteId ? [{ cat: "system", k: draft.namespace, v: draft.remoteId, sharing: 0 }] : [];
  return [...page, ...remote].map((entry) => ({ ...entry, uid: author.channel_id }));
}

/** Page names are plain ASCII: lower case, `-` for spaces and slashes. */
export function pageName(title: string): string {
  return title
    .normalize("NFKD")
    .replace(/[^\x20-\x7e]/g, "")
    .trim()
    .toLowerCase()
    .replace(/[\s/]+/g, "-");
}

/** The channel's item that stands for a thing of another service, if there is one. */
export async function findByRemoteId(
  hub: Hub,
  uid: number,
  namespace: string,
  remoteId: string,
): Promise<number | undefined> {
  const row = await hub.db
    .selectFrom("iconfig")
    .innerJoin("item", "item.message_id", "iconfig.message_id")
    .select("item.id")
    .where("iconfig.uid", "=", uid)
    .where("iconfig.cat", "=", "system")
    .where("iconfig.k", "=", namespace)
    .where("iconfig.v", "=", remoteId)
    .where("item.uid", "=", uid)
    .where("item.item_deleted", "=", 0)
    .executeTakeFirst();
  return row?.id;
}

/** A name that another page of the kind has already is refused. Throws conflict. */
export async function refuseTakenPageName(
  hub: Hub,
  uid: number,
  itemType: number,
  title: string,
  own = 0,
): Promise<void> {
  const key = pageKeys[itemType];
  const taken = key === undefined ? undefined : await findByRemoteId(hub, uid, key, pageName(title));
  if (taken !== undefined && taken !== own)
    throw new HubError("conflict", "There is a page of that name already.", { field: "pagetitle" });
}

/** Gives a page another name. Throws conflict. */
export async function renamePage(
  hub: Hub,
  item: Pick<Item, "id" | "uid" | "message_id" | "item_type">,
  title: string,
): Promise<void> {
  const key = pageKeys[item.item_type];
  if (key === undefined || title === "") return;
  await refuseTakenPageName(hub, item.uid, item.item_type, title, item.id);
  const { message_id, uid } = item;
  await hub.db
    .deleteFrom("iconfig")
    .where("message_id", "=", message_id)
    .where("uid", "=", uid)
    .where("cat", "=", "system")
    .where("k", "=", key)
    .execute();
  await hub.db
    .insertInto("iconfig")
    .values({ message_id, uid, cat: "system", k: key, v: pageName(title), sharing: 0 })
    .execute();
}

/** The mid of a layout of the channel; anything else is dropped (native contract 2.8). */
export async function ownLayout(hub: Hub, uid: number, mid: string | undefined): Promise<string> {
  if (!mid) return "";
  const row = await hub.db
    .selectFrom("message")
    .innerJoin("item", "item.message_id", "message.id")
    .select("item.id")
    .where("message.mid", "=", mid)
    .where("item.uid", "=", uid)
    .where("item.item_type", "=", 2)
    .where("item.item_deleted", "=", 0)
    .executeTakeFirst();
  return row ? mid : "";
}
