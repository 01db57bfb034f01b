import { sql } from "kysely";
import type { SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";
import { remembered } from "../../storage/remembered.ts";
import { isOneOf } from "../../storage/sql.ts";
import { observerOf } from "../identity/channel.ts";
import type { Channel } from "../identity/channel.ts";
import { loadUsers } from "../people/users.ts";
import type { User } from "../people/users.ts";
import { visibleTo } from "../permissions/visible.ts";
import { loadTerms } from "./assemble.ts";
import { selectStatuses, unwanted } from "./queries.ts";
import type { StatusItem, Term } from "./types.ts";
import { reactionOf, termTypes } from "./vocabulary.ts";

/** Statuses with everything that their presenters need (microblog contract 7.2), loaded in a fixed number of queries. */
export type StatusPage = {
  items: StatusItem[];
  /** By xchan_id. */
  users: Map<number, User>;
  /** By item id: who reacted how (short names of verbs), oldest first. */
  reactions: Map<number, Record<string, number[]>>;
  /** By item id: the direct parent's id and author; the thread's top where the parent is not stored. */
  parents: Map<number, { id: number; authorId: number }>;
  /** By item id of a thread's top: how many comments it has. */
  comments: Map<number, number>;
  /** By message_id: known reshares, who made them (oldest first), and whether the caller is among those. */
  shares: Map<number, Shares>;
  /** By message_id: the shared originals that the caller may see; they are among `users`, `reactions` and so on too. */
  originals: Map<number, StatusItem>;
  /** By message_id; only when asked for. */
  terms: Map<number, Term[]>;
  /** By profile address: the ids of those whom the statuses mention, as far as they are known; only when terms are asked for. */
  mentioned: Map<string, number>;
};

export type Shares = { count: number; mine: boolean; by: number[] };

/** Loads what belongs to these statuses for the caller; `terms` too when entities are wanted. */
export async function assembleStatuses(
  hub: Hub,
  caller: Channel | undefined,
  items: StatusItem[],
  wanted: { terms: boolean } = { terms: false },
): Promise<StatusPage> {
  if (items.length === 0) return emptyPage();
  const originals = await loadOriginals(hub, caller, items);
  const all = [...items, ...originals.values()];
  const [reactions, parents, comments, shares, terms] = await Promise.all([
    loadReactions(hub, all),
    loadParents(hub, all),
    countComments(hub, caller, all),
    countShares(hub, caller, all),
    wanted.terms
      ? loadTerms(
          hub,
          all.map((item) => item.message_id),
          caller?.channel_id ?? 0,
        )
      : new Map<number, Term[]>(),
  ]);
  const people = new Set(all.flatMap((item) => [item.author_id, item.owner_id]));
  for (const kinds of reactions.values()) for (const ids of Object.values(kinds)) for (const id of ids) people.add(id);
  for (const parent of parents.values()) people.add(parent.authorId);
  for (const { by } of shares.values()) for (const id of by) people.add(id);
  const mentioned = wanted.terms ? await findMentioned(hub, terms) : new Map<string, number>();
  for (const id of mentioned.values()) people.add(id);
  const users = await loadUsers(hub, caller, [...people]);
  forgetBlocked(users, reactions);
  return { items, users, reactions, parents, comments, shares, originals, terms, mentioned };
}

function emptyPage(): StatusPage {
  return {
    items: [],
    users: new Map(),
    reactions: new Map(),
    parents: new Map(),
    comments: new Map(),
    shares: new Map(),
    originals: new Map(),
    terms: new Map(),
    mentioned: new Map(),
  };
}

async function findMentioned(hub: Hub, terms: Map<number, Term[]>): Promise<Map<string, number>> {
  const urls = new Set(
    [...terms.values()].flat().flatMap((term) => (term.ttype === termTypes.mention ? [term.url] : [])),
  );
  if (urls.size === 0) return new Map();
  const rows = await hub.db
    .selectFrom("xchan")
    .select(["xchan_url", "xchan_id"])
    .where(isOneOf(hub.engine, sql.ref("xchan_url"), [...urls]))
    .where("xchan_deleted", "=", 0)
    .orderBy("xchan_id", "desc")
    .execute();
  return new Map(rows.map((row) => [row.xchan_url, row.xchan_id]));
}

/** Shared messages, by a copy that the caller may see: a share never shows more than its original would. */
async function loadOriginals(
  hub: Hub,
  caller: Channel | undefined,
  items: StatusItem[],
): Promise<Map<number, StatusItem>> {
  const shared = [...new Set(items.map((item) => item.shared_id).filter((id) => id > 0))];
  if (shared.length === 0) return new Map();
  const me = caller?.channel_id ?? 0;
  const copies = await selectStatuses(hub)
    .where(isOneOf(hub.engine, sql.ref("item.message_id"), shared))
    .where(await visibleTo(hub, caller && observerOf(caller)))
    .where("item.item_normal", "=", 1)
    .where(sql<SqlBool>`(item.uid = ${me} or item.item_wall = 1)`)
    .orderBy(sql`case when item.uid = ${me} then 1 else 0 end`)
    .orderBy("item.id")
    .execute();
  return new Map(copies.map((item) => [item.message_id, item]));
}

async function loadReactions(hub: Hub, items: StatusItem[]): Promise<Map<number, Record<string, number[]>>> {
  const rows = await remembered(hub, "reactions to statuses", { ids: items.map((item) => item.id) }, ({ ids }) =>
    hub.db
      .selectFrom("item")
      .innerJoin("message", "message.id", "item.message_id")
      .select(["item.thr_parent_id", "item.author_id", "message.verb"])
      .where(isOneOf(hub.engine, sql.ref("item.thr_parent_id"), ids))
      .where("item.item_normal", "=", sql.lit(1))
      .where("item.item_notshown", "=", sql.lit(1))
      .orderBy("item.created")
      .orderBy("item.id"),
  );
  const byItem = new Map<number, Record<string, number[]>>();
  for (const row of rows) {
    const name = reactionOf(row.verb);
    if (name === undefined) continue;
    const kinds = byItem.get(row.thr_parent_id) ?? {};
    byItem.set(row.thr_parent_id, kinds);
    (kinds[name] ??= []).push(row.author_id);
  }
  return byItem;
}

/** Takes out the reactions of people whom the caller has blocked. */
function forgetBlocked(users: Map<number, User>, reactions: Map<number, Record<string, number[]>>): void {
  const blocked = new Set([...users.values()].flatMap((user) => (user.blocking ? [user.xchan_id] : [])));
  if (blocked.size === 0) return;
  for (const kinds of reactions.values()) {
    for (const [name, ids] of Object.entries(kinds)) kinds[name] = ids.filter((id) => !blocked.has(id));
  }
}

async function loadParents(hub: Hub, items: StatusItem[]): Promise<Map<number, { id: number; authorId: number }>> {
  const answers = items.filter((item) => item.item_thread_top === 0);
  if (answers.length === 0) return new Map();
  const rows = await remembered(hub, "parents of statuses", { ids: answers.map(parentOf) }, ({ ids }) =>
    hub.db
      .selectFrom("item")
      .select(["id", "author_id"])
      .where(isOneOf(hub.engine, sql.ref("id"), ids)),
  );
  const authors = new Map(rows.map((row) => [row.id, row.author_id]));
  return new Map(
    answers.flatMap((item) => {
      const authorId = authors.get(parentOf(item));
      return authorId === undefined ? [] : [[item.id, { id: parentOf(item), authorId }]];
    }),
  );
}

function parentOf(item: StatusItem): number {
  return item.thr_parent_id > 0 && item.thr_parent_id !== item.id ? item.thr_parent_id : item.parent;
}

/** Comments of people whom the caller has blocked are none of theirs. */
async function countComments(hub: Hub, caller: Channel | undefined, items: StatusItem[]): Promise<Map<number, number>> {
  const tops = items.filter((item) => item.item_thread_top === 1).map((item) => item.id);
  if (tops.length === 0) return new Map();
  const uid = caller?.channel_id ?? 0;
  const rows = await remembered(hub, "comments on statuses", { tops, uid }, (slots) =>
    hub.db
      .selectFrom("item")
      .select(["parent", (x) => x.fn.countAll<number>().as("comments")])
      .where(isOneOf(hub.engine, sql.ref("parent"), slots.tops))
      .where("item_normal", "=", sql.lit(1))
      .where("item_notshown", "=", sql.lit(0))
      .where("item_thread_top", "=", sql.lit(0))
      .where("author_id", "not in", ({ selectFrom }) => unwanted(selectFrom("abook"), slots.uid, "only blocked"))
      .groupBy("parent"),
  );
  return new Map(rows.map((row) => [row.parent, Number(row.comments)]));
}

/** Only public shares count: of others nobody should learn. */
async function countShares(hub: Hub, caller: Channel | undefined, items: StatusItem[]): Promise<Map<number, Shares>> {
  const me = caller?.xchan_id ?? 0;
  const messages = items.map((item) => item.message_id);
  const rows = await remembered(hub, "shares of statuses", { messages, me }, (slots) =>
    hub.db
      .selectFrom("message")
      .innerJoin("item", "item.message_id", "message.id")
      .select(["message.shared_id", "item.author_id"])
      .select(sql<number>`count(*)`.as("count"))
      .where(isOneOf(hub.engine, sql.ref("message.shared_id"), slots.messages))
      .where("message.shared_id", ">", sql.lit(0))
      .where("item.item_wall", "=", sql.lit(1))
      .where("item.item_normal", "=", sql.lit(1))
      .where((x) => x.or([x("item.item_private", "=", sql.lit(0)), x("item.author_id", "=", slots.me)]))
      .groupBy(["message.shared_id", "item.author_id"])
      .orderBy(sql`min(item.id)`),
  );
  const byMessage = new Map<number, Shares>();
  for (const row of rows) {
    const shares = byMessage.get(row.shared_id) ?? { count: 0, mine: false, by: [] };
    byMessage.set(row.shared_id, shares);
    shares.count += Number(row.count);
    shares.mine ||= row.author_id === me;
    shares.by.push(row.author_id);
  }
  return byMessage;
}
