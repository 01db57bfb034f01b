import { sql } from "kysely";
import { missing } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import type { Channel } from "../identity/channels/channel.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { pageName } from "../items/metadata.ts";
import { visibleTo } from "../permissions/visible.ts";
import type { PageKind } from "./kinds.ts";
import type { ListedPage, WebPage } from "./columns.ts";
import { selectPages } from "./queries.ts";
import { cutPage } from "../../storage/key-page.ts";

type Owner = Pick<Channel, "channel_id">;

/** Page elements of the channel that the observer may see, newest first; `before` is the last page's `next`. */
export async function listPages(
  hub: Hub,
  observer: Observer,
  channel: Owner,
  kind: PageKind,
  { before, count }: { before?: number; count: number },
): Promise<{ pages: ListedPage[]; next: number | undefined }> {
  let query = selectPages(hub, channel.channel_id, kind).where(visibleTo(hub, observer, "view_pages"));
  if (before !== undefined) query = query.where("item.id", "<", before);
  const rows = await query
    .orderBy("item.id", "desc")
    .limit(count + 1)
    .execute();
  const { page: pages, next } = cutPage(rows, count, (row) => row.id);
  return { pages, next };
}

/** The webpage with that name. Throws missing, alike for unknown and for unseen ones. */
export async function findPage(hub: Hub, observer: Observer, channel: Owner, name: string): Promise<WebPage> {
  const [page] = [...(await pagesNamed(hub, observer, channel, "webpage", [name])).values()];
  if (!page) throw missing("Page");
  return page;
}

/** A page element of that kind by its id. Throws missing, alike for unknown and for unseen ones. */
export async function findElement(
  hub: Hub,
  observer: Observer,
  channel: Owner,
  kind: PageKind,
  id: number,
): Promise<WebPage> {
  const [page] = await readPages(hub, observer, channel, kind, { id });
  if (!page) throw missing("Page");
  return page;
}

/** The layout with that mid, if the observer may see it. */
export async function findLayout(
  hub: Hub,
  observer: Observer,
  channel: Owner,
  mid: string,
): Promise<WebPage | undefined> {
  return mid === "" ? undefined : (await readPages(hub, observer, channel, "layout", { mid }))[0];
}

/** Elements by the names under which they were asked for; what the observer may not see is not among them. */
export async function pagesNamed(
  hub: Hub,
  observer: Observer,
  channel: Owner,
  kind: PageKind,
  names: readonly string[],
): Promise<Map<string, WebPage>> {
  if (names.length === 0) return new Map();
  // A name may have been written as a title is; imported pages keep names of any form.
  const wanted = [...new Set(names.flatMap((name) => [name, pageName(name)]))];
  const pages = await readPages(hub, observer, channel, kind, { names: wanted });
  const byName = new Map(pages.map((page) => [page.name, page]));
  const found = names.map((name) => [name, byName.get(name) ?? byName.get(pageName(name))] as const);
  return new Map(found.filter((pair): pair is [string, WebPage] => pair[1] !== undefined));
}

type Asked = { id: number } | { mid: string } | { names: readonly string[] };

async function readPages(
  hub: Hub,
  observer: Observer,
  channel: Owner,
  kind: PageKind,
  asked: Asked,
): Promise<WebPage[]> {
  const query = selectPages(hub, channel.channel_id, kind)
    .select(["message.body", "message.html", "message.lang"])
    .where(visibleTo(hub, observer, "view_pages"))
    .orderBy("item.id");
  if ("id" in asked) return query.where("item.id", "=", asked.id).execute();
  if ("mid" in asked) return query.where("message.mid", "=", asked.mid).execute();
  return query.where(isOneOf(hub.engine, sql.ref("name.v"), asked.names)).execute();
}
