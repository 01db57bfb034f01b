import { sql } from "kysely";
import { missing, refusal } from "../../../errors.ts";
import { inTransaction, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { lockChannels } from "../../identity/channels/lock-channels.ts";
import { line } from "../content.ts";
import { termKey } from "../save.ts";
import { termTypes } from "../vocabulary.ts";

/** Searches that a channel has saved: terms of no message, private to it. */

export type SavedSearch = {
  id: number;
  query: string;
  /** Empty for those that are older than this column. */ created: string;
};

const longestQuery = 191;
const most = 100;

/** The channel's saved searches, oldest first. */
export async function listSavedSearches(hub: Hub, channel: Channel): Promise<SavedSearch[]> {
  const rows = await searches(hub, channel).orderBy("tid").execute();
  return rows.map(toSearch);
}

/** One of the channel's saved searches. Throws missing. */
export async function findSearch(hub: Hub, channel: Channel, id: number): Promise<SavedSearch> {
  const row = await searches(hub, channel).where("tid", "=", id).executeTakeFirst();
  if (!row) throw missing("Search");
  return toSearch(row);
}

function toSearch({ tid, term, created }: { tid: number; term: string; created: string }): SavedSearch {
  return { id: tid, query: term, created };
}

/** Saves a search; the same one is saved once. Throws invalid for an empty one, and denied when there are too many. */
export async function saveSearch(hub: Hub, channel: Channel, query: string): Promise<SavedSearch> {
  const term = line(query, longestQuery);
  if (term === "" || term === "#") throw refusal("search_needed");
  return inTransaction(hub, async (hub) => {
    await lockChannels(hub, [channel.channel_id]);
    const known = await searches(hub, channel).execute();
    const same = known.find((row) => termKey(row.term) === termKey(term));
    if (same) return toSearch(same);
    if (known.length >= most) throw refusal("searches_full", { most });
    const created = now(hub);
    const { tid } = await hub.db
      .insertInto("term")
      .values({
        message_id: 0,
        uid: channel.channel_id,
        otype: 0,
        ttype: termTypes.search,
        term,
        term_key: termKey(term),
        created,
      })
      .returning("tid")
      .executeTakeFirstOrThrow();
    return { id: tid, query: term, created };
  });
}

/** Removes a saved search and answers it. Throws missing for one of somebody else. */
export async function dropSearch(hub: Hub, channel: Channel, id: number): Promise<SavedSearch> {
  return inTransaction(hub, async (hub) => {
    const found = await findSearch(hub, channel, id);
    await hub.db.deleteFrom("term").where("tid", "=", id).execute();
    return found;
  });
}

/** The condition that a term is of no message is that of its index. */
function searches(hub: Hub, channel: Channel) {
  return hub.db
    .selectFrom("term")
    .select(["tid", "term", "created"])
    .where("message_id", "=", sql.lit(0))
    .where("uid", "=", channel.channel_id)
    .where("ttype", "=", sql.lit(termTypes.search));
}
