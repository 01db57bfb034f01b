import { sql } from "kysely";
import { missing, refusal } from "../../errors.ts";
import { inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { addJob } from "../../jobs/queue.ts";
import { isOneOf, zeroDate } from "../../storage/sql.ts";
import { wordsOnly } from "../../storage/words-only.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { lockChannels } from "../identity/channels/lock-channels.ts";
import { emitToChannels } from "../live/emit.ts";
import { line } from "./content.ts";

/**
 * What a channel does not want to read (federation contract 13, mastodon contract 11.19): words in titles, warnings, texts and options of
 * polls, and single posts. A filter that hides keeps them out of the lists where it counts; the others only mark them. What the channel
 * wrote itself always stands.
 */

export const filterContexts = ["home", "notifications", "public", "thread", "account"] as const;
export type FilterContext = (typeof filterContexts)[number];

export const filterActions = ["warn", "hide", "blur"] as const;
export type FilterAction = (typeof filterActions)[number];

export type FilterWord = { id: number; filter: number; phrase: string; wholeWords: boolean };
/** A post by its message, and by the id by which it was named. */
export type FilteredPost = { id: number; filter: number; item: number };

export type Filter = {
  id: number;
  title: string;
  contexts: FilterContext[];
  action: FilterAction;
  /** When it ends, in the stored form; undefined for never. */
  ends: string | undefined;
  words: FilterWord[];
  posts: FilteredPost[];
};

export type FilterFields = Pick<Filter, "title" | "contexts" | "action" | "ends">;

const longestPhrase = 100;
const longestTitle = 255;
/** So many words a channel filters, and so many posts: each is looked for on each page. */
const mostWords = 100;
const mostPosts = 500;

/** The channel's filters with all that is in them, the oldest first. */
export async function listFilters(hub: Hub, uid: number): Promise<Filter[]> {
  const [filters, words, posts] = await Promise.all([
    hub.db.selectFrom("filter").selectAll().where("uid", "=", uid).orderBy("id").execute(),
    hub.db.selectFrom("word_filter").selectAll().where("uid", "=", uid).orderBy("id").execute(),
    hub.db.selectFrom("filter_status").selectAll().where("uid", "=", uid).orderBy("id").execute(),
  ]);
  return filters.map((filter) => ({
    id: filter.id,
    title: filter.title,
    contexts: filterContexts.filter((context) => filter[`at_${context}`] === 1),
    action: filterActions.find((one) => one === filter.action) ?? "warn",
    ends: filter.ends === zeroDate ? undefined : filter.ends,
    words: words
      .filter(({ filter_id }) => filter_id === filter.id)
      .map(({ id, phrase, whole_words }) => ({ id, filter: filter.id, phrase, wholeWords: whole_words === 1 })),
    posts: posts
      .filter(({ filter_id }) => filter_id === filter.id)
      .map(({ id, item_id }) => ({ id, filter: filter.id, item: item_id })),
  }));
}

/** One of them. Throws missing, alike for those of others. */
export async function findFilter(hub: Hub, uid: number, id: number): Promise<Filter> {
  return found((await listFilters(hub, uid)).find((filter) => filter.id === id));
}

/** The filter with a word, or a post, of this id. Throws missing. */
export async function findFilterWith(hub: Hub, uid: number, part: "words" | "posts", id: number): Promise<Filter> {
  return found((await listFilters(hub, uid)).find((filter) => filter[part].some((one) => one.id === id)));
}

function found(filter: Filter | undefined): Filter {
  if (!filter) throw missing("Filter");
  return filter;
}

export type NewWord = Pick<FilterWord, "phrase" | "wholeWords">;
/** A change of the words of a filter: new ones, others in the place of those with an id, and ids of those that go. */
export type WordChange = {
  id?: number | undefined;
  phrase?: string | undefined;
  wholeWords?: boolean | undefined;
  gone?: boolean;
};

/** Adds a filter. Throws invalid for one without title or place, and where there are too many words. */
export async function addFilter(
  hub: Hub,
  channel: Pick<Channel, "channel_id">,
  fields: FilterFields,
  words: readonly WordChange[] = [],
): Promise<Filter> {
  return changing(hub, channel, async (hub, uid) => {
    const { id } = await hub.db
      .insertInto("filter")
      .values({ uid, ...columnsOf(hub, fields), created: now(hub) })
      .returning("id")
      .executeTakeFirstOrThrow();
    await changeWords(hub, uid, id, words);
    await endInTime(hub, id, fields.ends);
    return findFilter(hub, uid, id);
  });
}

/** Where filters count that are made on pages: notices are told all the same. */
export const pageContexts: readonly FilterContext[] = filterContexts.filter((context) => context !== "notifications");

/** A filter for one phrase, in the place of that for the same phrase which was made so. Throws what `addFilter` throws. */
export async function filterOneWord(
  hub: Hub,
  channel: Pick<Channel, "channel_id">,
  { phrase, wholeWords, hides }: { phrase: string; wholeWords: boolean; hides: boolean },
): Promise<void> {
  const title = line(phrase, longestPhrase);
  if (title === "") throw refusal("filter_words_needed");
  const fields: FilterFields = {
    title,
    contexts: [...pageContexts],
    action: hides ? "hide" : "warn",
    ends: undefined,
  };
  await inTransaction(hub, async (hub) => {
    await lockChannels(hub, [channel.channel_id]);
    const known = (await listFilters(hub, channel.channel_id)).find(
      ({ title: other, words: [first, ...others] }) =>
        other === title && first?.phrase === title && others.length === 0,
    );
    if (known) await changeFilter(hub, channel, known.id, fields, [{ id: known.words[0]!.id, wholeWords }]);
    else await addFilter(hub, channel, fields, [{ phrase: title, wholeWords }]);
  });
}

/** Changes a filter; what is left out stays. Throws missing, and what `addFilter` throws. */
export async function changeFilter(
  hub: Hub,
  channel: Pick<Channel, "channel_id">,
  id: number,
  changes: Partial<FilterFields>,
  words: readonly WordChange[] = [],
): Promise<Filter> {
  return changing(hub, channel, async (hub, uid) => {
    const known = await findFilter(hub, uid, id);
    const fields = { ...known, ...changes };
    await hub.db.updateTable("filter").set(columnsOf(hub, fields)).where("id", "=", known.id).execute();
    await changeWords(hub, uid, id, words);
    await endInTime(hub, id, fields.ends);
    return findFilter(hub, uid, id);
  });
}

/** Adds words to a filter; those that it has already are changed. Throws missing, and what `addFilter` throws. */
export async function addFilterWord(
  hub: Hub,
  channel: Pick<Channel, "channel_id">,
  id: number,
  word: WordChange,
): Promise<FilterWord> {
  const { words } = await changeFilter(hub, channel, id, {}, [word]);
  const phrase = line(word.phrase ?? "", longestPhrase);
  return words.find((one) => one.phrase === phrase)!;
}

/** Removes a filter with all that is in it. Throws missing. */
export async function removeFilter(hub: Hub, channel: Pick<Channel, "channel_id">, id: number): Promise<void> {
  await changing(hub, channel, async (hub, uid) => {
    await findFilter(hub, uid, id);
    await hub.db.deleteFrom("word_filter").where("filter_id", "=", id).execute();
    await hub.db.deleteFrom("filter_status").where("filter_id", "=", id).execute();
    await hub.db.deleteFrom("filter").where("id", "=", id).execute();
  });
}

/** Puts a post into a filter; harmless where it is there. Throws missing. */
export async function addFilteredPost(
  hub: Hub,
  channel: Pick<Channel, "channel_id">,
  id: number,
  post: { message: number; item: number },
): Promise<FilteredPost> {
  return changing(hub, channel, async (hub, uid) => {
    const { posts } = await findFilter(hub, uid, id);
    if (posts.length >= mostPosts) throw refusal("filters_full", { most: mostPosts });
    const row = await hub.db
      .insertInto("filter_status")
      .values({ uid, filter_id: id, message_id: post.message, item_id: post.item })
      .onConflict((conflict) => conflict.columns(["filter_id", "message_id"]).doUpdateSet({ item_id: post.item }))
      .returning("id")
      .executeTakeFirstOrThrow();
    return { id: row.id, filter: id, item: post.item };
  });
}

/** Takes a post out of its filter. Throws missing. */
export async function removeFilteredPost(hub: Hub, channel: Pick<Channel, "channel_id">, id: number): Promise<void> {
  await changing(hub, channel, async (hub, uid) => {
    await findFilterWith(hub, uid, "posts", id);
    await hub.db.deleteFrom("filter_status").where("id", "=", id).execute();
  });
}

/** The job that ends filters in time; it asks again whether they are to. */
export async function endFilters(hub: Hub): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const ended = await hub.db
      .updateTable("filter")
      .set({ ended: 1 })
      .where("ended", "=", sql.lit(0))
      .where("ends", ">", zeroDate)
      .where("ends", "<=", now(hub))
      .returning("uid")
      .execute();
    await emitToChannels(hub, "filters", [...new Set(ended.map(({ uid }) => uid))]);
  });
}

/** Whoever changes filters of a channel waits for those who do as well, and whoever listens hears of it. */
async function changing<T>(
  hub: Hub,
  { channel_id: uid }: Pick<Channel, "channel_id">,
  change: (hub: Hub, uid: number) => Promise<T>,
): Promise<T> {
  return inTransaction(hub, async (hub) => {
    await lockChannels(hub, [uid]);
    const done = await change(hub, uid);
    await emitToChannels(hub, "filters", [uid]);
    return done;
  });
}

function columnsOf(hub: Hub, { title, contexts, action, ends }: FilterFields) {
  const named = line(title, longestTitle);
  if (named === "") throw refusal("filter_title_needed");
  if (contexts.length === 0) throw refusal("filter_context_needed");
  const at = (context: FilterContext): number => Number(contexts.includes(context));
  return {
    title: named,
    action,
    at_home: at("home"),
    at_notifications: at("notifications"),
    at_public: at("public"),
    at_thread: at("thread"),
    at_account: at("account"),
    ends: ends ?? zeroDate,
    ended: Number(ends !== undefined && ends <= now(hub)),
  };
}

async function endInTime(hub: Hub, filter: number, ends: string | undefined): Promise<void> {
  if (ends !== undefined) await addJob(hub, "end-filters", {}, { at: ends, key: `end filter ${filter} ${ends}` });
}

async function changeWords(hub: Hub, uid: number, filter: number, changes: readonly WordChange[]): Promise<void> {
  const { words } = await findFilter(hub, uid, filter);
  const gone = changes.flatMap(({ id, gone }) => (gone && id !== undefined ? [id] : []));
  for (const { id } of changes) if (id !== undefined && !words.some((word) => word.id === id)) throw missing("Filter");
  if (gone.length > 0)
    await hub.db
      .deleteFrom("word_filter")
      .where("filter_id", "=", filter)
      .where(isOneOf(hub.engine, sql.ref("id"), gone))
      .execute();
  for (const { id, phrase, wholeWords, gone } of changes) {
    if (gone) continue;
    const known = words.find((word) => word.id === id);
    await writeWord(hub, uid, filter, known?.id, {
      phrase: phrase ?? known?.phrase ?? "",
      wholeWords: wholeWords ?? known?.wholeWords ?? false,
    });
  }
  const { count } = await hub.db
    .selectFrom("word_filter")
    .select((x) => x.fn.countAll<number>().as("count"))
    .where("uid", "=", uid)
    .executeTakeFirstOrThrow();
  if (Number(count) > mostWords) throw refusal("filters_full", { most: mostWords });
}

async function writeWord(hub: Hub, uid: number, filter: number, id: number | undefined, word: NewWord): Promise<void> {
  const phrase = line(word.phrase, longestPhrase);
  if (phrase === "") throw refusal("filter_words_needed");
  const words = wordsOnly(phrase);
  // Signs that are no words, such as emoji, are found as they are.
  const whole = word.wholeWords && words.trim() !== "";
  const values = { phrase, needle: whole ? words : phrase.toLowerCase(), whole_words: Number(whole) };
  if (id !== undefined) {
    await hub.db
      .deleteFrom("word_filter")
      .where("filter_id", "=", filter)
      .where("phrase", "=", phrase)
      .where("id", "<>", id)
      .execute();
    await hub.db.updateTable("word_filter").set(values).where("id", "=", id).execute();
    return;
  }
  await hub.db
    .insertInto("word_filter")
    .values({ uid, filter_id: filter, ...values, created: now(hub) })
    .onConflict((conflict) => conflict.columns(["filter_id", "phrase"]).doUpdateSet(values))
    .execute();
}
