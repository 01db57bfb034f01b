import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import { missing, refusal } from "../../errors.ts";
import { inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { contains, folded, isOneOf, spaced } from "../../storage/sql.ts";
import { wordsOnly } from "../../storage/words-only.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { lockChannels } from "../identity/channels/lock-channels.ts";
import { emitToChannels } from "../live/emit.ts";
import { line } from "./content.ts";
import type { Item } from "./types.ts";

/**
 * Words that a channel does not want to read (federation contract 13). What has them in its title, warning or text stays out of the
 * channel's streams if the filter hides; wherever else it is shown, and with other filters everywhere, it is folded. What the channel
 * wrote itself always stands.
 */
export type WordFilter = { id: number; phrase: string; wholeWords: boolean; hides: boolean };

const longestPhrase = 100;
const most = 100;

/** The channel's filters, by their words. */
export async function listWordFilters(hub: Hub, uid: number): Promise<WordFilter[]> {
  const rows = await hub.db
    .selectFrom("word_filter")
    .select(["id", "phrase", "whole_words", "hides"])
    .where("uid", "=", uid)
    .orderBy("phrase")
    .execute();
  return rows.map(({ id, phrase, whole_words, hides }) => ({
    id,
    phrase,
    wholeWords: whole_words === 1,
    hides: hides === 1,
  }));
}

/** Adds a filter, or replaces that for the same words. Throws invalid for an empty one, and denied when there are too many. */
export async function addWordFilter(
  hub: Hub,
  { channel_id: uid }: Channel,
  given: Omit<WordFilter, "id">,
): Promise<void> {
  const phrase = line(given.phrase, longestPhrase);
  if (phrase === "") throw refusal("filter_words_needed");
  const words = wordsOnly(phrase);
  // Signs that are no words, such as emoji, are found as they are.
  const whole = given.wholeWords && words.trim() !== "";
  const values = {
    needle: whole ? words : phrase.toLowerCase(),
    whole_words: Number(whole),
    hides: Number(given.hides),
  };
  await inTransaction(hub, async (hub) => {
    await lockChannels(hub, [uid]);
    const known = await listWordFilters(hub, uid);
    if (known.length >= most && !known.some((filter) => filter.phrase === phrase))
      throw refusal("filters_full", { most });
    await hub.db
      .insertInto("word_filter")
      .values({ uid, phrase, ...values, created: now(hub) })
      .onConflict((conflict) => conflict.columns(["uid", "phrase"]).doUpdateSet(values))
      .execute();
    await emitToChannels(hub, "filters", [uid]);
  });
}

/** Removes a filter. Throws missing for one of somebody else. */
export async function removeWordFilter(hub: Hub, { channel_id: uid }: Channel, id: number): Promise<void> {
  const { numDeletedRows } = await inTransaction(hub, async (hub) => {
    await emitToChannels(hub, "filters", [uid]);
    return hub.db.deleteFrom("word_filter").where("uid", "=", uid).where("id", "=", id).executeTakeFirstOrThrow();
  });
  if (numDeletedRows === 0n) throw missing("Filter");
}

/** Condition on `item`: no filter of the channel keeps it out of its streams. Without filters that hide no text is looked at. */
export function passesWords(
  hub: Hub,
  uid: RawBuilder<number> | number,
  me: RawBuilder<number> | number,
): RawBuilder<SqlBool> {
  return sql<SqlBool>`(not exists (select 1 from word_filter wf where wf.uid = ${uid} and wf.hides = 1)
    or item.author_id = ${me}
    or not exists (select 1 from word_filter wf, (${textsOf(hub, sql`item.message_id`)}) wt
      where wf.uid = ${uid} and wf.hides = 1 and ${matches(hub)}))`;
}

/** Those of these messages that a filter of the channel matches, with the words of the first one. */
export async function wordsFoundIn(
  hub: Hub,
  channel: Channel,
  items: readonly Pick<Item, "message_id" | "author_id">[],
): Promise<Map<number, string>> {
  const messages = items.filter((item) => item.author_id !== channel.xchan_id).map((item) => item.message_id);
  if (messages.length === 0) return new Map();
  const { rows } = await sql<{ message: number; phrase: string }>`select wt.id as message, min(wf.phrase) as phrase
    from word_filter wf, (${textsOf(hub, undefined, messages)}) wt
    where wf.uid = ${channel.channel_id} and ${matches(hub)} group by wt.id`.execute(hub.db);
  return new Map(rows.map(({ message, phrase }) => [message, phrase]));
}

/** What is searched: the title, the warning and the text of a message, folded and as words alone. */
function textsOf(hub: Hub, id: RawBuilder<unknown> | undefined, ids: readonly number[] = []): RawBuilder<unknown> {
  const text = sql`(wm.title || ' ' || wm.summary || ' ' || wm.plain)`;
  const which = id ? sql`wm.id = ${id}` : isOneOf(hub.engine, sql.ref("wm.id"), ids);
  return sql`select wm.id, ${folded(hub.engine, text)} as flat, ${spaced(hub.engine, text)} as spaced from message wm where ${which}`;
}

function matches({ engine }: Hub): RawBuilder<SqlBool> {
  // PostgreSQL does not choose between two ways to compare by itself.
  const needle = engine === "postgres" ? sql`(wf.needle collate "C")` : sql.ref("wf.needle");
  return sql<SqlBool>`case wf.whole_words when 1 then ${contains(engine, sql.ref("wt.spaced"), needle)}
    else ${contains(engine, sql.ref("wt.flat"), needle)} end`;
}
