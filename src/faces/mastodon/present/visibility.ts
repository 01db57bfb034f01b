import { parseList } from "../../../domain/groups/lists.ts";
import type { ApplicationItem } from "../../../domain/items/columns.ts";
import type { StatusDetails } from "../../../domain/items/timelines/status-details.ts";
import type { Sheet } from "./sheet.ts";
import type { StatusObject } from "./status-object.ts";

/** By the first line of mastodon contract 6.1 that fits. */
export function visibilityOf(
  sheet: Sheet,
  item: Pick<ApplicationItem, "item_private" | "author_id">,
  details: StatusDetails,
): StatusObject["visibility"] {
  if (item.item_private === 0) return details.unlisted ? "unlisted" : "public";
  if (details.direct === 1) return "direct";
  return sheet.me === item.author_id && isForNobodyElse(sheet, details) ? "direct" : "private";
}

/** Of a post of the caller's. */
function isForNobodyElse({ listed, me }: Sheet, { public_policy, allow_cid, allow_gid }: StatusDetails): boolean {
  if (allow_gid !== "") return false;
  if (allow_cid === "") return public_policy === "self";
  return parseList(allow_cid).every((hash) => listed.people.get(hash)?.xchan_id === me);
}
