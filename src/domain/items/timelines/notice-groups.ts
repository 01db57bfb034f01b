import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import { missing } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import { unwantedBy } from "../../connections/unwanted.ts";
import { observerOf } from "../../identity/channels/observer.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { noticeOf, selectAllNotices, selectNotices } from "../../notifications/stored.ts";
import type { Notice } from "../../notifications/stored.ts";
import { visibleTo } from "../../permissions/visible.ts";
import { no, withoutUnwanted, yes } from "../queries.ts";
import type { AnyQuery } from "../queries.ts";
import { wordsFoundIn } from "../word-filters.ts";

/** Notices as people read them: those of one thing in one day stand together, with the words of what they are about. */

/** The words of a post or comment, as far as the reader may see it, and wants to. */
export type Quoted = {
  mid: string;
  message_id: number;
  author_id: number;
  isTop: boolean;
  /** Its beginning: the warning where it has one, else title and text. Empty where it has neither, or a filter found its words. */
  words: string;
};

export type NoticeGroup = {
  key: string;
  /** The newest of them, by whom and what it is about. */
  newest: Notice;
  /** How many notices there are, how many of them are not seen, and by how many people they are. */
  total: number;
  unseen: number;
  people: number;
  /** Those who come before the newest one's actor, the newest first; few are enough. */
  others: Notice["actor"][];
  /** Where somebody reads on: the oldest that is not seen, else the newest. */
  first: number;
  /** What was said, and what that (or a reaction) is about. */
  said: Quoted | undefined;
  about: Quoted | undefined;
};

/** Where a page of groups ends. */
export type GroupCursor = { date: string; id: number };

/**
 * Which groups: of some kinds, or only those with something new, or of some notices alone, which no list need show, or of those that
 * the policy of the channel keeps apart of one person.
 */
export type GroupFilter = {
  kinds?: readonly Notice["kind"][];
  unseen?: boolean;
  among?: readonly number[];
  filteredBy?: number;
};

/** A page of the channel's notices in groups, that with the newest notice first; `next` is where the following page begins. */
export async function pageOfGroups(
  hub: Hub,
  channel: Channel,
  { kinds, unseen = false, among, filteredBy }: GroupFilter,
  { before, count }: { before?: GroupCursor | undefined; count: number },
): Promise<{ groups: NoticeGroup[]; next: GroupCursor | undefined }> {
  const which = filteredBy === undefined ? (among ? oneOf(hub, among) : isListed) : isFilteredBy(filteredBy);
  let page = selectAllNotices(hub)
    .select(["notify.group_key", "notify.actor_id"])
    .where("notify.uid", "=", channel.channel_id)
    .where(which("notify"))
    .where(isNewestOfGroup(which, unseen));
  if (unseen) page = page.where("notify.seen", "=", no);
  if (kinds) page = page.where("notify.kind", "in", kinds);
  if (before) page = page.where(sql<SqlBool>`(notify.created, notify.id) < (${before.date}, ${before.id})`);
  const rows = await page
    .orderBy("notify.created", "desc")
    .orderBy("notify.id", "desc")
    .limit(count + 1)
    .execute();
  const shown = rows.slice(0, count);
  const last = shown.at(-1);
  return {
    groups: await withStories(hub, channel, shown, which),
    next: rows.length > count && last ? { date: last.created, id: last.id } : undefined,
  };
}

/** The group as far as it is told by a notice of the channel. Throws missing for those of somebody else. */
export async function findGroup(hub: Hub, channel: Channel, id: number): Promise<NoticeGroup> {
  const rows = await selectNotices(hub)
    .select(["notify.group_key", "notify.actor_id"])
    .where("notify.uid", "=", channel.channel_id)
    .where("notify.id", "=", id)
    .execute();
  const [group] = await withStories(hub, channel, rows, isListed);
  if (!group) throw missing("Notice");
  return group;
}

/**
 * What a notice of the channel tells now, with those that stand with it: for whoever tells of it elsewhere. Undefined where it has been
 * seen or is kept apart, where the channel may not see any more what it is about, and where it does not want to hear of whom it is.
 */
export async function findUnseenStory(hub: Hub, channel: Channel, id: number): Promise<NoticeGroup | undefined> {
  const stored = await selectAllNotices(hub)
    .select(["notify.group_key", "notify.actor_id", "notify.listed"])
    .where("notify.uid", "=", channel.channel_id)
    .where("notify.id", "=", id)
    .where("notify.filtered", "=", no)
    .where((x) => x.or([x("notify.seen", "=", no), x("notify.listed", "=", no)]))
    .where(sql<SqlBool>`notify.actor_id not in (${unwantedBy(channel.channel_id)})`)
    .executeTakeFirst();
  if (!stored) return undefined;
  const { listed, ...row } = stored;
  const [group] = await withStories(hub, channel, [row], listed === 1 ? isListed : oneOf(hub, [id]));
  return group && (row.item_id === 0 || group.said || group.about) ? group : undefined;
}

/** Those that count, as a condition on a row of that name. */
type Which = (row: string) => RawBuilder<SqlBool>;

const isListed: Which = (row) => sql<SqlBool>`${sql.ref(`${row}.listed`)} = 1`;

function isFilteredBy(actor: number): Which {
  return (row) => sql<SqlBool>`${sql.ref(`${row}.filtered`)} = 1 and ${sql.ref(`${row}.actor_id`)} = ${actor}`;
}

function oneOf({ engine }: Hub, ids: readonly number[]): Which {
  return (row) => isOneOf(engine, sql.ref(`${row}.id`), ids);
}

function isNewestOfGroup(which: Which, unseen: boolean): RawBuilder<SqlBool> {
  return sql<SqlBool>`not exists (select 1 from notify n where n.uid = notify.uid and n.group_key = notify.group_key
    and (n.created, n.id) > (notify.created, notify.id) and ${which("n")} ${unseen ? sql`and n.seen = 0` : sql``})`;
}

type Newest = Parameters<typeof noticeOf>[0] & { group_key: string; actor_id: number };

async function withStories(hub: Hub, channel: Channel, rows: readonly Newest[], which: Which): Promise<NoticeGroup[]> {
  if (rows.length === 0) return [];
  const [members, quoted] = await Promise.all([membersOf(hub, channel, rows, which), quotedIn(hub, channel, rows)]);
  return rows.map(({ group_key: key, actor_id, ...row }) => {
    const people = members.get(key) ?? [];
    const { total = 1, unseen = 0, people: count = 1, first } = people[0] ?? {};
    return {
      key,
      newest: noticeOf(row),
      total: Number(total),
      unseen: Number(unseen),
      people: Number(count),
      others: people.flatMap(({ actor_id: id, ...actor }) => (id === actor_id ? [] : [actorOf(actor)])),
      first: Number(first ?? row.id),
      ...quoted(row),
    };
  });
}

type Member = {
  group_key: string;
  actor_id: number;
  total: number;
  unseen: number;
  people: number;
  first: number | null;
  hash: string;
  name: string;
  url: string;
  photo: string;
};

function actorOf({ hash, name, url, photo }: Omit<Member, "actor_id">): Notice["actor"] {
  return { hash, name, url, photo };
}

/** So many people of a group are named or shown. */
const mostNamed = 4;

/** The people of each group, the newest first, with what is counted of it. */
async function membersOf(
  hub: Hub,
  { channel_id: uid }: Channel,
  rows: readonly Newest[],
  which: Which,
): Promise<Map<string, Member[]>> {
  const keys = isOneOf(
    hub.engine,
    sql.ref("group_key"),
    rows.map((row) => row.group_key),
    "text",
  );
  const { rows: people } =
    await sql<Member>`select p.*, coalesce(x.xchan_hash, '') as hash, coalesce(x.xchan_name, '') as name,
      coalesce(x.xchan_url, '') as url, coalesce(x.xchan_photo_s, '') as photo
    from (select group_key, actor_id,
        row_number() over (partition by group_key order by max(created) desc, max(id) desc) as place,
        count(*) over (partition by group_key) as people,
        sum(count(*)) over (partition by group_key) as total,
        sum(sum(1 - seen)) over (partition by group_key) as unseen,
        min(min(case when seen = 0 then id end)) over (partition by group_key) as first
      from notify where uid = ${uid} and ${keys} and ${which("notify")}
      group by group_key, actor_id) p
    left join xchan x on x.xchan_id = p.actor_id
    where p.place <= ${sql.lit(mostNamed)}
    order by p.group_key, p.place`.execute(hub.db);
  return Map.groupBy(people, (one) => one.group_key);
}

/** A reaction, a tag and a share are about something; all else was said, and a comment is about the top of its thread. */
async function quotedIn(
  hub: Hub,
  channel: Channel,
  rows: readonly Newest[],
): Promise<(row: Pick<Newest, "kind" | "item_id">) => Pick<NoticeGroup, "said" | "about">> {
  const ids = rows.flatMap(({ item_id }) => (item_id > 0 ? [item_id] : []));
  const found = ids.length === 0 ? [] : await quotable(hub, channel, ids);
  const filtered = await wordsFoundIn(hub, channel, found);
  const quoted = (row: (typeof found)[number] | undefined): Quoted | undefined =>
    row && { ...row, isTop: row.thread_top === 1, words: filtered.has(row.message_id) ? "" : beginningOf(row) };
  const byId = new Map(found.map((row) => [row.id, row]));
  return ({ kind, item_id }) => {
    const item = byId.get(item_id);
    if (kind === "reaction" || kind === "tag") return { said: undefined, about: quoted(item) };
    if (kind === "share") {
      const shared = found.find(({ uid, message_id }) => uid === channel.channel_id && message_id === item?.shared_id);
      return { said: undefined, about: quoted(shared) };
    }
    const top = item && item.thread_top === 0 ? byId.get(item.parent) : undefined;
    return { said: quoted(item), about: quoted(top) };
  };
}

/** So much of a text is enough for its beginning. */
const mostRead = sql.lit(400);

/** Items that notices are about, the tops of their threads, and the channel's own copies of what they share, if it may see them. */
function quotable(hub: Hub, channel: Channel, ids: readonly number[]) {
  const { channel_id: uid } = channel;
  const these = (column: string) => isOneOf(hub.engine, sql.ref(column), ids);
  const all = sql`select i.id from item i where ${these("i.id")}
    union select i.parent from item i where ${these("i.id")}
    union select o.id from item i join message m on m.id = i.message_id
      join item o on o.message_id = m.shared_id and o.uid = ${uid}
      where ${these("i.id")} and m.shared_id > 0`;
  const query = hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .select(["item.id", "item.uid", "item.parent", "item.message_id", "item.author_id"])
    .select(["item.item_thread_top as thread_top", "message.mid", "message.title", "message.summary"])
    .select(["message.shared_id", sql<string>`substr(message.plain, 1, ${mostRead})`.as("plain")])
    .where(sql<SqlBool>`item.id in (${all})`)
    .where("item.item_normal", "=", yes)
    .where(visibleTo(hub, observerOf(channel)));
  return withoutUnwanted(query as AnyQuery<QueriedItem>, uid, "ignored too").execute();
}

type QueriedItem = {
  id: number;
  uid: number;
  parent: number;
  message_id: number;
  author_id: number;
  thread_top: number;
  mid: string;
  title: string;
  summary: string;
  plain: string;
  shared_id: number;
};

/** Whatever stands behind a warning stays there. */
function beginningOf({ title, summary, plain }: QueriedItem): string {
  const text = summary || [title, plain].filter((part) => part !== "").join(": ");
  return text.replace(/\s+/g, " ").trim();
}
