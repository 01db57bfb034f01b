import { sql } from "kysely";
import { missing } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { may } from "../permissions/may.ts";
import { visibleTo } from "../permissions/visible.ts";
import type { ArticleKind } from "./kinds.ts";
import type { Article } from "./columns.ts";
import { selectArticles } from "./queries.ts";
import { cutPage } from "../../storage/key-page.ts";

type Owner = Pick<Channel, "channel_id">;

/**
 * The channel's articles or cards that the observer may see, newest first; `before` is the last page's `next`. They are posts
 * of the channel's wall, so whoever may not see its posts or its pages sees none.
 */
export async function listArticles(
  hub: Hub,
  observer: Observer,
  channel: Owner,
  kind: ArticleKind,
  { before, count }: { before?: number; count: number },
): Promise<{ articles: Article[]; next: number | undefined }> {
  if (!(await may(hub, observer, "view_pages", channel.channel_id))) return { articles: [], next: undefined };
  let query = visibleArticles(hub, observer, channel, kind);
  if (before !== undefined) query = query.where("item.id", "<", before);
  const rows = await query
    .orderBy("item.id", "desc")
    .limit(count + 1)
    .execute();
  const { page: articles, next } = cutPage(rows, count, (row) => row.id);
  return { articles, next };
}

/** The article or card with that name or uuid. Throws missing, alike for unknown and for unseen ones. */
export async function findArticle(
  hub: Hub,
  observer: Observer,
  channel: Owner,
  kind: ArticleKind,
  name: string,
): Promise<Article> {
  if (!(await may(hub, observer, "view_pages", channel.channel_id))) throw missing("Page");
  const query = visibleArticles(hub, observer, channel, kind);
  const found = await query
    .where((x) => x.or([x(sql.ref("name.v"), "=", name), x("message.uuid", "=", name)]))
    .orderBy("item.id")
    .executeTakeFirst();
  if (!found) throw missing("Page");
  return found;
}

function visibleArticles(hub: Hub, observer: Observer, { channel_id }: Owner, kind: ArticleKind) {
  return selectArticles(hub, channel_id, kind).where(visibleTo(hub, observer));
}
