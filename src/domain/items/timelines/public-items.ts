import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../../hub.ts";
import type { Channel } from "../../identity/channels/channel.ts";
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

type PublicItems = { items: PublicItem[]; next: number | undefined };

/** Public posts and comments of somebody on walls of this hub, as far as the observer may see them; newest first. */
export async function publicItemsOf(
  hub: Hub,
  observer: Observer,
  authorId: number,
  place: PageBefore,
): Promise<PublicItems> {
  return pageOf(await onWalls(hub, observer, authorId, place), place);
}

/** The same of a channel of this hub, and its public comments in threads of other hubs. */
export async function publicItemsBy(
  hub: Hub,
  observer: Observer,
  channel: Pick<Channel, "channel_id" | "xchan_id">,
  place: PageBefore,
): Promise<PublicItems> {
  const onPage = await onWalls(hub, observer, channel.xchan_id, place);
  // What is older than all of these is on a later page. So its copies of its comments here, which stand beside those, are not all walked through.
  const after = onPage.length > place.count ? onPage.at(-1)!.id : 0;
  const elsewhere = await inThreadsElsewhere(hub, observer, channel, { ...place, after });
  return pageOf(
    [...onPage, ...elsewhere].toSorted((one, other) => other.id - one.id),
    place,
  );
}

type Row = Awaited<ReturnType<typeof onWalls>>[number];

function pageOf(rows: readonly Row[], { count }: PageBefore): PublicItems {
  const { page, next } = cutPage(rows, count, (row) => row.id);
  const items = page.map(({ id, uuid, created, mid, original_uuid, plink, nick }) => ({
    id,
    uuid,
    created,
    shared: mid === null ? undefined : { mid, uuid: original_uuid!, plink: plink!, nick, pure: 0 },
  }));
  return { items, next };
}

function onWalls(hub: Hub, observer: Observer, authorId: number, place: PageBefore) {
  return selectPublic(hub, observer, authorId, place).where("item.item_wall", "=", yes).execute();
}

/** Of them its own copy counts, as at their ids. */
function inThreadsElsewhere(
  hub: Hub,
  observer: Observer,
  { channel_id, xchan_id }: Pick<Channel, "channel_id" | "xchan_id">,
  { after, ...place }: PageBefore & { after: number },
) {
  return selectPublic(hub, observer, xchan_id, place)
    .where("item.uid", "=", channel_id)
    .where("item.item_thread_top", "=", no)
    .where("item.item_wall", "=", no)
    .where("item.id", ">", after)
    .where(perhaps(sql<SqlBool>`exists (select 1 from actor where actor.xchan_id = item.owner_id)`))
    .execute();
}

function selectPublic(
  hub: Hub,
  observer: Observer,
  authorId: number,
  { before = Number.MAX_SAFE_INTEGER, count }: PageBefore,
) {
  return (
    hub.db
      .selectFrom("item")
      .innerJoin("message", "message.id", "item.message_id")
      .leftJoin("message as original", (join) =>
        join
          .onRef("original.id", "=", "message.shared_id")
          .on(sql<SqlBool>`message.shared_id > 0 and ${sharesPurely()}`),
      )
      .leftJoin("xchan", "xchan.xchan_id", "original.author_id")
      .leftJoin("channel", "channel.channel_hash", "xchan.xchan_hash")
      .select(["item.id", "item.created", "message.uuid", "original.mid", "original.uuid as original_uuid"])
      .select("original.plink")
      .select("channel.channel_address as nick")
      .where("item.author_id", "=", authorId)
      .where("item.item_private", "=", no)
      .where(shown)
      // Of a case PostgreSQL only knows that it may be true or not; else it begins with the walls, and not with the author.
      .where(sql<SqlBool>`case when ${visibleTo(hub, observer)} then true else false end`)
      .where("item.id", "<", before)
      .orderBy("item.id", "desc")
      .limit(count + 1)
  );
}

/** Of a case PostgreSQL only knows that it may be true or not; else it begins with the walls, or with the owners, and not with the author. */
function perhaps(condition: RawBuilder<SqlBool>): RawBuilder<SqlBool> {
  return sql<SqlBool>`case when ${condition} then true else false end`;
}
