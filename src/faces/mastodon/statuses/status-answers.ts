import type { Anybody } from "../../../domain/identity/accounts/caller.ts";
import { activeGroups } from "../../../domain/groups/groups.ts";
import { parseList } from "../../../domain/groups/lists.ts";
import type { Observer } from "../../../domain/identity/channels/observer.ts";
import { findXchansByHash } from "../../../domain/identity/xchans/xchans.ts";
import { cardsSeenBy } from "../../../domain/link-cards/link-cards.ts";
import type { ApplicationItem } from "../../../domain/items/columns.ts";
import type { StatusDetails } from "../../../domain/items/timelines/status-details.ts";
import { assembleStatuses, loadOriginals } from "../../../domain/items/timelines/statuses.ts";
import { filtersFoundIn } from "../../../domain/items/word-filters.ts";
import { missing } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import type { Exchange } from "../../../http/exchange.ts";
import { inTurns } from "../../../http/in-turns.ts";
import { edgesOf, pageLinks } from "../paging.ts";
import type { Edges } from "../paging.ts";
import { withSuccessors } from "../accounts/account-answers.ts";
import { presentStatus } from "../present/status.ts";
import { isQuote } from "../present/quote.ts";
import type { Listed, Sheet } from "../present/sheet.ts";
import type { StatusObject } from "../present/status-object.ts";

/** Statuses on their way to the presenter. */
export type StatusAnswers = Sheet & { edges?: Edges | undefined };

/** What statuses are shown beside. */
export type Beside = {
  /** Ids by which the caller has named messages, of these or of `others`. */
  named?: ReadonlyMap<number, number>;
  others?: readonly ApplicationItem[];
  /** Ids of people who are shown as well. */
  people?: readonly number[];
};

/** Loads what statuses are shown with. */
export async function showStatuses(
  hub: Hub,
  { observer }: Pick<Anybody, "observer">,
  items: ApplicationItem[],
  { named = new Map(), others = [], people = [] }: Beside = {},
): Promise<StatusAnswers> {
  const page = await assembleStatuses(hub, observer, items, { media: true, applications: true, people });
  const { details, originals } = page;
  const all = [...items, ...originals.values()];
  const [accounts, quotedIds] = await Promise.all([
    withSuccessors(hub, observer, page),
    loadOriginals(hub, observer, [...originals.values()].filter(isQuote)),
  ]);
  const hasFilters = [...details.values()].some(({ filters }) => filters === 1);
  const [cards, listed, filtered] = await Promise.all([
    cardsSeenBy(hub, observer, [...page.linked]),
    loadListed(hub, observer, all, details),
    filtersFoundIn(hub, { channel_id: observer.channelId, xchan_id: observer.xchanId }, hasFilters ? all : []),
  ]);
  return {
    page,
    cards,
    quotedIds: new Map([...quotedIds].map(([message, { id }]) => [message, id])),
    listed,
    channelId: observer.channelId,
    filtered,
    named,
    echoes: new Map(
      [...all, ...others].flatMap(({ id, message_id }) => {
        const echo = named.get(message_id);
        return echo === undefined ? [] : [[id, echo] as const];
      }),
    ),
    accounts,
    me: observer.channelId > 0 ? observer.xchanId : undefined,
    hub,
  };
}

/** Whom the lists of the observer's own posts name. */
async function loadListed(
  hub: Hub,
  { channelId, xchanId }: Observer,
  items: readonly ApplicationItem[],
  details: ReadonlyMap<number, StatusDetails>,
): Promise<Listed> {
  const own = items.filter((item) => channelId > 0 && item.author_id === xchanId);
  const lists = own.map(({ id }) => details.get(id)!);
  const groups = lists.flatMap(({ allow_gid, deny_gid }) => [...parseList(allow_gid), ...parseList(deny_gid)]);
  const people = lists.flatMap(({ allow_cid, deny_cid }) => [...parseList(allow_cid), ...parseList(deny_cid)]);
  const [knownGroups, knownPeople] = await Promise.all([
    groups.length > 0 ? activeGroups(hub, channelId) : [],
    people.length > 0 ? findXchansByHash(hub, [...new Set(people)]) : [],
  ]);
  return {
    groups: new Map(knownGroups.map((group) => [group.hash, group])),
    people: new Map(knownPeople.map((person) => [person.xchan_hash, person])),
  };
}

/** The same for a page of a list of which so many were asked for. */
export async function showPage(
  hub: Hub,
  anybody: Pick<Anybody, "observer">,
  items: ApplicationItem[],
  asked: number,
): Promise<StatusAnswers> {
  const ids = items.map(({ id }) => id);
  return { ...(await showStatuses(hub, anybody, items)), edges: edgesOf(ids, items.length >= asked) };
}

/** The part of a row that answers one status. */
export const oneStatus = {
  answer: "Status",
  present(sheet: StatusAnswers): StatusObject {
    const [item] = sheet.page.items;
    if (!item) throw missing("Status");
    return presentStatus(sheet, item);
  },
} as const;

/** The part of a row that answers several, a page of a list or all. */
export const manyStatuses = {
  answer: "Status[]",
  present: (sheet: StatusAnswers): Promise<StatusObject[]> =>
    inTurns(sheet.page.items, (item) => presentStatus(sheet, item)),
  headers: ({ edges }: StatusAnswers, exchange: Exchange): Record<string, string> => pageLinks(edges, exchange),
} as const;
