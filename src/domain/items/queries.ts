import { sql } from "kysely";
import type { RawBuilder, SelectQueryBuilder, SqlBool } from "kysely";
import { unwantedBy } from "../connections/unwanted.ts";
import type { Unwanted } from "../connections/unwanted.ts";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import type { Tables } from "../../storage/tables/index.ts";
import { contentColumns, fullColumns, statusColumns, streamColumns } from "./columns.ts";
import type { FullItem, StatusItem, StreamItem } from "./columns.ts";
import type { Item } from "./types.ts";

/** Rows of items joined with their messages, whatever is selected of them. */
export type AnyQuery<T> = SelectQueryBuilder<Tables, "item" | "message", T>;
export type ItemQuery = AnyQuery<Item>;

/** Item records: a channel's rows joined with their messages. */
export function selectItems(hub: Hub): ItemQuery {
  return hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .selectAll("item")
    .select(contentColumns);
}

/** What streams show of items and no more. */
export function selectForStreams(hub: Hub): AnyQuery<StreamItem> {
  return hub.db.selectFrom("item").innerJoin("message", "message.id", "item.message_id").select(streamColumns);
}

/** What the full portable form shows of items and no more: for exports the width of the rows is much of the cost. */
export function selectInFull(hub: Hub): AnyQuery<FullItem> {
  return hub.db.selectFrom("item").innerJoin("message", "message.id", "item.message_id").select(fullColumns);
}

export type StatusQuery = AnyQuery<StatusItem>;

/** What statuses show of items and no more: for their pages the width of the rows is most of the cost. */
export function selectStatuses(hub: Hub): StatusQuery {
  return hub.db.selectFrom("item").innerJoin("message", "message.id", "item.message_id").select(statusColumns);
}

/** Whether a message repeats another and adds nothing. Where that is not written down yet: one block from its beginning to its end. */
export function sharesPurely(message = "message"): RawBuilder<SqlBool> {
  const [said, body] = [sql.ref(`${message}.shares_purely`), sql.ref(`${message}.body`)];
  return sql<SqlBool>`(${said} = 1 or ${said} = -1 and ${body} like '[share%[/share]')`;
}

/** A flag as a constant of the statement, so that partial indexes serve the query. */
export const yes = sql.lit(1);
export const no = sql.lit(0);

/** Leaves out what people wrote or own whom the channel has blocked or ignores; who they are is looked up once. */
export function withoutUnwanted<T>(query: AnyQuery<T>, uid: number | RawBuilder<number>, which: Unwanted): AnyQuery<T> {
  return query
    .where(sql<SqlBool>`item.author_id not in (${unwantedBy(uid, which)})`)
    .where(sql<SqlBool>`item.owner_id not in (${unwantedBy(uid, which)})`);
}

/**
 * Locks a thread for whatever changes it: on PostgreSQL the wall's rows of its top, so that nobody gets half of it. Answers whether others may have changed it meanwhile; SQLite has one writer, so there they cannot.
 */
export async function lockThread(hub: Hub, topMessageId: number): Promise<boolean> {
  if (hub.engine !== "postgres") return false;
  await lockWalls(hub, sql<SqlBool>`message_id = ${topMessageId}`);
  return true;
}

/** Lets nobody delete these messages before the end of a transaction that repeats them. In the order in which a deletion locks them. */
export async function lockRepeated(hub: Hub, mids: readonly string[]): Promise<void> {
  if (hub.engine !== "postgres") return;
  const messages = hub.db
    .selectFrom("message")
    .select("message.id")
    .where(isOneOf(hub.engine, sql.ref("message.mid"), mids))
    .orderBy("message.id");
  await lockWalls(hub, sql<SqlBool>`message_id in (${messages})`);
  await messages.forShare().execute();
}

/** The rows of these messages on walls. */
async function lockWalls(hub: Hub, ofMessages: RawBuilder<SqlBool>): Promise<void> {
  await hub.db
    .selectFrom("item")
    .select("id")
    .where(ofMessages)
    .where("item_wall", "=", yes)
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
}
