import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";
import { compiled } from "../../storage/compiled-query.ts";
import type { Slots } from "../../storage/compiled-query.ts";
import { contains, folded, isOneOf, spaced, zeroDate } from "../../storage/sql.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { filterActions, filterContexts } from "./filters.ts";
import type { Filter, FilterContext } from "./filters.ts";
import { questionType } from "./poll.ts";
import type { Item } from "./types.ts";

/** Where filters take effect: what lists leave out, and what is marked. */

/** Condition on `item`: no filter of the channel keeps it out of lists of this kind. Without filters that hide there no text is looked at. */
export function passesWords(
  hub: Hub,
  uid: RawBuilder<number> | number,
  me: RawBuilder<number> | number,
  context: FilterContext = "home",
): RawBuilder<SqlBool> {
  const hides = sql.raw(`f.action = 'hide' and f.ended = 0 and f.at_${context} = 1`);
  return sql<SqlBool>`(not exists (select 1 from filter f where f.uid = ${uid} and ${hides})
    or item.author_id = ${me}
    or not (exists (select 1 from filter f join word_filter wf on wf.filter_id = f.id, (${textsOf(hub, sql`item.message_id`)}) wt
        where f.uid = ${uid} and ${hides} and ${matches(hub)})
      or exists (select 1 from filter f join filter_status fs on fs.filter_id = f.id
        where f.uid = ${uid} and ${hides} and fs.message_id = item.message_id)))`;
}

/** A filter that matches a message, with the words that it has found, and whether it names the post itself. */
export type FilterMatch = {
  filter: Omit<Filter, "words" | "posts">;
  words: string[];
  /** Id by which the post was put into it. */
  post: number | undefined;
};

/** What the channel's filters have found in these messages, by message: one query for a page. */
export async function filtersFoundIn(
  hub: Hub,
  { channel_id: uid, xchan_id: me }: Pick<Channel, "channel_id" | "xchan_id">,
  items: readonly Pick<Item, "message_id" | "author_id">[],
): Promise<Map<number, FilterMatch[]>> {
  const messages = items.filter((item) => item.author_id !== me).map((item) => item.message_id);
  if (messages.length === 0) return new Map();
  const rows = await compiled(hub, "filters found", { uid, messages }, (slots) => foundIn(hub, slots));
  const all = new Map<number, FilterMatch[]>();
  for (const row of rows) {
    const [message, id, post] = [Number(row.message), Number(row.id), Number(row.post)];
    const matched = all.get(message) ?? [];
    all.set(message, matched);
    let match = matched.find(({ filter }) => filter.id === id);
    if (!match) matched.push((match = { filter: filterOf(row, id), words: [], post: undefined }));
    if (post > 0) match.post = post;
    else match.words.push(row.phrase);
  }
  return all;
}

function foundIn(hub: Hub, { uid, messages }: Slots<{ uid: number; messages: number[] }>) {
  const inForce = sql`f.uid = ${uid} and f.ended = 0`;
  const found = sql<FoundRow>`(select wt.id as message, wf.phrase as phrase, 0 as post, f.*
      from filter f join word_filter wf on wf.filter_id = f.id, (${textsOf(hub, undefined, messages)}) wt
      where ${inForce} and ${matches(hub)}
    union all select fs.message_id as message, '' as phrase, fs.item_id as post, f.*
      from filter f join filter_status fs on fs.filter_id = f.id
      where ${inForce} and ${isOneOf(hub.engine, sql.ref("fs.message_id"), messages)})`;
  return hub.db.selectFrom(found.as("found")).selectAll();
}

type FoundRow = {
  message: number;
  phrase: string;
  post: number;
  id: number;
  title: string;
  action: string;
  ends: string;
} & Record<`at_${FilterContext}`, number>;

function filterOf(row: FoundRow, id: number): FilterMatch["filter"] {
  return {
    id,
    title: row.title,
    contexts: filterContexts.filter((context) => Number(row[`at_${context}`]) === 1),
    action: filterActions.find((one) => one === row.action) ?? "warn",
    ends: row.ends === zeroDate ? undefined : row.ends,
  };
}

/** Those of these messages that a filter of the channel folds on pages, with the words or the title of the first one. */
export async function wordsFoundIn(
  hub: Hub,
  channel: Channel,
  items: readonly Pick<Item, "message_id" | "author_id">[],
): Promise<Map<number, string>> {
  const found = await filtersFoundIn(hub, channel, items);
  return new Map(
    [...found].flatMap(([message, matches]) => {
      const match = matches.find(({ filter }) => filter.contexts.some((context) => context !== "notifications"));
      return match ? [[message, match.words[0] ?? match.filter.title] as const] : [];
    }),
  );
}

/** No page has as many messages. The limit keeps the engines from putting a text together again wherever it is looked at. */
const mostTexts = sql.lit(100_000);

/** What is searched: the title, the warning, the text and the options of a message, folded and as words alone. */
function textsOf(
  hub: Hub,
  id: RawBuilder<unknown> | undefined,
  ids: RawBuilder<readonly number[]> | readonly number[] = [],
): RawBuilder<unknown> {
  const text = sql`(wm.title || ' ' || wm.summary || ' ' || wm.plain || ${optionsOf(hub)})`;
  const which = id ? sql`wm.id = ${id}` : isOneOf(hub.engine, sql.ref("wm.id"), ids);
  const whole = sql.ref("whole");
  return sql`select id, ${folded(hub.engine, whole)} as flat, ${spaced(hub.engine, whole)} as spaced
    from (select wm.id, ${text} as whole from message wm where ${which} limit ${mostTexts}) as wm`;
}

/** What can be chosen in a poll, behind a space. Objects of elsewhere may be no JSON at all, and options have no names but these. */
function optionsOf({ engine }: Hub): RawBuilder<string> {
  const names =
    engine === "sqlite"
      ? sql`(select group_concat(o.atom, ' ') from json_tree(case json_valid(wm.obj) when 1 then wm.obj else '{}' end) o
          where o.key = 'name' and o.type = 'text')`
      : sql`(select string_agg(o.name[1], ' ') from regexp_matches(wm.obj, '"name"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)"', 'g') o(name))`;
  return sql<string>`case wm.obj_type when ${sql.lit(questionType)} then coalesce(' ' || ${names}, '') else '' end`;
}

function matches({ engine }: Hub): RawBuilder<SqlBool> {
  // PostgreSQL does not choose between two ways to compare by itself.
  const needle = engine === "postgres" ? sql`(wf.needle collate "C")` : sql.ref("wf.needle");
  return sql<SqlBool>`case wf.whole_words when 1 then ${contains(engine, sql.ref("wt.spaced"), needle)}
    else ${contains(engine, sql.ref("wt.flat"), needle)} end`;
}
