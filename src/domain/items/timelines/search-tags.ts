import { sql } from "kysely";
import type { SqlBool } from "kysely";
import type { Hub } from "../../../hub.ts";
import { unwantedBy } from "../../connections/unwanted.ts";
import type { Observer } from "../../identity/channels/observer.ts";
import { visibleTo } from "../../permissions/visible.ts";
import { tagKey } from "../save.ts";
import { termTypes } from "../vocabulary.ts";
import { listed, notLimited, shown } from "./timeline-sources.ts";

/** A hashtag as somebody has written it; `id` is of the first use that the one who looks may see. */
export type KnownTag = { id: number; name: string };

/** So many uses of hashtags that begin so are looked at; whoever types on narrows them. */
const mostUses = 2000;
const longest = 100;

/**
 * The hashtags that begin so in what has reached the observer and what is public here, the most used first; what people write whom
 * the observer has blocked or ignores does not count.
 */
export async function searchTags(
  hub: Hub,
  observer: Observer,
  typed: string,
  { count, skip }: { count: number; skip: number },
): Promise<KnownTag[]> {
  const start = tagKey(typed);
  return tagsIn(hub, observer, { from: start, below: `${start}\u{10ffff}` }, { count, skip });
}

/** One hashtag, if the observer may see a use of it. */
export async function findTag(hub: Hub, observer: Observer, name: string): Promise<KnownTag | undefined> {
  const key = tagKey(name);
  const [tag] = await tagsIn(hub, observer, { from: key, below: `${key} ` }, { count: 1, skip: 0 });
  return tag;
}

async function tagsIn(
  hub: Hub,
  observer: Observer,
  { from, below }: { from: string; below: string },
  { count, skip }: { count: number; skip: number },
): Promise<KnownTag[]> {
  if (from === "" || from.length > longest) return [];
  const uses = hub.db
    .selectFrom("term")
    .select(["tid", "term", "term_key", "message_id"])
    .where("ttype", "=", termTypes.hashtag)
    .where("term_key", ">=", from)
    .where("term_key", "<", below)
    .orderBy("term_key")
    .orderBy("message_id")
    .limit(mostUses);
  const unwanted = unwantedBy(observer.channelId);
  const seen = sql<SqlBool>`${shown} and item.author_id not in (${unwanted}) and item.owner_id not in (${unwanted}) and (item.uid = ${observer.channelId}
    or (item.item_wall = 1 and item.item_private = 0 and ${listed} and ${notLimited})) and ${visibleTo(hub, observer)}`;
  const rows = await hub.db
    .selectFrom(uses.as("uses"))
    .select((x) => [x.fn.max<string>("uses.term").as("name"), x.fn.min<number>("uses.tid").as("id")])
    .where(({ exists, selectFrom }) =>
      exists(selectFrom("item").select("item.id").whereRef("item.message_id", "=", "uses.message_id").where(seen)),
    )
    .groupBy("uses.term_key")
    .orderBy(sql`count(*)`, "desc")
    .orderBy("uses.term_key")
    .limit(count)
    .offset(skip)
    .execute();
  return rows.map(({ id, name }) => ({ id: Number(id), name }));
}
