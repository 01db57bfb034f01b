import type { Hub } from "../../hub.ts";
import type { Item } from "./types.ts";

/** What a wiki or a page of one takes along when it is deleted: all its pages, or all versions of the page. */
export async function versionsOf(
  hub: Hub,
  item: Pick<Item, "uid" | "mid" | "resource_type" | "resource_id">,
): Promise<number[]> {
  if (item.resource_type !== "nwiki" && item.resource_type !== "nwikipage") return [];
  let query = hub.db
    .selectFrom("message")
    .innerJoin("item", "item.message_id", "message.id")
    .select("message.id")
    .where("message.resource_id", "=", item.resource_id)
    .where("message.resource_type", "in", ["nwiki", "nwikipage"])
    .where("item.uid", "=", item.uid);
  if (item.resource_type === "nwikipage") query = query.where("message.mid", "=", item.mid);
  return (await query.execute()).map((row) => row.id);
}
