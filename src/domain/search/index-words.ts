import { sql } from "kysely";
import type { SqlBool } from "kysely";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { addJob } from "../../jobs/queue.ts";
import { isOneOf } from "../../storage/sql.ts";
import { tokensOf } from "./tokens.ts";

/** Messages that one run of the job looks at, and how many of them at a time. */
const inOneRun = 2000;
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

/**
 * Indexes messages that were here before the index was, the newest first, from below this id; the rest is another job.
 * May run twice, and meanwhile searches answer what is indexed.
 */
export async function indexOldMessages(hub: Hub, below: number): Promise<void> {
  let next = below;
  for (let done = 0; done < inOneRun && next > 0; done += together) next = await indexSome(hub, next);
  if (next === 0) return hub.log.info("Every message is in the search index");
  hub.log.info("Filling the search index: messages below {next} are left", { next });
  await addJob(hub, "index-words", { below: next }, { key: `index-words ${next}` });
}

/** Answers below which id the next ones are; 0 when there are none. */
async function indexSome(hub: Hub, below: number): Promise<number> {
  return inTransaction(hub, async (hub) => {
    const rows = await hub.db
      .selectFrom("message")
      .select(["id", "words"])
      .where("id", "<", below)
      .orderBy("id", "desc")
      .limit(together)
      .execute();
    const missing = rows.filter((row) => row.words === "").map((row) => row.id);
    await refreshWords(hub, await shownOnes(hub, missing));
    return rows.length < together ? 0 : (rows.at(-1)?.id ?? 0);
  });
}

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
