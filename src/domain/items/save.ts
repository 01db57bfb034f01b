import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { AliasedRawBuilder, Insertable, RawBuilder, SqlBool } from "kysely";
import { refusal } from "../../errors.ts";
import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { emit } from "../live/emit.ts";
import { bareTag } from "../people/featured-tags.ts";
import { tokensOf } from "../search/tokens.ts";
import { freshIds, inPieces } from "../../storage/sql.ts";
import { compiled } from "../../storage/compiled-query.ts";
import type { IconfigTable, ItemTable, MessageTable } from "../../storage/tables/items.ts";
import { pipelined } from "../../storage/pipelined.ts";
import type { NewTerm } from "./content.ts";
import { localLink } from "./links.ts";
import { answerType } from "./poll.ts";
import { contentColumns } from "./columns.ts";
import { selectItems, yes } from "./queries.ts";
import type { MessageContent } from "./columns.ts";
import type { Draft, Item, ItemRow } from "./types.ts";
import { reactionOf, termTypes, verbs } from "./vocabulary.ts";

/** Where posts by local authors and messages from elsewhere end alike: rows in, nothing decided any more. */

export type NewMessage = Omit<Insertable<MessageTable>, "mid" | "uuid" | "parent_mid" | "thr_parent" | "words"> & {
  /** Left out: a new one of this hub. */
  mid?: string;
  /** Left out for the top of a thread. */
  parent_mid?: string;
  thr_parent?: string;
  /** Left out: a new one. It must be free. */
  uuid?: string;
};

export type NewMeta = Pick<Insertable<IconfigTable>, "cat" | "k" | "v" | "sharing" | "uid" | "remote_key">;

/** Stores the content of a message and answers it with its id. Throws conflict when the author already has that mid. */
export async function saveMessage(
  hub: Hub,
  message: NewMessage,
  terms: NewTerm[],
  meta: NewMeta[] = [],
): Promise<{ id: number } & MessageContent> {
  const uuid = message.uuid ?? randomUUID();
  const mid = message.mid ?? `${hub.config.baseUrl}/item/${uuid}`;
  const columns = {
    ...message,
    mid,
    uuid,
    parent_mid: message.parent_mid ?? mid,
    thr_parent: message.thr_parent ?? message.parent_mid ?? mid,
    words: isUnlisted(meta) ? "" : foundBy(message, terms),
    plink: message.plink || (mid.startsWith(`${hub.config.baseUrl}/item/`) ? mid : localLink(hub, mid)),
  };
  const [row] = await compiled(hub, "new message", columns, (slots) =>
    hub.db
      .insertInto("message")
      .values(slots)
      .onConflict((conflict) => conflict.columns(["mid", "author_id", "version"]).doNothing())
      .returning(["message.id", ...contentColumns]),
  );
  if (!row) throw refusal("duplicate_post");
  if (message.shared_id) await markReshared(hub, message.shared_id);
  await saveTerms(hub, row.id, terms);
  await insertMeta(hub, row.id, meta);
  return row;
}

/** It is a direct post: for those whom it names, whatever lists say. */
export const directMark: NewMeta = { cat: "mastodon", k: "direct", v: "1", sharing: 1, uid: 0, remote_key: null };

export function isDirectMark({ cat, k }: Pick<NewMeta, "cat" | "k">): boolean {
  return cat === directMark.cat && k === directMark.k;
}

/** What a private answer is about: the mid of that is its value. */
export const aboutMark = { cat: "mastodon", k: "about", sharing: 0, uid: 0, remote_key: null };

/** Marks what is for everybody, but stands in no list that everybody reads (federation contract 5). */
export const unlisted: NewMeta = { cat: "federation", k: "unlisted", v: "1", sharing: 1, uid: 0, remote_key: null };

/** Who may quote a message, where its author has said that of this one; the word is its value. */
export const quotersMark = { cat: "federation", k: "quoters", sharing: 1, uid: 0, remote_key: null };

/** What is noted beside the text of a message that everybody may see. */
export function publicMarks({ unlisted: isUnlisted, quoters }: Pick<Draft, "unlisted" | "quoters">): NewMeta[] {
  return [...(isUnlisted ? [unlisted] : []), ...(quoters ? [{ ...quotersMark, v: quoters }] : [])];
}

/** How many answers the hub of a message says that it has; the number is its value. */
export const answersElsewhere = { cat: "federation", k: "answers", sharing: 0, uid: 0, remote_key: null };

function isUnlisted(meta: readonly NewMeta[]): boolean {
  return meta.some(({ cat, k, v }) => cat === unlisted.cat && k === unlisted.k && v === unlisted.v);
}

/** Adds metadata to a message, but no name on another service that something else has. */
export async function insertMeta(hub: Hub, message_id: number, meta: readonly NewMeta[]): Promise<void> {
  for (const entries of inPieces(meta))
    await hub.db
      .insertInto("iconfig")
      .values(entries.map((entry) => ({ ...entry, message_id })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

/** Marks a message as shared by somebody, for those who ask what of theirs was. */
export async function markReshared(hub: Hub, messageId: number): Promise<void> {
  await hub.db
    .updateTable("item")
    .set({ reshared: 1 })
    .where("message_id", "=", messageId)
    .where((x) => x.or([x("item_wall", "=", 1), x("item_origin", "=", 1)]))
    .where("reshared", "=", 0)
    .execute();
}

/** What a new message is found by: reactions, votes, tags, notes about threads and the pages of wikis by nothing. */
export function foundBy(message: NewMessage, terms: readonly NewTerm[]): string {
  const { author_id, created, title = "", summary = "", plain = "", resource_type = "" } = message;
  const isApart = [verbs.tag, verbs.follow, verbs.unfollow].includes(message.verb) || message.obj_type === answerType;
  if (isApart || reactionOf(message.verb) !== undefined || resource_type.startsWith("nwiki")) return "";
  const isTop = message.parent_mid === undefined || message.parent_mid === message.mid;
  const tags = terms.filter((term) => term.ttype === termTypes.hashtag).map((term) => termKey(term.term));
  return tokensOf({ author_id, created, title, summary, plain, isTop }, tags);
}

/** Adds terms to a message; doubles are stored once. `uid` 0: the message's own. */
export async function saveTerms(hub: Hub, messageId: number, terms: NewTerm[], uid = 0): Promise<void> {
  const once = new Map(terms.map((term) => [`${term.ttype} ${term.term} ${term.url}`, term]));
  const rows = [...once.values()].map((term) => ({
    ...term,
    message_id: messageId,
    uid,
    otype: 1,
    term_key: termKey(term.term),
  }));
  for (const piece of inPieces(rows)) await pipelined(hub, hub.db.insertInto("term").values(piece));
}

/** Terms are compared in this form. */
export function termKey(term: string): string {
  return term.normalize("NFKC").toLowerCase();
}

/** Hashtags, as somebody typed them, in this one. */
export function tagKey(tag: string): string {
  return termKey(bareTag(tag));
}

/** A channel's row of a message; `parent` left out makes it the top of its own thread. */
export type NewItem = Omit<
  Insertable<ItemTable>,
  "item_normal" | "parent" | "thr_parent_id" | "commented" | "received" | "changed"
> & {
  parent?: number;
  thr_parent_id?: number;
  /** Left out: now, or for `commented` when it was created. */
  commented?: string;
  received?: string;
  changed?: string;
};

/** Gives a channel its row of a message and answers it; undefined when it has one already. Whoever listens hears of it. */
export async function saveItem(hub: Hub, item: NewItem): Promise<ItemRow | undefined> {
  const row = await storeItem(hub, item);
  if (row) await emit(hub, { what: "item", message: row.message_id, from: row.id, to: row.id });
  return row;
}

/** The same without a word: for what was there before. */
export async function storeItem(hub: Hub, item: NewItem): Promise<ItemRow | undefined> {
  const received = now(hub);
  const columns = { commented: item.created, received, changed: received, ...item };
  const [row] = await (item.parent === undefined ? insertTop(hub, columns) : insertAnswer(hub, columns));
  return row;
}

/** Columns of items and what goes into them, for rows that a select makes. */
export type ItemValues = { [C in keyof ItemTable]?: RawBuilder<unknown> };

/** The columns that are written. */
export function namesOf(values: ItemValues): (keyof ItemTable)[] {
  return Object.keys(values) as (keyof ItemTable)[];
}

export function named(values: ItemValues): AliasedRawBuilder<unknown, string>[] {
  return Object.entries(values).map(([name, value]) => value.as(name));
}

type ItemColumns = NewItem & Required<Pick<NewItem, "commented" | "received" | "changed">>;

/** The top of a thread is its own parent. */
function insertTop(hub: Hub, columns: ItemColumns): Promise<ItemRow[]> {
  return compiled(hub, "new top", columns, (slots) => {
    const id = sql.ref<number>("fresh.id");
    const whole: ItemValues = { ...slots, id, parent: id, thr_parent_id: id, item_thread_top: yes };
    return hub.db
      .insertInto("item")
      .columns(namesOf(whole))
      .expression(
        hub.db
          .selectFrom(hub.db.selectNoFrom(freshIds(hub.engine, "item").as("id")).as("fresh"))
          .select(named(whole))
          // Without it SQLite would take the conflict below for the condition of a join.
          .where(sql<SqlBool>`1 = 1`),
      )
      .onConflict((conflict) => conflict.columns(["message_id", "uid"]).doNothing())
      .returningAll();
  });
}

function insertAnswer(hub: Hub, columns: ItemColumns): Promise<ItemRow[]> {
  const whole = { parent: 0, thr_parent_id: 0, ...columns, item_thread_top: 0 };
  return compiled(hub, "new answer", whole, (slots) =>
    hub.db
      .insertInto("item")
      .values(slots)
      .onConflict((conflict) => conflict.columns(["message_id", "uid"]).doNothing())
      .returningAll(),
  );
}

/** The top of the thread in which an item stands, as the same channel has it. */
export async function loadTop(hub: Hub, item: Item): Promise<Item> {
  return item.item_thread_top === 1 ? item : loadItem(hub, item.parent);
}

/** The full record of a channel's row. */
export async function loadItem(hub: Hub, id: number): Promise<Item> {
  const [item] = await compiled(hub, "item", { id }, (slots) => selectItems(hub).where("item.id", "=", slots.id));
  if (!item) throw new Error(`There is no item ${id}`);
  return item;
}
