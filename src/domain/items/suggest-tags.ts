import { sql } from "kysely";
import type { SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";
import { unwantedBy } from "../connections/unwanted.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { yes } from "./queries.ts";
import { termKey } from "./save.ts";
import { termTypes } from "./vocabulary.ts";

/** So many uses of hashtags that begin so are looked at; whoever types on narrows them. */
const mostUses = 2000;

/** The hashtags that begin so in what has reached the channel, the most used first; hashtags of what it has not got, or does not want, are not told. */
export async function suggestTags(hub: Hub, channel: Channel, typed: string, count: number): Promise<string[]> {
  const start = termKey(typed);
  if (start === "" || start.length > 100) return [];
  const uses = hub.db
    .selectFrom("term")
    .select(["term", "term_key", "message_id"])
    .where("ttype", "=", termTypes.hashtag)
    .where("term_key", ">=", start)
    .where("term_key", "<", `${start}\u{10ffff}`)
    .orderBy("term_key")
    .orderBy("message_id")
    .limit(mostUses);
  const rows = await hub.db
    .selectFrom(uses.as("uses"))
    .select((x) => x.fn.max<string>("uses.term").as("tag"))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("item")
          .select("item.id")
          .whereRef("item.message_id", "=", "uses.message_id")
          .where("item.uid", "=", channel.channel_id)
          .where("item.item_normal", "=", yes)
          .where(sql<SqlBool>`item.author_id not in (${unwantedBy(channel.channel_id)})`),
      ),
    )
    .groupBy("uses.term_key")
    .orderBy(sql<SqlBool>`count(*)`, "desc")
    .orderBy("uses.term_key")
    .limit(count)
    .execute();
  return rows.map(({ tag }) => tag);
}
