import { sql } from "kysely";
import type { SqlBool } from "kysely";
import type { Hub } from "../../../hub.ts";
import type { Observer } from "../../identity/channels/observer.ts";
import { visibleTo } from "../../permissions/visible.ts";
import { no, sharesPurely, yes } from "../queries.ts";
import type { PageBefore } from "./public-threads.ts";
import { shown } from "./timeline-sources.ts";
import type { MessageName } from "./message-names.ts";
import { cutPage } from "../../../storage/key-page.ts";

/** Something public that somebody wrote, as lists for other hubs name it. */
export type PublicItem = {
  id: number;
  uuid: string;
  created: string;
  /** Of a share without words of its own: what it repeats. */
  shared: MessageName | undefined;
};

/** Public posts and comments of somebody on walls of this hub, as far as the observer may see them; newest first. */
export async function publicItemsOf(
  hub: Hub,
  observer: Observer,
  authorId: number,
  { before = Number.MAX_SAFE_INTEGER, count }: PageBefore,
): Promise<{ items: PublicItem[]; next: number | undefined }> {
  const rows = await hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .leftJoin("message as original", (join) =>
      join.onRef("original.id", "=", "message.shared_id").on(sql<SqlBool>`message.shared_id > 0 and ${sharesPurely()}`),
    )
    .leftJoin("xchan", "xchan.xchan_id", "original.author_id")
    .leftJoin("channel", "channel.channel_hash", "xchan.xchan_hash")
    .select(["item.id", "item.created", "message.uuid", "original.mid", "original.uuid as original_uuid"])
    .select("original.plink")
    .select("channel.channel_address as nick")
    .where("item.author_id", "=", authorId)
    .where("item.item_private", "=", no)
    .where("item.item_wall", "=", yes)
    .where(shown)
    // Of a case PostgreSQL only knows that it may be true or not; else it begins with the walls, and not with the author.
    .where(sql<SqlBool>`case when ${visibleTo(hub, observer)} then true else false end`)
    .where("item.id", "<", before)
    .orderBy("item.id", "desc")
    .limit(count + 1)
    .execute();
  const { page, next } = cutPage(rows, count, (row) => row.id);
  const items = page.map(({ id, uuid, created, mid, original_uuid, plink, nick }) => ({
    id,
    uuid,
    created,
    shared: mid === null ? undefined : { mid, uuid: original_uuid!, plink: plink!, nick },
  }));
  return { items, next };
}
