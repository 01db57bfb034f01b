import { sql } from "kysely";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import type { RestoredItem } from "./restored-item.ts";

/** What is here already of the items that an import brings; a fixed number of queries for each batch. */

/** The channel's row of a message. */
export type Here = {
  id: number;
  parent: number;
  message_id: number;
  mid: string;
  version: number;
  author_id: number;
  owner_id: number;
  edited: string;
  body: string;
  title: string;
};

export type KnownMessage = {
  id: number;
  body: string;
  title: string;
  sig: string;
  /** Its author's signature held when it was stored. */
  verified: boolean;
  /** How many channels of this hub have it. */
  copies: number;
  /** Somebody's copy is for everybody. */
  shown: boolean;
};

/** Names one version of a message. */
export function keyOf({ mid, version }: Pick<RestoredItem, "mid" | "version">): string {
  return `${mid} ${version}`;
}

/** The channel's rows of the items, of their threads' tops and of what they answer. */
export async function findHere(
  hub: Hub,
  uid: number,
  items: readonly Pick<RestoredItem, "mid" | "parentMid" | "thrParent">[],
): Promise<{ exact: Map<string, Here>; byMid: Map<string, Here> }> {
  const mids = [...new Set(items.flatMap((item) => [item.mid, item.parentMid, item.thrParent]))];
  const rows: Here[] = await hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .select(["item.id", "item.parent", "item.message_id", "item.author_id", "item.owner_id"])
    .select(["message.mid", "message.version", "message.edited", "message.body", "message.title"])
    .where(isOneOf(hub.engine, sql.ref("message.mid"), mids))
    .where("item.uid", "=", uid)
    .orderBy("item.id")
    .execute();
  return {
    // What the channel keeps as it was is its row of the message.
    exact: new Map(rows.map((row) => [keyOf({ ...row, version: Math.max(row.version, 0) }), row])),
    byMid: new Map(rows.map((row) => [row.mid, row])),
  };
}

/** The messages of these mids that this hub has, by mid, version and author. */
export async function findMessages(hub: Hub, items: readonly RestoredItem[]): Promise<Map<string, KnownMessage>> {
  const mids = [...new Set(items.map((item) => item.mid))];
  const rows = await hub.db
    .selectFrom("message")
    .leftJoin("item", "item.message_id", "message.id")
    .select(["message.id", "message.mid", "message.version", "message.author_id", "message.body", "message.title"])
    .select(["message.sig", "message.item_verified"])
    .select((x) => [
      x.fn.count<number>("item.id").as("copies"),
      sql<number>`sum(case when item.item_private = 0 and item.item_normal = 1 then 1 else 0 end)`.as("shown"),
    ])
    .where(isOneOf(hub.engine, sql.ref("message.mid"), mids))
    .groupBy("message.id")
    .execute();
  return new Map(
    rows.map(({ id, body, title, sig, ...row }) => [
      `${keyOf(row)} ${row.author_id}`,
      {
        id,
        body,
        title,
        sig,
        verified: row.item_verified === 1,
        copies: Number(row.copies),
        shown: Number(row.shown) > 0,
      },
    ]),
  );
}

/** The uuids that the items came with, or that mids of this family carry, by mid, as far as they are free: old links lead on with them. */
export async function freeUuids(hub: Hub, items: readonly RestoredItem[]): Promise<Map<string, string>> {
  const wanted = new Map<string, string>();
  const once = new Set<string>();
  for (const { mid, uuid: given } of items) {
    const uuid = /(?:^|\/(?:item|activity)\/)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(given || mid)?.[1];
    if (uuid === undefined || once.has(uuid) || wanted.has(mid)) continue;
    once.add(uuid);
    wanted.set(mid, uuid);
  }
  if (wanted.size === 0) return wanted;
  const rows = await hub.db
    .selectFrom("message")
    .select("uuid")
    .where(isOneOf(hub.engine, sql.ref("uuid"), [...wanted.values()]))
    .execute();
  const taken = new Set(rows.map((row) => row.uuid));
  return new Map([...wanted].filter(([, uuid]) => !taken.has(uuid)));
}

/** Answers that came before what they answer find their place now. */
export async function adoptReplies(hub: Hub, channel: Channel, added: readonly Here[]): Promise<void> {
  if (added.length === 0) return;
  const threads = [...new Set(added.map((row) => row.parent))];
  const lost = await hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .select(["item.id", "message.thr_parent"])
    .where(isOneOf(hub.engine, sql.ref("item.parent"), threads))
    .where("item.thr_parent_id", "=", 0)
    .execute();
  const byMid = new Map(added.map((row) => [row.mid, row]));
  for (const { id, thr_parent } of lost) {
    const parent = byMid.get(thr_parent);
    if (!parent) continue;
    const answers_me = parent.author_id === channel.xchan_id ? 1 : 0;
    await hub.db.updateTable("item").set({ thr_parent_id: parent.id, answers_me }).where("id", "=", id).execute();
  }
}
