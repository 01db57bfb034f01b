import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../../hub.ts";
import { compiled } from "../../../storage/compiled-query.ts";
import { isOneOf } from "../../../storage/sql.ts";
import type { Observer } from "../../identity/channels/observer.ts";
import { rowsSeen } from "../../permissions/visible.ts";
import { no, selectStatuses, yes } from "../queries.ts";
import type { StatusItem } from "../columns.ts";

/**
 * The newest public status of each of these people that the observer may see, by author, for user objects: by the
 * observer's own copy, where there is one, since its id is the one that timelines show. Two queries.
 */
export async function latestPublicStatuses(
  hub: Hub,
  observer: Observer,
  authors: readonly number[],
): Promise<Map<number, StatusItem>> {
  if (authors.length === 0) return new Map();
  const messages = await latestMessages(hub, observer, authors);
  if (messages.length === 0) return new Map();
  const me = observer.channelId;
  const copies = await compiled(hub, "copies of latest statuses", { messages, me }, ({ messages, me }) =>
    selectStatuses(hub)
      .where(isOneOf(hub.engine, sql.ref("item.message_id"), messages))
      .where("item.item_normal", "=", yes)
      .where("item.item_notshown", "=", no)
      .where(sql<SqlBool>`(item.uid = ${me} or item.item_wall = 1)`)
      // The last of an author's copies stays in the map.
      .orderBy(sql`case when item.uid = ${me} then 1 else 0 end`)
      .orderBy("item.id", "desc"),
  );
  return new Map(copies.map((item) => [item.author_id, item]));
}

/** By the copy on the owner's wall. */
async function latestMessages(hub: Hub, observer: Observer, authors: readonly number[]): Promise<number[]> {
  const rows = await rowsSeen(hub, observer, "latest statuses", { authors }, ({ authors }, seen) => {
    const latest = hub.db
      .selectFrom("item")
      .select("item.message_id")
      .where("item.author_id", "=", sql.ref<number>("xchan.xchan_id"))
      .where("item.item_normal", "=", yes)
      .where("item.item_notshown", "=", no)
      .where("item.item_private", "=", no)
      .where("item.item_wall", "=", yes)
      .where(asked(seen))
      .orderBy("item.id", "desc")
      .limit(sql.lit(1));
    return hub.db
      .selectFrom("xchan")
      .select(latest.as("message"))
      .where(isOneOf(hub.engine, sql.ref("xchan.xchan_id"), authors));
  });
  return rows.flatMap(({ message }) => (message === null ? [] : [message]));
}

/** Asked of one status after the other, the newest first: PostgreSQL would otherwise begin with all channels that may be read. */
function asked(condition: RawBuilder<SqlBool>): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${condition}) is true`;
}
