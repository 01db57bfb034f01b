import { sql } from "kysely";
import type { SqlBool } from "kysely";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import { isPureShare } from "../../bodies/share.ts";
import { hashtagsOf } from "../followed-tags.ts";
import { no } from "../queries.ts";
import { termKey, unlisted } from "../save.ts";
import type { Item } from "../types.ts";
import type { Recipient } from "./recipients.ts";
import { takersAmong } from "./takers.ts";
import type { Offered } from "./takers.ts";

/** A new thread, as far as it says whom it comes to by its tags. */
export type TaggedThread = Offered & Pick<Item, "body">;

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
  if (tags.length === 0 || isPureShare(thread.body)) return [];
  const following = hub.db
    .selectFrom("followed_tag")
    .select("uid")
    .where(isOneOf(hub.engine, sql.ref("term_key"), tags.map(termKey), "text"));
  return takersAmong(hub, sql<SqlBool>`channel.channel_id in (${following})`, thread, wall);
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
