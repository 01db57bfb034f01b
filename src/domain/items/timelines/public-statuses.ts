import { sql } from "kysely";
import type { SqlBool } from "kysely";
import type { Hub } from "../../../hub.ts";
import type { Observer } from "../../identity/channels/observer.ts";
import { visibleTo } from "../../permissions/visible.ts";
import type { StatusItem } from "../columns.ts";
import { no, selectStatuses, yes } from "../queries.ts";
import { tagKey } from "../save.ts";
import { narrowedBy } from "./narrowed.ts";
import { bounds, listed, notHidden, shown } from "./timeline-sources.ts";
import type { TimelineQuery } from "./timelines.ts";

/** What is public on walls of this hub, or what one person wrote there, as far as somebody without a channel may see it; newest first. */
export async function publicStatuses(
  hub: Hub,
  observer: Observer,
  asked: Omit<TimelineQuery, "page">,
  author?: number,
): Promise<StatusItem[]> {
  const { count, sinceId, maxId, minId, excludeReplies, tagged } = asked;
  const slot = (id: number | undefined) => (id === undefined ? undefined : sql<number>`${id}`);
  const [since, most, least] = [slot(sinceId), slot(maxId), slot(minId)];
  let query = selectStatuses(hub)
    .where("item.item_wall", "=", yes)
    .where("item.item_private", "=", no)
    .where(shown)
    .where(sql<SqlBool>`case when ${visibleTo(hub, observer)} then true else false end`);
  for (const bound of bounds({
    ...(since && { sinceId: since }),
    ...(most && { maxId: most }),
    ...(least && { minId: least }),
  }))
    query = query.where(bound);
  query = author === undefined ? query.where(notHidden).where(listed) : query.where("item.author_id", "=", author);
  for (const wanted of narrowedBy(asked, tagged === undefined ? undefined : sql`${tagKey(tagged)}`))
    query = query.where(wanted);
  if (excludeReplies) query = query.where("item.item_thread_top", "=", yes);
  const rows = await query
    .orderBy("item.id", minId === undefined ? "desc" : "asc")
    .limit(count)
    .execute();
  return minId === undefined ? rows : rows.toReversed();
}
