import type { StatusItem } from "../../../domain/items/columns.ts";
import type { StatusDetails } from "../../../domain/items/timelines/status-details.ts";
import type { StatusObject } from "./status-object.ts";

/** By the first line of mastodon contract 6.1 that fits. */
export function visibilityOf(
  item: Pick<StatusItem, "item_private" | "author_id">,
  details: StatusDetails,
  me: number | undefined,
): StatusObject["visibility"] {
  if (item.item_private === 0) return details.unlisted ? "unlisted" : "public";
  if (details.direct === 1) return "direct";
  const isForAuthor = details.public_policy === "self" && details.allow_cid === "" && details.allow_gid === "";
  return isForAuthor && me === item.author_id ? "direct" : "private";
}
