import { sql } from "kysely";
import type { Hub } from "../../../hub.ts";
import { keyPage } from "../../../storage/key-page.ts";
import type { KeyPage, KeyWindow } from "../../../storage/key-page.ts";
import { isOneOf } from "../../../storage/sql.ts";
import { isNobody } from "../../identity/channels/observer.ts";
import type { Observer } from "../../identity/channels/observer.ts";
import { selectItems, withoutUnwanted, yes } from "../queries.ts";
import type { Item } from "../types.ts";
import { verbUri } from "../vocabulary.ts";

/** Who likes an item that the observer sees, by the ids of their likes, without those whom the observer has blocked. */
export async function likersOf(
  hub: Hub,
  observer: Observer,
  { id }: Pick<Item, "id">,
  window: KeyWindow,
): Promise<{ page: KeyPage; authors: Map<number, number> }> {
  const likes = selectItems(hub)
    .clearSelect()
    .select("item.id as key")
    .where("item.thr_parent_id", "=", id)
    .where("item.item_normal", "=", yes)
    .where("item.item_notshown", "=", yes)
    .where("message.verb", "=", sql.lit(verbUri("like")));
  const shown = isNobody(observer) ? likes : withoutUnwanted(likes, observer.channelId, "only blocked");
  const page = await keyPage(hub, shown, window);
  return { page, authors: await authorsOf(hub, page.keys) };
}

/** Who wrote these items, by their ids. */
export async function authorsOf(hub: Hub, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await hub.db
    .selectFrom("item")
    .select(["id", "author_id"])
    .where(isOneOf(hub.engine, sql.ref("id"), ids))
    .execute();
  return new Map(rows.map((row) => [row.id, row.author_id]));
}
