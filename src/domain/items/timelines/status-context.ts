import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../../hub.ts";
import { compiled } from "../../../storage/compiled-query.ts";
import type { Slots } from "../../../storage/compiled-query.ts";
import { eachOf, isOneOf } from "../../../storage/sql.ts";
import { maySayNames } from "../../bodies/plain-text.ts";
import { unwantedBy } from "../../connections/unwanted.ts";
import type { Observer } from "../../identity/channels/observer.ts";
import { sharesOpenlyElsewhere } from "../../permissions/shared-elsewhere.ts";
import { mayLink } from "../linked-page.ts";
import { permitsMark } from "../permits.ts";
import { pinMark } from "../pins.ts";
import { sharesPurely } from "../queries.ts";
import { aboutMark, quotersMark, unlisted } from "../save.ts";
import type { ApplicationItem } from "../columns.ts";
import { reactionOf, termTypes } from "../vocabulary.ts";

/** What a page of statuses shows around them. */
export type StatusContext = {
  /** By item id: who reacted how (short names of verbs), oldest first; the first `mostNamed` of each are among the people. */
  reactions: Map<number, Record<string, number[]>>;
  /** By item id: the direct parent's id and author; the thread's top where the parent is not stored, or deleted. */
  parents: Map<number, { id: number; authorId: number }>;
  /** By item id of a thread's top: how many comments it has; for applications of a comment: how many answers it has itself, seen or not. */
  comments: Map<number, number>;
  /** By message_id, also of what the statuses share: known reshares, who made them (oldest first, named alike), and whether the observer is among those. */
  shares: Map<number, Shares>;
  /** By message_id: how many public posts quote it. */
  quotes: Map<number, number>;
  /** By profile address: the ids of those whom the statuses mention, as far as they are known. */
  mentioned: Map<string, number>;
  /** By message_id, in the order of the text: profile addresses of those who are mentioned. */
  addresses: Map<number, string[]>;
  /** By message_id, in the order of the text; only for applications. */
  hashtags: Map<number, string[]>;
  /** By message_id: what it is marked with; only for applications. */
  marks: Map<number, Mark[]>;
  /** By message_id: those that lead to a page which has a card, or shall have one; only for applications. */
  linked: Set<number>;
};

/** A name, and what is said under it. */
export type Mark = [k: string, v: string];

/** Everybody around a page: parents' authors and whom it mentions, and who has only reacted to it or shared it. */
export type PeopleAround = { named: Set<number>; reacting: Set<number> };

export type Shares = { count: number; mine: boolean; by: number[] };

/** Of the reactions and the shares of a status so many are counted, beside the observer's own. */
const mostCounted = 500;
/** So many comments, and so many answers. */
const mostComments = 5000;
/** So many of those who reacted in some way or shared are named. */
export const mostNamed = 100;

/** Loads all of it in one statement, since each way to the database costs more than what is found there. */
export async function loadStatusContext(
  hub: Hub,
  observer: Observer,
  items: readonly ApplicationItem[],
  applications: boolean,
): Promise<StatusContext & { people: PeopleAround }> {
  const rows = (await findings(hub, observer, items, applications)).sort(byMoment);
  const me = observer.xchanId;
  const found: StatusContext = emptyStatusContext();
  const people: PeopleAround = { named: new Set(), reacting: new Set() };
  const authors = new Map<number, number>();
  const sharers = new Set<string>();
  for (const row of rows) {
    if (row.kind === kinds.reaction) addReaction(found.reactions, row, me, people.reacting);
    else if (row.kind === kinds.comments) found.comments.set(row.about, row.number);
    else if (row.kind === kinds.share) addShare(found.shares, sharers, row, me, people.reacting);
    else if (row.kind === kinds.quote) found.quotes.set(row.about, (found.quotes.get(row.about) ?? 0) + 1);
    else if (row.kind === kinds.tag) addTo(found.hashtags, row.about, row.text);
    else if (row.kind === kinds.mark) addTo(found.marks, row.about, readMark(row.text));
    else if (row.kind === kinds.link) found.linked.add(row.about);
    else {
      if (row.kind === kinds.parent) authors.set(row.about, row.person);
      else addTo(found.addresses, row.about, row.text);
      if (row.person === 0) continue;
      people.named.add(row.person);
      if (row.kind === kinds.name) found.mentioned.set(row.text, row.person);
    }
  }
  for (const item of items) {
    const id = parentsOf(item).find((id) => authors.has(id));
    if (id !== undefined) found.parents.set(item.id, { id, authorId: authors.get(id)! });
  }
  return { ...found, people };
}

/** For a page without statuses. */
export function emptyStatusContext(): StatusContext {
  return {
    reactions: new Map(),
    parents: new Map(),
    comments: new Map(),
    shares: new Map(),
    quotes: new Map(),
    mentioned: new Map(),
    addresses: new Map(),
    hashtags: new Map(),
    marks: new Map(),
    linked: new Set(),
  };
}

const kinds = { reaction: 1, parent: 2, comments: 3, share: 4, tag: 5, name: 6, quote: 7, mark: 8, link: 9 } as const;

/** A row of any kind. */
type Finding = { kind: number; about: number; person: number; text: string; moment: string; number: number };

/** The order of all is that of the moments, then that of the numbers. SQLite would order each kind for itself, which takes longer than finding them. */
function byMoment(one: Finding, other: Finding): number {
  if (one.moment !== other.moment) return one.moment < other.moment ? -1 : 1;
  return one.number - other.number;
}

type Asked = {
  ids: number[];
  parents: number[];
  tops: number[];
  messages: number[];
  /** The messages, and what they share. */
  originals: number[];
  uid: number;
  me: number;
};

/** Of applications besides: comments, and messages that may lead to a page. */
type AskedByApplications = { answered: number[]; linking: number[] };

function findings(
  hub: Hub,
  observer: Observer,
  items: readonly ApplicationItem[],
  applications: boolean,
): Promise<Finding[]> {
  const withTerms = applications || items.some((item) => maySayNames(item.html));
  // A post may be on a page twice, by itself and as what another one shares.
  const asked: Asked = {
    ids: once(items.map((item) => item.id)),
    parents: once(items.flatMap(parentsOf)),
    tops: once(items.filter((item) => item.item_thread_top === 1).map((item) => item.id)),
    messages: once(items.map((item) => item.message_id)),
    originals: once(
      items.flatMap((item) => (item.shared_id > 0 ? [item.message_id, item.shared_id] : item.message_id)),
    ),
    uid: observer.channelId,
    me: observer.xchanId,
  };
  const further: AskedByApplications = {
    answered: once(items.filter((item) => item.item_thread_top === 0).map((item) => item.id)),
    linking: once(items.filter(mayLink).map((item) => item.message_id)),
  };
  const name = `around statuses${applications ? " of applications" : withTerms ? ", with names" : ""}`;
  const build = (slots: Slots<Asked & Partial<AskedByApplications>>) => {
    let around = parentsIn(hub, slots).unionAll(commentsIn(hub, slots));
    for (const rows of [...reactionsIn(hub, slots), ...sharesIn(hub, slots, applications)])
      around = around.unionAll(rows);
    if (withTerms) around = around.unionAll(termsIn(hub, slots, applications));
    return slots.answered && slots.linking
      ? around
          .unionAll(answersIn(hub, slots.answered))
          .unionAll(marksIn(hub, slots.messages))
          .unionAll(linksIn(hub, slots.linking))
      : around;
  };
  return compiled(hub, name, { ...asked, ...(applications && further) }, build);
}

function once(ids: readonly number[]): number[] {
  return [...new Set(ids)];
}

const none = sql.lit(0);
const noText = sql<string>`''`;

function kind(name: keyof typeof kinds) {
  return sql.lit<number>(kinds[name]).as("kind");
}

/** The columns of a finding, for a statement of its own. */
function columns(
  name: keyof typeof kinds,
  about: string,
  person: string,
  text: string,
  moment: string,
  number: string,
) {
  return sql.raw(
    `${kinds[name]} as kind, ${about} as about, ${person} as person, ${text} as text, ${moment} as moment, ${number} as number`,
  );
}

/**
 * Of the rows that belong to each id the first `mostCounted` by their authors, and the observer's own besides: two sources
 * of rows `found`. PostgreSQL takes the first ones off an index; SQLite is told where they end, and by which index: it would
 * look through all that others have said for what the observer has.
 */
function counted(
  hub: Hub,
  ids: RawBuilder<readonly number[]>,
  me: RawBuilder<number>,
  table: "item" | "message",
  index: string,
  belongs: (row: string) => string,
): RawBuilder<unknown>[] {
  const asked = sql`${eachOf(hub.engine, ids)} as asked`;
  const ofOthers = (row: string) => sql`${sql.raw(belongs(row))} and ${sql.ref(`${row}.author_id`)} <> ${me}`;
  const first = (row: string) =>
    sql`from ${sql.raw(`${table} ${row}`)} where ${ofOthers(row)} order by ${sql.ref(`${row}.author_id`)} limit`;
  const last = sql`coalesce((select edge.author_id ${first("edge")} 1 offset ${sql.lit(mostCounted - 1)}), ${sql.lit(Number.MAX_SAFE_INTEGER)})`;
  const found = sql.raw(hub.engine === "sqlite" ? `${table} found indexed by ${index}` : `${table} found`);
  return [
    hub.engine === "postgres"
      ? sql`${asked} cross join lateral (select one.* ${first("one")} ${sql.lit(mostCounted)}) as found`
      : // The limit, which is beyond all pages, keeps SQLite from asking for the end again with every row.
        sql`(select asked.id, ${last} as last from ${asked} limit 100000) as asked
          cross join ${found} on ${ofOthers("found")} and found.author_id <= asked.last`,
    sql`${asked} join ${found} on ${sql.raw(belongs("found"))} and found.author_id = ${me}`,
  ];
}

/** People whom the observer has blocked have not reacted. */
function reactionsIn(hub: Hub, { ids, me }: Slots<Asked>): RawBuilder<Finding>[] {
  const shown = columns(
    "reaction",
    "found.thr_parent_id",
    "found.author_id",
    "message.verb",
    "found.created",
    "found.id",
  );
  const belongs = (row: string) =>
    `${row}.thr_parent_id = asked.id and ${row}.item_normal = 1 and ${row}.item_notshown = 1`;
  return counted(hub, ids, me, "item", "item_reactions", belongs).map(
    (source) => sql<Finding>`select ${shown} from ${source} join message on message.id = found.message_id
      where found.author_id not in (${blocked})`,
  );
}

/** Those whom the observer has blocked are looked up once, in front of everything else. */
const blocked = sql`select id from blocked`;

function parentsIn(hub: Hub, { parents, uid }: Slots<Asked>) {
  return hub.db
    .with(
      (name) => name("blocked").materialized(),
      () => sql<{ id: number }>`(${unwantedBy(uid, "only blocked")})`,
    )
    .selectFrom("item")
    .select([kind("parent"), "id as about", "author_id as person"])
    .select([noText.as("text"), noText.as("moment"), none.as("number")])
    .where(isOneOf(hub.engine, sql.ref("id"), parents))
    .where("item_normal", "=", sql.lit(1));
}

/** What a comment may be said to answer: its direct parent, else the top of its thread. */
function parentsOf(item: ApplicationItem): number[] {
  if (item.item_thread_top === 1) return [];
  const direct = item.thr_parent_id;
  return direct > 0 && direct !== item.id && direct !== item.parent ? [direct, item.parent] : [item.parent];
}

/** Comments of people whom the caller has blocked are none of theirs. */
function commentsIn(hub: Hub, { tops }: Slots<Asked>) {
  const comments = hub.db
    .selectFrom("item")
    .select(sql`1`.as("one"))
    .where("parent", "=", sql.ref<number>("asked.id"))
    .where("item_normal", "=", sql.lit(1))
    .where("item_notshown", "=", sql.lit(0))
    .where("item_thread_top", "=", sql.lit(0))
    .where(sql<SqlBool>`author_id not in (${blocked})`)
    .limit(sql.lit(mostComments));
  return hub.db
    .selectFrom(eachOf(hub.engine, tops).as("asked"))
    .select([kind("comments"), "asked.id as about", none.as("person"), noText.as("text"), noText.as("moment")])
    .select(sql<number>`(select count(*) from (${comments}) as counted)`.as("number"));
}

/**
 * By their index. Where most items answer the same one PostgreSQL takes that for what is usual, and would read all items for each, unless
 * it is asked for a range.
 */
function answersIn(hub: Hub, answered: RawBuilder<number[]>) {
  const isAnswer = hub.engine === "postgres" ? sql`between asked.id and asked.id` : sql`= asked.id`;
  const answers = sql`select 1 from item a where a.thr_parent_id ${isAnswer} and a.id <> asked.id and a.item_normal = 1
    and a.item_notshown = 0 limit ${sql.lit(mostComments)}`;
  return hub.db
    .selectFrom(eachOf(hub.engine, answered).as("asked"))
    .select([kind("comments"), "asked.id as about", none.as("person"), noText.as("text"), noText.as("moment")])
    .select(sql<number>`(select count(*) from (${answers}) as answering)`.as("number"));
}

/** Each by both of its names at once, or SQLite looks for every combination of them. */
const isShownMark = sql<SqlBool>`iconfig.cat || ' ' || iconfig.k in (${sql.join(
  [unlisted, pinMark(""), quotersMark, permitsMark, aboutMark].map(({ cat, k }) => sql.lit(`${cat} ${k}`)),
)})`;

/** Names have no spaces. */
function marksIn(hub: Hub, messages: RawBuilder<readonly number[]>) {
  return hub.db
    .selectFrom("iconfig")
    .select([kind("mark"), "message_id as about", none.as("person")])
    .select([sql<string>`k || ' ' || v`.as("text"), noText.as("moment"), "id as number"])
    .where(isOneOf(hub.engine, sql.ref("message_id"), messages))
    .where("uid", "=", none)
    .where(isShownMark);
}

function readMark(text: string): Mark {
  const space = text.indexOf(" ");
  return [text.slice(0, space), text.slice(space + 1)];
}

/** The marks of these alone. */
export async function loadMarks(hub: Hub, messages: readonly number[]): Promise<Pick<StatusContext, "marks">> {
  const marks: StatusContext["marks"] = new Map();
  const rows = await compiled(hub, "marks of statuses", { messages }, (slots) => marksIn(hub, slots.messages));
  for (const { about, text } of rows) addTo(marks, about, readMark(text));
  return { marks };
}

function linksIn(hub: Hub, linking: RawBuilder<number[]>) {
  return hub.db
    .selectFrom("message_link")
    .select([kind("link"), "message_id as about", none.as("person")])
    .select([noText.as("text"), noText.as("moment"), none.as("number")])
    .where(isOneOf(hub.engine, sql.ref("message_id"), linking));
}

/**
 * Only public shares count, because of others nobody should learn, and only pure ones: a quotation is no reshare, and counts by itself
 * for applications. What people of this hub share stands on a wall; of what others share there may be no copy here at all.
 */
function sharesIn(hub: Hub, { originals, me }: Slots<Asked>, withQuotes: boolean): RawBuilder<Finding>[] {
  const isPure = sharesPurely("found");
  const kind = withQuotes
    ? sql`case when ${isPure} then ${sql.lit(kinds.share)} else ${sql.lit(kinds.quote)} end`
    : sql.lit(kinds.share);
  const here = withQuotes
    ? sql`(item.item_private = 0 or (item.author_id = ${me} and ${isPure}))`
    : sql`${isPure} and (item.item_private = 0 or item.author_id = ${me})`;
  const openly = sharesOpenlyElsewhere("found");
  const elsewhere = withQuotes ? sql`${openly} and (${isPure} or ${isSeen})` : sql`${isPure} and ${openly}`;
  const belongs = (row: string) => `${row}.shared_id = asked.id and ${row}.shared_id > 0`;
  return counted(hub, originals, me, "message", "message_shared", belongs).map(
    (source) => sql<Finding>`select ${kind} as kind, found.shared_id as about, found.author_id as person, '' as text,
      '' as moment, found.id as number from ${source}
      left join item on item.message_id = found.id and item.item_wall = 1 and item.item_normal = 1
      where case when item.id is not null then ${here} else ${elsewhere} end`,
  );
}

/** Of quotations there may be copies that wait for an approval, or only their text. */
const isSeen = sql`exists (select 1 from item copy where copy.message_id = found.id and copy.item_normal = 1 limit 1 offset 0)`;

/** The addresses of those who are mentioned, with whom they name, and hashtags, as far as they are not somebody else's alone. */
function termsIn(hub: Hub, { messages, uid }: Slots<Asked>, withTags: boolean) {
  const [tag, mention] = [sql.lit(termTypes.hashtag), sql.lit(termTypes.mention)];
  return (
    hub.db
      .selectFrom("term")
      .select(sql<number>`case ttype when ${tag} then ${sql.lit(kinds.tag)} else ${sql.lit(kinds.name)} end`.as("kind"))
      .select("message_id as about")
      .select(sql<number>`case ttype when ${tag} then 0 else coalesce((${namedBy("term.url")}), 0) end`.as("person"))
      .select(sql<string>`case ttype when ${tag} then term else url end`.as("text"))
      .select([noText.as("moment"), "tid as number"])
      .where(isOneOf(hub.engine, sql.ref("message_id"), messages))
      .where((x) => x.or([x("uid", "=", none), x("uid", "=", uid)]))
      // The sum keeps SQLite from looking through all mentions.
      .where(sql<SqlBool>`ttype + 0 in (${withTags ? sql.join([tag, mention]) : mention})`)
  );
}

/** Of people with the same address the one who was known first. */
function namedBy(url: string): RawBuilder<number> {
  return sql<number>`select min(x.xchan_id) from xchan x
    where x.xchan_url = ${sql.ref(url)} and x.xchan_deleted = 0 and x.xchan_hearsay = 0`;
}

/** Names whoever is among the first, and the caller. */
function name(list: number[], person: number, me: number, people: Set<number>): void {
  if (list.length >= mostNamed && person === me) list.splice(mostNamed - 1, 0, me);
  else list.push(person);
  if (list.length <= mostNamed || person === me) people.add(person);
}

function addTo<Value>(lists: Map<number, Value[]>, about: number, value: Value): void {
  const list = lists.get(about);
  if (list) list.push(value);
  else lists.set(about, [value]);
}

function addReaction(
  reactions: StatusContext["reactions"],
  { about, person, text }: Finding,
  me: number,
  people: Set<number>,
): void {
  const verb = reactionOf(text);
  if (verb === undefined) return;
  const all = reactions.get(about) ?? {};
  reactions.set(about, all);
  name((all[verb] ??= []), person, me, people);
}

/** Whoever shares it more than once, which only people elsewhere can, counts once. */
function addShare(
  shares: StatusContext["shares"],
  sharers: Set<string>,
  { about, person }: Finding,
  me: number,
  people: Set<number>,
): void {
  const key = `${about} ${person}`;
  if (sharers.has(key)) return;
  sharers.add(key);
  const known = shares.get(about) ?? { count: 0, mine: false, by: [] };
  shares.set(about, known);
  known.count += 1;
  known.mine ||= person === me;
  name(known.by, person, me, people);
}
