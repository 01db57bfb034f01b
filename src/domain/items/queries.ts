import { sql } from "kysely";
import type { RawBuilder, SelectQueryBuilder, SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";
import type { Tables } from "../../storage/tables/index.ts";
import { fullColumns, streamColumns } from "./stream-columns.ts";
import type { FullItem, StreamItem } from "./stream-columns.ts";
import type { Item, StatusItem } from "./types.ts";

/** What an item shows of its message. */
export const contentColumns = [
  "message.mid",
  "message.uuid",
  "message.parent_mid",
  "message.thr_parent",
  "message.edited",
  "message.expires",
  "message.comments_closed",
  "message.mimetype",
  "message.title",
  "message.summary",
  "message.body",
  "message.html",
  "message.plain",
  "message.app",
  "message.lang",
  "message.revision",
  "message.verb",
  "message.obj_type",
  "message.obj",
  "message.tgt_type",
  "message.target",
  "message.layout_mid",
  "message.plink",
  "message.resource_id",
  "message.resource_type",
  "message.attach",
  "message.sig",
  "message.fed_meta",
  "message.location",
  "message.coord",
  "message.item_consensus",
  "message.item_nocomment",
  "message.item_nsfw",
  "message.item_verified",
  "message.item_rss",
  "message.shared_id",
] as const;

/** Rows of items joined with their messages, whatever is selected of them. */
export type AnyQuery<T> = SelectQueryBuilder<Tables, "item" | "message", T>;
export type ItemQuery = AnyQuery<Item>;

/** Item records: a channel's rows joined with their messages. */
export function selectItems(hub: Hub): ItemQuery {
  return hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .selectAll("item")
    .select(contentColumns) as ItemQuery;
}

/** What streams show of items and no more. */
export function selectForStreams(hub: Hub): AnyQuery<StreamItem> {
  return hub.db.selectFrom("item").innerJoin("message", "message.id", "item.message_id").select(streamColumns);
}

/** What the full portable form shows of items and no more: for exports the width of the rows is much of the cost. */
export function selectInFull(hub: Hub): AnyQuery<FullItem> {
  return hub.db.selectFrom("item").innerJoin("message", "message.id", "item.message_id").select(fullColumns);
}

const statusColumns = [
  "item.id",
  "item.uid",
  "item.parent",
  "item.thr_parent_id",
  "item.message_id",
  "item.author_id",
  "item.owner_id",
  "item.created",
  "item.item_private",
  "item.item_starred",
  "item.item_thread_top",
  "item.item_unseen",
  "message.title",
  "message.summary",
  "message.body",
  "message.html",
  "message.plain",
  "message.mimetype",
  "message.app",
  "message.lang",
  "message.plink",
  "message.attach",
  "message.location",
  "message.coord",
  "message.item_nsfw",
  "message.item_rss",
  "message.shared_id",
] as const;

export type StatusQuery = AnyQuery<StatusItem>;

/** What statuses show of items and no more: for their pages the width of the rows is most of the cost. */
export function selectStatuses(hub: Hub): StatusQuery {
  return hub.db.selectFrom("item").innerJoin("message", "message.id", "item.message_id").select(statusColumns);
}

/** Whether a message repeats another and adds nothing: as sharing writes it, one block and nothing around it. */
export function sharesPurely(message = "message"): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(`${message}.body`)} like '[share%[/share]'`;
}

/** A flag as a constant of the statement, so that partial indexes serve the query. */
export const yes = sql.lit(1);
export const no = sql.lit(0);

/** Leaves out what people wrote or own whom the channel has blocked or ignores; who they are is looked up once. */
export function withoutUnwanted<T>(
  query: AnyQuery<T>,
  uid: number | RawBuilder<number>,
  ignored: "ignored too" | "only blocked",
): AnyQuery<T> {
  return query
    .where("item.author_id", "not in", ({ selectFrom }) => unwanted(selectFrom("abook"), uid, ignored))
    .where("item.owner_id", "not in", ({ selectFrom }) => unwanted(selectFrom("abook"), uid, ignored));
}

/** The ids of people whom a channel has blocked, or ignores. */
export function unwanted(
  connections: SelectQueryBuilder<Tables, "abook", object>,
  uid: number | RawBuilder<number>,
  ignored: "ignored too" | "only blocked",
): SelectQueryBuilder<Tables, "abook" | "xchan", { xchan_id: number }> {
  return connections
    .innerJoin("xchan", "xchan.xchan_hash", "abook.abook_xchan")
    .select("xchan.xchan_id")
    .where("abook.abook_channel", "=", uid)
    .where((x) =>
      ignored === "ignored too"
        ? x.or([x("abook.abook_blocked", "=", yes), x("abook.abook_ignored", "=", yes)])
        : x("abook.abook_blocked", "=", yes),
    );
}

/**
 * Locks a thread for whatever changes it: on PostgreSQL the wall's rows of its top, so that nobody gets half of it. Answers whether others may have changed it meanwhile; SQLite has one writer, so there they cannot.
 */
export async function lockThread(hub: Hub, topMessageId: number): Promise<boolean> {
  if (hub.engine !== "postgres") return false;
  await hub.db
    .selectFrom("item")
    .select("id")
    .where("message_id", "=", topMessageId)
    .where("item_wall", "=", yes)
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
  return true;
}
