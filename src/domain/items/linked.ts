import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import { assemblePage } from "./assemble.ts";
import { no, selectItems } from "./queries.ts";
import type { ItemPage } from "./types.ts";

/**
 * The channel's items that stand for these records (native contract 2.8, resource_type and resource_id), oldest first;
 * with `comments` whole threads, tops first.
 */
export async function linkedItems(
  hub: Hub,
  uid: number,
  type: "photo" | "event",
  ids: readonly string[],
  part: "alone" | "with comments" = "alone",
): Promise<ItemPage> {
  const linked = hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .where((eb) => isOneOf(hub.engine, eb.ref("message.resource_id"), ids))
    .where("message.resource_id", "<>", sql.lit(""))
    .where("message.resource_type", "=", sql.lit(type))
    .where("item.uid", "=", uid)
    .where("item.item_deleted", "=", no)
    .select("item.id");
  const found = ids.length === 0 ? [] : await linked.execute();
  const items =
    found.length === 0
      ? []
      : await selectItems(hub)
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
