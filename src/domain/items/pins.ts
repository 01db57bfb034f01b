import { sql } from "kysely";
import type { RawBuilder, SelectQueryBuilder } from "kysely";
import type { Hub } from "../../hub.ts";
import { compiled } from "../../storage/compiled-query.ts";
import { isOneOf } from "../../storage/sql.ts";
import type { Tables } from "../../storage/tables/index.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { hasValue } from "./metadata.ts";
import { insertMeta } from "./save.ts";
import type { NewMeta } from "./save.ts";
import type { Item, Meta } from "./types.ts";

/**
 * What somebody keeps on top of their page (federation contract 3, `featured`), here or elsewhere. The message says itself who has
 * pinned it, by their hash, so that it stays pinned wherever its author goes.
 */
export function pinMark<V>(hash: V): Omit<NewMeta, "v"> & { v: V } {
  return { cat: "federation", k: "pinned", v: hash, sharing: 1, uid: 0, remote_key: null };
}

/** Does metadata of an import say that somebody else has pinned it? Nobody is taken at their word for that. */
export function isForeignPin({ cat, k, v }: Pick<Meta, "cat" | "k" | "v">, hash: string): boolean {
  const own = pinMark(hash);
  return cat === own.cat && k === own.k && v !== own.v;
}

/** Is it a post of the channel on its own wall? */
export function canPin({ channel_id, xchan_id }: Pick<Channel, "channel_id" | "xchan_id">, item: PinnedKind): boolean {
  const isOwn = item.author_id === xchan_id && item.owner_id === xchan_id && item.uid === channel_id;
  return isOwn && item.item_thread_top === 1 && item.item_wall === 1;
}

type PinnedKind = Pick<Item, "author_id" | "owner_id" | "uid" | "item_thread_top" | "item_wall">;

/** So many pins are kept of one person (federation contract 4.3). */
export const mostPins = 20;

/** Rows of metadata that are somebody's pins. */
export function pins(hub: Hub, hash: RawBuilder<string> | string): SelectQueryBuilder<Tables, "iconfig", object> {
  const { uid, cat, k } = pinMark(hash);
  return hub.db
    .selectFrom("iconfig")
    .where("iconfig.uid", "=", sql.lit(uid))
    .where("iconfig.cat", "=", sql.lit(cat))
    .where("iconfig.k", "=", sql.lit(k))
    .where(hasValue(hash));
}

/** The messages that somebody has pinned, the newest pin first. */
export async function pinsOf(hub: Hub, hash: string): Promise<number[]> {
  const rows = await pins(hub, hash).select("message_id").orderBy("iconfig.id", "desc").limit(mostPins).execute();
  return rows.map((row) => row.message_id);
}

/** Which of these messages somebody has pinned. */
export async function pinnedAmong(hub: Hub, hash: string, messages: readonly number[]): Promise<Set<number>> {
  if (messages.length === 0) return new Set();
  const rows = await compiled(hub, "pinned among", { hash, messages }, (slots) =>
    pins(hub, slots.hash)
      .select("message_id")
      .where(isOneOf(hub.engine, sql.ref("message_id"), slots.messages)),
  );
  return new Set(rows.map((row) => row.message_id));
}

/** These messages, the newest pin first, are what somebody has pinned from now on. Part of a transaction that others wait for. */
export async function replacePins(hub: Hub, hash: string, messages: readonly number[]): Promise<void> {
  await hub.db.deleteFrom("iconfig").where("id", "in", pins(hub, hash).select("iconfig.id")).execute();
  for (const message of messages.slice(0, mostPins).toReversed()) await insertMeta(hub, message, [pinMark(hash)]);
}
