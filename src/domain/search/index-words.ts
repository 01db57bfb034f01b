import { sql } from "kysely";
import type { SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";
import type { LongStep } from "../../jobs/long-step.ts";
import { isOneOf } from "../../storage/sql.ts";
import { tokensOf } from "./tokens.ts";

/** How many messages are looked at at a time. */
const together = 50;

/** What is in no list that everybody reads is not found either (federation contract 5). */
const isListed = sql<SqlBool>`not exists (select 1 from iconfig c where c.message_id = message.id and c.uid = 0
  and c.cat = 'federation' and c.k = 'unlisted' and c.v = '1')`;

const hashtag = 1;
const communityTag = 10;

/** Brings up to date what these messages are found by, after their text or tags have changed. Part of a transaction. */
export async function refreshWords(hub: Hub, messages: readonly number[]): Promise<void> {
  if (messages.length === 0) return;
  let query = hub.db
    .selectFrom("message")
    .select(["id", "author_id", "created", "title", "summary", "plain", "mid", "parent_mid", "words"])
    .where(isOneOf(hub.engine, sql.ref("id"), messages))
    .where(isListed);
  // An edit that is not finished yet would be overwritten with words from before; SQLite has one writer anyway.
  if (hub.engine === "postgres") query = query.orderBy("id").forNoKeyUpdate();
  const rows = await query.execute();
  const tags = await tagsOf(hub, messages);
  for (const row of rows) {
    const words = tokensOf({ ...row, isTop: row.mid === row.parent_mid }, tags.get(row.id) ?? []);
    if (words !== row.words) await hub.db.updateTable("message").set({ words }).where("id", "=", row.id).execute();
  }
}

async function tagsOf(hub: Hub, messages: readonly number[]): Promise<Map<number, string[]>> {
  const rows = await hub.db
    .selectFrom("term")
    .select(["message_id", "term_key"])
    .where(isOneOf(hub.engine, sql.ref("message_id"), messages))
    .where("uid", "=", 0)
    .where("ttype", "in", [hashtag, communityTag])
    .orderBy("tid")
    .execute();
  const byMessage = Map.groupBy(rows, (row) => row.message_id);
  return new Map([...byMessage].map(([id, of]) => [id, of.map((row) => row.term_key)]));
}

/** Indexes messages that were here before the index was, the newest first; meanwhile searches answer what is indexed. */
export const oldMessages: LongStep = {
  async range(hub) {
    const newest = await hub.db.selectFrom("message").select("id").orderBy("id", "desc").limit(1).executeTakeFirst();
    return newest && { first: newest.id + 1, last: 0 };
  },
  async piece(hub, below) {
    const rows = await hub.db
      .selectFrom("message")
      .select(["id", "words"])
      .where("id", "<", below)
      .orderBy("id", "desc")
      .limit(together)
      .execute();
    const missing = rows.filter((row) => row.words === "").map((row) => row.id);
    return {
      next: rows.length < together ? undefined : rows[together - 1]!.id,
      write: async (hub) => refreshWords(hub, await shownOnes(hub, missing)),
    };
  },
};

/** Of these messages those that somebody sees as a status: no reactions, pages and tombstones. */
async function shownOnes(hub: Hub, messages: readonly number[]): Promise<number[]> {
  const rows = await hub.db
    .selectFrom("item")
    .select("message_id")
    .distinct()
    .where(isOneOf(hub.engine, sql.ref("message_id"), messages))
    .where("item_type", "=", 0)
    .where("item_notshown", "=", 0)
    .where("item_deleted", "=", 0)
    .execute();
  return rows.map((row) => row.message_id);
}
