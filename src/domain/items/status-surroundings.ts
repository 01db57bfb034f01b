import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { remembered } from "../../storage/remembered.ts";
import type { Slots } from "../../storage/remembered.ts";
import { isOneOf } from "../../storage/sql.ts";
import type { Channel } from "../identity/channel.ts";
import { unwanted } from "./queries.ts";
import type { StatusItem } from "./types.ts";
import { reactionOf, termTypes } from "./vocabulary.ts";

/** What a page of statuses shows around them. */
export type Surroundings = {
  /** By item id: who reacted how (short names of verbs), oldest first. */
  reactions: Map<number, Record<string, number[]>>;
  /** By item id: the direct parent's id and author; the thread's top where the parent is not stored. */
  parents: Map<number, { id: number; authorId: number }>;
  /** By item id of a thread's top: how many comments it has. */
  comments: Map<number, number>;
  /** By message_id: known reshares, who made them (oldest first), and whether the caller is among those. */
  shares: Map<number, Shares>;
  /** By profile address: the ids of those whom the statuses mention, as far as they are known; only when asked for. */
  mentioned: Map<string, number>;
};

export type Shares = { count: number; mine: boolean; by: number[] };

/** Loads all of it in one statement, since each way to the database costs more than what is found there; `people` are all who occur. */
export async function loadSurroundings(
  hub: Hub,
  caller: Channel | undefined,
  items: readonly StatusItem[],
  wanted: { mentioned: boolean },
): Promise<Surroundings & { people: Set<number> }> {
  const rows = await findings(hub, caller, items, wanted.mentioned);
  const me = caller?.xchan_id ?? 0;
  const found: Surroundings = emptySurroundings();
  const people = new Set<number>();
  const authors = new Map<number, number>();
  for (const row of rows) {
    if (row.person > 0) people.add(row.person);
    if (row.kind === kinds.reaction) addReaction(found.reactions, row);
    else if (row.kind === kinds.parent) authors.set(row.about, row.person);
    else if (row.kind === kinds.comments) found.comments.set(row.about, row.number);
    else if (row.kind === kinds.share) addShare(found.shares, row, me);
    else found.mentioned.set(row.text, row.person);
  }
  for (const item of items) {
    const id = parentOf(item);
    const authorId = authors.get(id);
    if (item.item_thread_top === 0 && authorId !== undefined) found.parents.set(item.id, { id, authorId });
  }
  return { ...found, people };
}

/** For a page without statuses. */
export function emptySurroundings(): Surroundings {
  return { reactions: new Map(), parents: new Map(), comments: new Map(), shares: new Map(), mentioned: new Map() };
}

const kinds = { reaction: 1, parent: 2, comments: 3, share: 4, mention: 5 } as const;

/** A row of any kind. The order of all is that of the moments, then that of the numbers. */
type Finding = { kind: number; about: number; person: number; text: string; moment: string; number: number };

type Asked = { ids: number[]; parents: number[]; tops: number[]; messages: number[]; uid: number; me: number };

function findings(
  hub: Hub,
  caller: Channel | undefined,
  items: readonly StatusItem[],
  mentioned: boolean,
): Promise<Finding[]> {
  const asked: Asked = {
    ids: items.map((item) => item.id),
    parents: items.filter((item) => item.item_thread_top === 0).map(parentOf),
    tops: items.filter((item) => item.item_thread_top === 1).map((item) => item.id),
    messages: items.map((item) => item.message_id),
    uid: caller?.channel_id ?? 0,
    me: caller?.xchan_id ?? 0,
  };
  return remembered(hub, mentioned ? "around statuses, with mentions" : "around statuses", asked, (slots) => {
    const around = reactionsIn(hub, slots)
      .unionAll(parentsIn(hub, slots))
      .unionAll(commentsIn(hub, slots))
      .unionAll(sharesIn(hub, slots));
    return (mentioned ? around.unionAll(mentionsIn(hub, slots)) : around).orderBy("moment").orderBy("number");
  });
}

const none = sql.lit(0);
const noText = sql<string>`''`;

function kind(name: keyof typeof kinds) {
  return sql.lit<number>(kinds[name]).as("kind");
}

function reactionsIn(hub: Hub, { ids }: Slots<Asked>) {
  return hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .select([kind("reaction"), "item.thr_parent_id as about", "item.author_id as person"])
    .select(["message.verb as text", "item.created as moment", "item.id as number"])
    .where(isOneOf(hub.engine, sql.ref("item.thr_parent_id"), ids))
    .where("item.item_normal", "=", sql.lit(1))
    .where("item.item_notshown", "=", sql.lit(1));
}

function parentsIn(hub: Hub, { parents }: Slots<Asked>) {
  return hub.db
    .selectFrom("item")
    .select([kind("parent"), "id as about", "author_id as person"])
    .select([noText.as("text"), noText.as("moment"), none.as("number")])
    .where(isOneOf(hub.engine, sql.ref("id"), parents));
}

function parentOf(item: StatusItem): number {
  return item.thr_parent_id > 0 && item.thr_parent_id !== item.id ? item.thr_parent_id : item.parent;
}

/** Comments of people whom the caller has blocked are none of theirs. */
function commentsIn(hub: Hub, { tops, uid }: Slots<Asked>) {
  return hub.db
    .selectFrom("item")
    .select([kind("comments"), "parent as about", none.as("person"), noText.as("text"), noText.as("moment")])
    .select((x) => x.fn.countAll<number>().as("number"))
    .where(isOneOf(hub.engine, sql.ref("parent"), tops))
    .where("item_normal", "=", sql.lit(1))
    .where("item_notshown", "=", sql.lit(0))
    .where("item_thread_top", "=", sql.lit(0))
    .where("author_id", "not in", ({ selectFrom }) => unwanted(selectFrom("abook"), uid, "only blocked"))
    .groupBy("parent");
}

/** Only public shares count: of others nobody should learn. */
function sharesIn(hub: Hub, { messages, me }: Slots<Asked>) {
  return hub.db
    .selectFrom("message")
    .innerJoin("item", "item.message_id", "message.id")
    .select([kind("share"), "message.shared_id as about", "item.author_id as person"])
    .select([noText.as("text"), noText.as("moment"), "item.id as number"])
    .where(isOneOf(hub.engine, sql.ref("message.shared_id"), messages))
    .where("message.shared_id", ">", sql.lit(0))
    .where("item.item_wall", "=", sql.lit(1))
    .where("item.item_normal", "=", sql.lit(1))
    .where((x) => x.or([x("item.item_private", "=", sql.lit(0)), x("item.author_id", "=", me)]));
}

/** Of people with the same address the one who was known first. */
function mentionsIn(hub: Hub, { messages, uid }: Slots<Asked>) {
  return hub.db
    .selectFrom("term")
    .innerJoin("xchan", "xchan.xchan_url", "term.url")
    .select([kind("mention"), none.as("about")])
    .select((x) => x.fn.min<number>("xchan.xchan_id").as("person"))
    .select(["term.url as text", noText.as("moment"), none.as("number")])
    .where(isOneOf(hub.engine, sql.ref("term.message_id"), messages))
    .where((x) => x.or([x("term.uid", "=", none), x("term.uid", "=", uid)]))
    .where("term.ttype", "=", sql.lit(termTypes.mention))
    .where("xchan.xchan_deleted", "=", none)
    .groupBy("term.url");
}

function addReaction(reactions: Surroundings["reactions"], { about, person, text }: Finding): void {
  const name = reactionOf(text);
  if (name === undefined) return;
  const all = reactions.get(about) ?? {};
  reactions.set(about, all);
  (all[name] ??= []).push(person);
}

function addShare(shares: Surroundings["shares"], { about, person }: Finding, me: number): void {
  const known = shares.get(about) ?? { count: 0, mine: false, by: [] };
  shares.set(about, known);
  known.count += 1;
  known.mine ||= person === me;
  if (!known.by.includes(person)) known.by.push(person);
}
