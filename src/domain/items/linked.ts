import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import { assemblePage } from "./assemble.ts";
import { no, selectInFull } from "./queries.ts";
import type { FullItem } from "./columns.ts";
import type { ItemPage } from "./types.ts";

/**
 * The channel's items that stand for these records (`resource_type` and `resource_id`), oldest first; with `comments`
 * whole threads, tops first.
 */
export async function linkedItems(
  hub: Hub,
  uid: number,
  type: "photo" | "event",
  ids: readonly string[],
  part: "alone" | "with comments" = "alone",
): Promise<ItemPage<FullItem>> {
  const messages = await linkedMessages(hub, type, ids);
  const linked = hub.db
    .selectFrom("item")
    .where((eb) => isOneOf(hub.engine, eb.ref("item.message_id"), messages))
    .where("item.uid", "=", uid)
    .where("item.item_deleted", "=", no)
    .select("item.id");
  const found = messages.length === 0 ? [] : await linked.execute();
  const items =
    found.length === 0
      ? []
      : await selectInFull(hub)
          .where((eb) =>
            isOneOf(
              hub.engine,
              eb.ref(part === "alone" ? "item.id" : "item.parent"),
              found.map(({ id }) => id),
            ),
          )
          .where("item.uid", "=", uid)
          .where("item.item_deleted", "=", no)
          .orderBy("item.item_thread_top", "desc")
          .orderBy("item.created")
          .orderBy("item.id")
          .execute();
  return assemblePage(hub, items, uid);
}

/**
 * The messages that stand for these records, whoever has them. A query of its own: in one with the items of a channel the
 * planner would rather read all of these.
 */
export async function linkedMessages(hub: Hub, type: "photo" | "event", ids: readonly string[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await hub.db
    .selectFrom("message")
    .where((eb) => isOneOf(hub.engine, eb.ref("resource_id"), ids))
    .where("resource_id", "<>", sql.lit(""))
    .where("resource_type", "=", sql.lit(type))
    .select("id")
    .execute();
  return rows.map(({ id }) => id);
}
