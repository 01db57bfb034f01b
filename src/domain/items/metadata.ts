import { createRequire } from "node:module";
import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import { refusal } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { remoteKey } from "../../storage/remote-key.ts";
import { lockChannels } from "../identity/channels/lock-channels.ts";
import type { Draft, Item } from "./types.ts";

/** Under which key a kind of page keeps its name. */
const pageKeys: Record<number, string> = {
  1: "BUILDBLOCK",
  2: "PDL",
  3: "WEBPAGE",
  5: "docfile",
  6: "CARD",
  7: "ARTICLE",
};

/** Cards and articles are posts, which stand in streams; all other kinds do not. */
export function isArticle(itemType = 0): boolean {
  return itemType === 6 || itemType === 7;
}

/** What a message says under a mark of its own; undefined where it says nothing. */
export async function markOf(
  hub: Hub,
  messageId: number,
  { uid, cat, k }: { uid: number; cat: string; k: string },
): Promise<string | undefined> {
  const row = await hub.db
    .selectFrom("iconfig")
    .select("v")
    .where("message_id", "=", messageId)
    .where("uid", "=", uid)
    .where("cat", "=", cat)
    .where("k", "=", k)
    .executeTakeFirst();
  return row?.v;
}

/** Stores the metadata that a draft brings: its page name, and its identity on another service. Throws conflict. */
export async function saveMeta(
  hub: Hub,
  uid: number,
  message: { id: number; mid: string },
  draft: Pick<Draft, "itemType" | "pageTitle" | "namespace" | "remoteId">,
): Promise<void> {
  const { namespace, remoteId, itemType = 0 } = draft;
  const own = { message_id: message.id, uid, cat: "system", sharing: 0 };
  const key = pageKeys[itemType];
  if (key !== undefined) {
    const v = await freePageName(hub, uid, draft, message);
    await hub.db
      .insertInto("iconfig")
      .values({ ...own, k: key, v })
      .execute();
  }
  if (!namespace || !remoteId) return;
  const pair = { ...own, k: namespace, v: remoteId, remote_key: remoteKey(namespace, remoteId) };
  await hub.db
    .insertInto("iconfig")
    .values(pair)
    // The item that had it is gone: see storeRemote.
    .onConflict((conflict) => conflict.columns(["uid", "remote_key"]).doUpdateSet({ message_id: message.id }))
    .execute();
}

async function freePageName(
  hub: Hub,
  uid: number,
  draft: Pick<Draft, "itemType" | "pageTitle">,
  message: { mid: string },
): Promise<string> {
  const name = pageName(draft.pageTitle ?? "") || usualPageName(hub, message.mid);
  await refuseTakenPageName(hub, uid, draft.itemType ?? 0, name);
  return name;
}

/** A page that nobody named is called by the beginning of its mid: of the part that tells it from others of this hub. */
function usualPageName(hub: Hub, mid: string): string {
  const own = `${hub.config.baseUrl}/item/`;
  return pageName((mid.startsWith(own) ? mid.slice(own.length) : mid).slice(0, 16));
}

/** Page names are plain ASCII: transliterated, lower case, `-` for spaces and slashes. */
export function pageName(title: string): string {
  return asAscii(title.normalize("NFC"))
    .replace(/[^\x20-\x7e]/g, "")
    .trim()
    .toLowerCase()
    .replace(/[\s/]+/g, "-");
}

/** The tables for other scripts are only loaded when a name needs them. */
function asAscii(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  const { default: transliterate } = createRequire(import.meta.url)("any-ascii") as {
    default: (text: string) => string;
  };
  return transliterate(text);
}

/** Metadata as an import brings it, ready to be stored; of two items with one pair of ids the first keeps it. */
export function importedMeta<T extends { uid: number; cat: string; k: string; v: string }>(
  entry: T,
): T & { remote_key: string | null } {
  const isPair = entry.uid > 0 && entry.cat === "system" && !Object.values(pageKeys).includes(entry.k);
  return { ...entry, remote_key: isPair ? remoteKey(entry.k, entry.v) : null };
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
    .where(hasValue(remoteId))
    .where("item.uid", "=", uid)
    .where("item.item_deleted", "=", 0)
    .orderBy("iconfig.id")
    .executeTakeFirst();
  return row?.id;
}

/** Metadata with this value; the index knows the beginnings of values. */
export function hasValue(v: RawBuilder<string> | string): RawBuilder<SqlBool> {
  return sql<SqlBool>`(substr(iconfig.v, 1, 100) = substr(${v}, 1, 100) and iconfig.v = ${v})`;
}

/** A name that another page of the kind has already is refused. Throws conflict. */
async function refuseTakenPageName(hub: Hub, uid: number, itemType: number, name: string, own = 0): Promise<void> {
  await lockChannels(hub, [uid]);
  const taken = await hub.db
    .selectFrom("iconfig")
    .innerJoin("item", "item.message_id", "iconfig.message_id")
    .select("item.id")
    .where("iconfig.uid", "=", uid)
    .where("iconfig.cat", "=", "system")
    .where("iconfig.k", "=", pageKeys[itemType]!)
    .where(hasValue(name))
    .where("item.uid", "=", uid)
    .where(isArticle(itemType) ? "item.item_kind" : "item.item_type", "=", itemType)
    .where("item.item_deleted", "=", 0)
    .where("item.id", "<>", own)
    .executeTakeFirst();
  if (taken) throw refusal("page_name_taken", { field: "pagetitle" });
}

/** Gives a page another name. Throws conflict. */
export async function renamePage(
  hub: Hub,
  item: Pick<Item, "id" | "uid" | "message_id" | "item_type" | "item_kind">,
  title: string,
): Promise<void> {
  const type = item.item_kind || item.item_type;
  const key = pageKeys[type];
  const name = pageName(title);
  if (key === undefined || name === "") return;
  await refuseTakenPageName(hub, item.uid, type, name, item.id);
  const { message_id, uid } = item;
  await hub.db
    .deleteFrom("iconfig")
    .where("message_id", "=", message_id)
    .where("uid", "=", uid)
    .where("cat", "=", "system")
    .where("k", "=", key)
    .execute();
  await hub.db.insertInto("iconfig").values({ message_id, uid, cat: "system", k: key, v: name, sharing: 0 }).execute();
}

/** The mid of a layout of the channel; anything else is dropped. */
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
