import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import { findShare } from "../../bodies/share.ts";
import { unwantedBy } from "../../connections/unwanted.ts";
import { nobody } from "../../identity/channels/observer.ts";
import { allowed, allowedTo } from "../../permissions/allowed.ts";
import { hashtagsOf } from "../followed-tags.ts";
import { no } from "../queries.ts";
import { termKey, unlisted } from "../save.ts";
import type { Item } from "../types.ts";
import { passesFilter } from "./connection-filter.ts";
import type { Recipient } from "./recipients.ts";

/** A new thread, as far as it says whom it comes to by its tags. */
export type TaggedThread = Pick<Item, "author_id" | "owner_id" | "body" | "title" | "plain" | "lang">;

/**
 * The channels of this hub that follow one of the `tags` of a thread that stands in the lists that everybody reads, and get it for
 * that (decision 84): not of people whom they do not want, nor of those whom the site limits. `wall`: the channel of this hub on whose
 * wall it is.
 */
export async function tagFollowers(
  hub: Hub,
  tags: readonly string[],
  thread: TaggedThread,
  wall?: number,
): Promise<Recipient[]> {
  if (tags.length === 0 || findShare(thread.body)?.added === "") return [];
  const uid = sql.ref<number>("channel.channel_id");
  const rows = await hub.db
    .selectFrom("channel")
    .innerJoin("xchan", "xchan.xchan_hash", "channel.channel_hash")
    .innerJoin("xchan as author", (join) => join.on("author.xchan_id", "=", thread.author_id))
    .leftJoin("abook", (join) =>
      join.onRef("abook.abook_channel", "=", "channel.channel_id").onRef("abook.abook_xchan", "=", "author.xchan_hash"),
    )
    .select(["channel.channel_id", "channel.channel_account_id", "xchan.xchan_id", "xchan.xchan_url"])
    .select(["abook.abook_incl", "abook.abook_excl"])
    .where("channel.channel_id", "in", (eb) =>
      eb
        .selectFrom("followed_tag")
        .select("uid")
        .where(isOneOf(hub.engine, sql.ref("term_key"), tags.map(termKey), "text")),
    )
    .where("channel.channel_removed", "=", no)
    .where("channel.channel_moved", "=", sql.lit(""))
    .where("author.xchan_censored", "=", no)
    .where(sql<SqlBool>`not exists (select 1 from (${unwantedBy(uid)}) as unwanted
      where unwanted.id in (${thread.author_id}, ${thread.owner_id}))`)
    .where(wall === undefined ? sql<SqlBool>`1 = 1` : shownToAll(wall))
    .orderBy("channel.channel_id")
    .execute();
  return rows.filter(({ abook_incl, abook_excl }) =>
    passesFilter({ abook_incl: abook_incl ?? "", abook_excl: abook_excl ?? "" }, thread),
  );
}

/** The same for a thread of this hub, as the wall has it. */
export async function tagFollowersOf(hub: Hub, item: Item): Promise<Recipient[]> {
  if (item.item_private !== 0 || item.item_notshown !== 0) return [];
  return tagFollowers(hub, await listedTags(hub, item.message_id), item, item.uid);
}

/** The hashtags of a message; none of one that is kept out of the lists that everybody reads. */
async function listedTags(hub: Hub, message: number): Promise<string[]> {
  const rows = await hashtagsOf(hub, sql`${message}`)
    .select("term.term")
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("iconfig")
            .select("iconfig.id")
            .where("iconfig.message_id", "=", message)
            .where("iconfig.uid", "=", no)
            .where("iconfig.cat", "=", sql.lit(unlisted.cat))
            .where("iconfig.k", "=", sql.lit(unlisted.k)),
        ),
      ),
    )
    .execute();
  return rows.map((row) => row.term);
}

/** What the wall shows everybody, this reader among them. */
function shownToAll(wall: number): RawBuilder<SqlBool> {
  const reader = {
    hash: sql.ref<string>("channel.channel_hash"),
    channelId: sql.ref<number>("channel.channel_id"),
    native: true,
  };
  const everybody = allowed(nobody({ blockPublic: false }), "view_stream", wall);
  return sql<SqlBool>`(${everybody} and ${allowedTo(reader, "view_stream", wall)})`;
}
