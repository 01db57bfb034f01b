import { sql } from "kysely";
import type { Expression, RawBuilder } from "kysely";
import type { Hub } from "../../hub.ts";
import { compiled } from "../../storage/compiled-query.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { isNobody, strangerOf } from "../identity/channels/observer.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { listsAdmit, visibleTo } from "../permissions/visible.ts";
import { articleKinds } from "./kinds.ts";
import { selectPages, selectWikis, yes } from "./queries.ts";

/** What most channels have nothing of. */
export const seldomParts = ["pages", "wikis", "articles", "cards", "chat"] as const;

export type SeldomPart = (typeof seldomParts)[number];

/** Those of which the channel has something that the observer may see, if it may see such things at all; in one query. */
export async function partsShown(
  hub: Hub,
  observer: Observer,
  { channel_id: uid }: Pick<Channel, "channel_id">,
): Promise<Set<SeldomPart>> {
  const rows = isNobody(observer)
    ? await compiled(hub, `parts of a channel, for ${strangerOf(observer)}`, { uid }, (slots) =>
        parts(hub, observer, slots.uid),
      )
    : await parts(hub, observer, uid).execute();
  return new Set(seldomParts.filter((part) => rows[0]?.[part] === 1));
}

function parts(hub: Hub, observer: Observer, uid: RawBuilder<number> | number) {
  const some = (rows: Expression<unknown>, part: SeldomPart) =>
    sql<number>`case when exists ${rows} then 1 else 0 end`.as(part);
  const posts = visibleTo(hub, observer);
  const article = ({ itemKind }: { itemKind: number }) =>
    sql`(select 1 from item where item.uid = ${uid} and item.item_wall = 1 and item.item_kind > 0
      and item.item_normal = 1 and item.item_kind = ${sql.lit(itemKind)} and ${posts})`;
  const pages = selectPages(hub, uid, "webpage").where(visibleTo(hub, observer, "view_pages"));
  const wikis = selectWikis(hub, uid).where(visibleTo(hub, observer, "view_wiki"));
  const rooms = sql`(select 1 from chatroom where chatroom.cr_uid = ${uid}
    and ${listsAdmit(hub, observer, { table: "chatroom", uid })})`;
  return hub.db.selectNoFrom([
    some(pages.clearSelect().select(yes.as("one")), "pages"),
    some(wikis.select(yes.as("one")), "wikis"),
    some(article(articleKinds.article), "articles"),
    some(article(articleKinds.card), "cards"),
    some(rooms, "chat"),
  ]);
}
