import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../../hub.ts";
import { compiled } from "../../../storage/compiled-query.ts";
import type { Slots } from "../../../storage/compiled-query.ts";
import { unseenByPlanner } from "../../../storage/sql.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { hasScreen } from "../../identity/channels/screens.ts";
import { sharesOpenlyElsewhere } from "../../permissions/shared-elsewhere.ts";
import { selectStatuses, sharesPurely } from "../queries.ts";
import type { AnyQuery } from "../queries.ts";
import { tagKey } from "../save.ts";
import { homeRules, peopleAtHome } from "./home-rules.ts";
import type { HomeComments } from "./home-rules.ts";
import { idsOf, listed, notHidden, notLimited } from "./timeline-sources.ts";
import type { Sources, TimelineSlots } from "./timeline-sources.ts";
import { narrowedBy, narrowedName } from "./narrowed.ts";
import type { Narrowed } from "./narrowed.ts";
import { passesWords } from "../word-filters.ts";
import type { StatusItem } from "../columns.ts";
import type { FilterContext } from "../filters.ts";
import { selectDetailed } from "./status-details.ts";
import type { DetailedItem } from "./status-details.ts";
import { silenced } from "../delivery/notification-targets.ts";

/** Paging of statuses: newest first, `maxId` inclusive. */
export type TimelineQuery = {
  count: number;
  page: number;
  sinceId?: number;
  maxId?: number;
  /** Only what has a greater id, and of that what comes right after it. */
  minId?: number;
  excludeReplies?: boolean;
  /** Only this thread, by the id of any copy of its top. */
  conversationId?: number;
  /** Only what this connection wrote. */
  contactId?: number;
} & Narrowed;

/** Everything in the channel's stream, its own statuses included. */
export async function homeTimeline(hub: Hub, channel: Channel, query: TimelineQuery): Promise<StatusItem[]> {
  return read(hub, channel, "home timeline", query, () => ({ own: {} }), { hides: "home" });
}

/** The same as applications show it: see `homeRules`. */
export async function homeOfApplications(
  hub: Hub,
  channel: Channel,
  query: TimelineQuery,
  comments: HomeComments = "known",
): Promise<DetailedItem[]> {
  const has = { unwanted: hasScreen(channel, "people"), choices: hasScreen(channel, "choices") };
  const sources = ({ me, uid }: Reader): Chosen => ({
    own: { where: homeRules({ me, uid }, comments, has) },
    ...(has.choices && { once: peopleAtHome(uid) }),
  });
  const name = `home of applications, ${comments} comments${has.choices ? ", with choices" : ""}`;
  return readAs(hub, channel, name, query, sources, (reader) => selectDetailed(hub, reader), { hides: "home" });
}

/** What others wrote that mentions the channel or answers it; not in threads of which it wants to hear no more. */
export async function mentionsTimeline(hub: Hub, channel: Channel, query: TimelineQuery): Promise<StatusItem[]> {
  return read(hub, channel, "mentions", query, ({ me, uid }) => ({
    own: {
      index: "item_addressed",
      range: [sql<SqlBool>`(item.item_mentionsme = 1 or item.answers_me = 1)`],
      where: [sql<SqlBool>`item.author_id <> ${me}`, sql<SqlBool>`item.parent not in (${silenced(uid, me)})`],
    },
  }));
}

/** What the channel has starred. */
export async function favorites(hub: Hub, channel: Channel, query: TimelineQuery): Promise<StatusItem[]> {
  return read(hub, channel, "favorites", query, () => ({
    own: { index: "item_starred", range: [sql<SqlBool>`item.item_starred = 1`] },
    wanted: false,
  }));
}

/** Public statuses made on this hub by people who do not hide; each by the copy on its owner's wall. */
export async function publicTimeline(hub: Hub, channel: Channel, query: TimelineQuery): Promise<StatusItem[]> {
  const walls = { which: "public from here", once: false, where: [notHidden, listed] } as const;
  return read(hub, channel, "public timeline", query, () => ({ walls }), { hides: "public" });
}

/** All public statuses that this hub knows of: the channel's own copies, what is on walls and what the site keeps, by people whom the site does not limit. */
export async function networkPublicTimeline(hub: Hub, channel: Channel, query: TimelineQuery): Promise<StatusItem[]> {
  const everywhere = {
    own: { where: [sql<SqlBool>`item.item_private = 0`, listed] },
    walls: { which: "public", once: true, where: [listed, notLimited] },
    known: { where: [listed, notLimited] },
  } as const;
  return read(hub, channel, "network's public timeline", query, () => everywhere, { hides: "public" });
}

/** What one person wrote, as far as the channel may see it. */
export async function userTimeline(
  hub: Hub,
  channel: Channel,
  authorId: number,
  query: TimelineQuery,
): Promise<StatusItem[]> {
  const everywhere = { own: {}, walls: { which: "all", once: true }, known: {} } as const;
  return read(hub, channel, "user timeline", query, () => everywhere, { authorId });
}

/** The channel's own statuses that others have shared, as far as everybody may know of the share. */
export async function retweetsOfMe(hub: Hub, channel: Channel, query: TimelineQuery): Promise<StatusItem[]> {
  return read(hub, channel, "retweets of me", query, ({ me }) => ({
    own: {
      index: "item_reshared",
      range: [sql<SqlBool>`item.reshared = 1`],
      where: [
        sql<SqlBool>`item.author_id = ${me}`,
        sql<SqlBool>`exists (select 1 from message s left join item i on i.message_id = s.id and i.item_wall = 1 and i.item_normal = 1
        where s.shared_id = item.message_id and s.shared_id > 0 and ${sharesPurely("s")} and s.author_id <> ${me}
        and case when i.id is not null then i.item_private = 0 else ${sharesOpenlyElsewhere("s")} end limit 1 offset 0)`,
      ],
    },
  }));
}

/** What the sources of a timeline may name; whoever is blocked or ignored is left out unless it says otherwise. */
type Chosen = Partial<Sources>;

type Reader = { me: RawBuilder<number>; uid: RawBuilder<number> };

/** What one person wrote alone, and nothing that filters of the channel hide in this place. */
type Further = { authorId?: number; hides?: FilterContext };

function read(
  hub: Hub,
  channel: Channel,
  name: string,
  query: TimelineQuery,
  sources: (reader: Reader) => Chosen,
  further: Further = {},
): Promise<StatusItem[]> {
  return readAs(hub, channel, name, query, sources, () => selectStatuses(hub), further);
}

/** The same with what is selected of them. People and words are looked for where the channel's row says that there are such. */
async function readAs<Row>(
  hub: Hub,
  channel: Channel,
  name: string,
  query: TimelineQuery,
  sources: (reader: Reader) => Chosen,
  select: (reader: Reader) => AnyQuery<Row>,
  { authorId, hides }: Further = {},
): Promise<Row[]> {
  const author = await authorAsked(hub, channel, query, authorId);
  if (author === "nobody") return [];
  const tops = query.excludeReplies ?? false;
  const tag = query.tagged === undefined ? undefined : tagKey(query.tagged);
  const wanted = hasScreen(channel, "people");
  const screening = hides !== undefined && hasScreen(channel, hides) ? hides : undefined;
  const parts = [
    name,
    tops ? "tops" : "",
    narrowedName(query),
    wanted ? "looking for people" : "",
    screening ? "looking for words" : "",
  ];
  const called = parts.filter((word) => word !== "").join(", ");
  const more = { author, tag };
  const where = ({ uid, me, tag }: Reader & { tag?: RawBuilder<string> }): RawBuilder<SqlBool>[] => [
    ...narrowedBy(query, tag),
    ...(screening ? [passesWords(hub, uid, me, screening)] : []),
  ];
  return askPage(
    hub,
    called,
    channel,
    query,
    more,
    (slots) => idsOf(hub, slots, { wanted, tops, ...narrowed(sources(slots), where(slots)) }),
    select,
  );
}

/** The same sources with further conditions. */
function narrowed({ own, walls, known, ...rest }: Chosen, where: readonly RawBuilder<SqlBool>[]): Chosen {
  return {
    ...rest,
    ...(own && { own: { ...own, where: [...(own.where ?? []), ...where] } }),
    ...(walls && { walls: { ...walls, where: [...(walls.where ?? []), ...where] } }),
    ...(known && { known: { where: [...(known.where ?? []), ...where] } }),
  };
}

/** Both who is asked for and whom the timeline is narrowed to must be the same. */
export async function authorAsked(
  hub: Hub,
  channel: Channel,
  { contactId }: TimelineQuery,
  authorId: number | undefined,
): Promise<number | "nobody" | undefined> {
  if (contactId === undefined) return authorId;
  const contact = await hub.db
    .selectFrom("abook")
    .innerJoin("xchan", "xchan.xchan_hash", "abook.abook_xchan")
    .select("xchan.xchan_id")
    .where("abook.abook_id", "=", contactId)
    .where("abook.abook_channel", "=", channel.channel_id)
    .executeTakeFirst();
  if (!contact || (authorId !== undefined && authorId !== contact.xchan_id)) return "nobody";
  return contact.xchan_id;
}

/** First pages of these sizes have statements of their own: PostgreSQL plans once where it knows how much is wanted. */
const usualCounts: readonly number[] = [20, 40, 50, 100, 200];

const readerAndBounds = ["uid", "me", "sinceId", "minId", "maxId"] as const;

/**
 * The statuses of a page, newest first; `ids` makes the query for their ids, and `select` the one for them, once for all pages of that name. Whoever
 * reads, and from where on, PostgreSQL has one plan for it.
 */
export async function askPage<More extends Record<string, number | string | undefined>, Row>(
  hub: Hub,
  name: string,
  channel: Channel,
  query: TimelineQuery,
  more: More,
  ids: (slots: TimelineSlots & Reader & Slots<More>) => RawBuilder<unknown>,
  select: (slots: TimelineSlots & Reader & Slots<More>) => AnyQuery<Row>,
): Promise<Row[]> {
  const { count, page } = query;
  const isUsual = page === 1 && usualCounts.includes(count) && query.minId === undefined;
  const skip = (page - 1) * count;
  const values = {
    ...more,
    uid: channel.channel_id,
    me: channel.xchan_id,
    hash: channel.channel_hash,
    sinceId: query.sinceId || undefined,
    minId: query.minId,
    // Of one author there is always a bound: without it PostgreSQL plans anew each time, which takes longer than the page.
    maxId: query.maxId || (more["author"] === undefined ? undefined : Number.MAX_SAFE_INTEGER),
    conversationId: query.conversationId || undefined,
    ...(!isUsual && { count, skip, most: skip + count }),
  };
  const known = isUsual ? { count: sql.lit(count), skip: sql.lit(0), most: sql.lit(count) } : {};
  return compiled(hub, isUsual ? `${name}, ${count}` : name, values, (slots) => {
    const unseen = more["author"] === undefined ? unseenByPlanner(hub.engine, slots, readerAndBounds) : slots;
    const given = { ...unseen, ...known } as unknown as TimelineSlots & Reader & Slots<More>;
    return select(given)
      .where(sql<SqlBool>`item.id in ${ids(given)}`)
      .orderBy("item.id", "desc");
  });
}
