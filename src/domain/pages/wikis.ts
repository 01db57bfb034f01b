import { missing } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { visibleTo } from "../permissions/visible.ts";
import { selectVersions, selectWikis } from "./queries.ts";
import type { ListedWikiPage, Wiki, WikiChange, WikiVersion } from "./wiki-types.ts";
import { cutPage } from "../../storage/key-page.ts";

type Owner = Pick<Channel, "channel_id">;

/** The channel's wikis that the observer may see, by name. */
export async function listWikis(hub: Hub, observer: Observer, channel: Owner): Promise<Wiki[]> {
  const query = wikis(hub, observer, channel);
  return query.orderBy("name.v").orderBy("item.id").execute();
}

/** The wiki of that name. Throws missing, alike for unknown and for unseen ones. */
export async function findWiki(hub: Hub, observer: Observer, channel: Owner, name: string): Promise<Wiki> {
  const query = wikis(hub, observer, channel);
  const wiki = await query.where("name.v", "=", name).orderBy("item.id").executeTakeFirst();
  if (!wiki) throw missing("Wiki");
  return wiki;
}

function wikis(hub: Hub, observer: Observer, { channel_id }: Owner) {
  return selectWikis(hub, channel_id)
    .leftJoin("iconfig as type", (join) =>
      join
        .onRef("type.message_id", "=", "item.message_id")
        .on("type.cat", "=", "wiki")
        .on("type.k", "=", "mimeType")
        .on("type.uid", "in", [0, channel_id]),
    )
    .select([
      "item.id",
      "item.uid",
      "item.aid",
      "item.message_id",
      "item.owner_id",
      "item.created",
      "item.item_hidden",
      "item.item_private",
      "item.public_policy",
      "item.comment_policy",
      "item.allow_cid",
      "item.allow_gid",
      "item.deny_cid",
      "item.deny_gid",
      "message.mid",
      "message.resource_id",
      "name.v as name",
    ])
    .select(({ fn, val }) => fn.coalesce("type.v", val("text/bbcode")).as("mimetype"))
    .where(visibleTo(hub, observer, "view_wiki"));
}

/** The pages of a wiki as they stand, by name. */
export async function listWikiPages(hub: Hub, observer: Observer, wiki: Wiki): Promise<ListedWikiPage[]> {
  const query = pagesOf(hub, observer, wiki);
  return query
    .select(["message.mid", "name.v as name", "message.revision", "message.edited"])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("message as newer")
            .select("newer.id")
            .whereRef("newer.mid", "=", "message.mid")
            .whereRef("newer.revision", ">", "message.revision")
            .where((there) =>
              there.exists(
                there
                  .selectFrom("item as held")
                  .select("held.id")
                  .whereRef("held.message_id", "=", "newer.id")
                  .where("held.uid", "=", wiki.uid)
                  .where("held.item_deleted", "=", 0),
              ),
            ),
        ),
      ),
    )
    .orderBy("name.v")
    .orderBy("item.id")
    .execute();
}

/** A page of a wiki as it stands, or as it was at a revision. Undefined for one never written. */
export async function wikiPage(
  hub: Hub,
  observer: Observer,
  wiki: Wiki,
  name: string,
  revision?: number,
): Promise<WikiVersion | undefined> {
  let query = pagesOf(hub, observer, wiki).where("name.v", "=", name);
  if (revision !== undefined) query = query.where("message.revision", "=", revision);
  return query
    .select(["item.id", "item.created", "name.v as name", "message.mid", "message.revision"])
    .select(["message.mimetype", "message.body", "message.html", "message.lang"])
    .orderBy("message.revision", "desc")
    .orderBy("item.id", "desc")
    .executeTakeFirst();
}

/** The saved versions of a page, newest first; `before` is the last page's `next`. */
export async function wikiHistory(
  hub: Hub,
  observer: Observer,
  wiki: Wiki,
  mid: string,
  { before, count }: { before?: number; count: number },
): Promise<{ changes: WikiChange[]; next: number | undefined }> {
  let query = pagesOf(hub, observer, wiki)
    .innerJoin("xchan", "xchan.xchan_id", "item.author_id")
    .select(["item.id", "item.created", "message.revision"])
    .select(["xchan.xchan_name as author", "xchan.xchan_url as authorUrl"])
    .where("message.mid", "=", mid);
  if (before !== undefined) query = query.where("message.revision", "<", before);
  const rows = await query
    .orderBy("message.revision", "desc")
    .limit(count + 1)
    .execute();
  const { page: changes, next } = cutPage(rows, count, (row) => row.revision);
  return { changes, next };
}

function pagesOf(hub: Hub, observer: Observer, wiki: Wiki) {
  return selectVersions(hub, wiki).where(visibleTo(hub, observer, "view_wiki"));
}
