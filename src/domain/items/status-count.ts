import type { Hub } from "../../hub.ts";
import { addStatuses } from "../identity/xchans/statuses.ts";
import type { ItemRow } from "./types.ts";

/** Keeps the number of an author's public statuses made here; `by` is 1 or -1. */
export async function countStatus(
  hub: Hub,
  item: Pick<
    ItemRow,
    | "author_id"
    | "item_origin"
    | "item_private"
    | "item_type"
    | "item_notshown"
    | "item_delayed"
    | "item_hidden"
    | "item_unpublished"
  >,
  by: 1 | -1,
): Promise<void> {
  const counted =
    item.item_origin === 1 &&
    item.item_private === 0 &&
    item.item_type === 0 &&
    item.item_notshown === 0 &&
    item.item_hidden === 0 &&
    item.item_unpublished === 0 &&
    item.item_delayed === 0;
  if (!counted) return;
  await addStatuses(hub, item.author_id, by);
}
