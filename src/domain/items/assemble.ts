import type { Hub } from "../../hub.ts";
import { compiled } from "../../storage/compiled-query.ts";
import { isOneOf } from "../../storage/sql.ts";
import { sql } from "kysely";
import { findXchans } from "../identity/xchans/xchans.ts";
import type { Item, ItemPage, Meta, Term } from "./types.ts";

/** Loads what belongs to the items, in a fixed number of queries; `uid` is whose private terms and metadata may be shown. */
export async function assemblePage<Row extends Pick<Item, "message_id" | "author_id" | "owner_id" | "source_id">>(
  hub: Hub,
  items: Row[],
  uid: number,
): Promise<ItemPage<Row>> {
  const people = new Set(items.flatMap((item) => [item.author_id, item.owner_id, item.source_id]));
  people.delete(0);
  const messages = [...new Set(items.map((item) => item.message_id))];
  const [xchans, terms, meta] = await Promise.all([
    findXchans(hub, [...people]),
    loadTerms(hub, messages, uid),
    loadMeta(hub, messages, uid),
  ]);
  return { items, xchans: new Map(xchans.map((xchan) => [xchan.xchan_id, xchan])), terms, meta };
}

/** Terms of the messages by message id: those of the message and the channel's own. */
export async function loadTerms(hub: Hub, messages: number[], uid: number): Promise<Map<number, Term[]>> {
  if (messages.length === 0) return new Map();
  const rows = await compiled(hub, "terms", { messages, uid }, (slots) =>
    hub.db
      .selectFrom("term")
      .selectAll()
      .where(isOneOf(hub.engine, sql.ref("message_id"), slots.messages))
      .where((x) => x.or([x("uid", "=", 0), x("uid", "=", slots.uid)]))
      .orderBy("tid"),
  );
  return byMessage(rows);
}

async function loadMeta(hub: Hub, messages: number[], uid: number): Promise<Map<number, Meta[]>> {
  if (messages.length === 0) return new Map();
  const rows = await compiled(hub, "metadata", { messages, uid }, (slots) =>
    hub.db
      .selectFrom("iconfig")
      .selectAll()
      .where(isOneOf(hub.engine, sql.ref("message_id"), slots.messages))
      .where((x) => x.or([x("uid", "=", 0), x("uid", "=", slots.uid)]))
      .orderBy("id"),
  );
  return byMessage(rows);
}

function byMessage<T extends { message_id: number }>(rows: T[]): Map<number, T[]> {
  const map = new Map<number, T[]>();
  for (const row of rows) {
    const list = map.get(row.message_id);
    if (list) list.push(row);
    else map.set(row.message_id, [row]);
  }
  return map;
}
