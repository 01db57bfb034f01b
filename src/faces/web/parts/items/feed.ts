import { listGroups } from "../../../../domain/groups/groups.ts";
import { parseList } from "../../../../domain/groups/lists.ts";
import { findXchansByHash } from "../../../../domain/identity/xchans/xchans.ts";
import { lastComments } from "../../../../domain/items/timelines/network-page.ts";
import { questionType } from "../../../../domain/items/poll.ts";
import { canPin, pinnedAmong } from "../../../../domain/items/pins.ts";
import { isClosed } from "../../../../domain/items/posting/close-comments.ts";
import { starredAmong } from "../../../../domain/items/posting/star.ts";
import { assembleStatuses } from "../../../../domain/items/timelines/statuses.ts";
import type { StatusPage } from "../../../../domain/items/timelines/statuses.ts";
import type { Item } from "../../../../domain/items/types.ts";
import { openPolls } from "../../../../domain/items/posting/vote.ts";
import { wordsFoundIn } from "../../../../domain/items/word-filters.ts";
import { ownVotes } from "../../../../domain/items/votes.ts";
import { mayLink } from "../../../../domain/items/linked-page.ts";
import { cardsSeenBy } from "../../../../domain/link-cards/link-cards.ts";
import type { LinkCard } from "../../../../domain/link-cards/link-cards.ts";
import type { Looks } from "../../../../domain/proxy/remote-media.ts";
import { loadLooks } from "./pictures.ts";
import type { PageContext } from "../../page.ts";

/** Posts with everything that their cards show, loaded in a fixed number of queries. */
export type Feed = StatusPage & {
  /** Message ids that the member has starred. */
  starred: Set<number>;
  /** Message ids of the posts that the member has on top of its page. */
  pinned: Set<number>;
  /** Ids of the tops that take no comments. */
  closed: Set<number>;
  /** Message ids of the polls in which the member may vote. */
  openPolls: Set<number>;
  /** What the member has chosen in polls, by message id. */
  votes: Map<number, readonly string[]>;
  /** Words that the member does not want to read, by the message ids of what has them. */
  filtered: Map<number, string>;
  /** What the pages say of themselves that they link to, by message id. */
  cards: Map<number, LinkCard>;
  /** What pictures of other sites look like, by our addresses of them. */
  looks: Map<string, Looks>;
  /** Names of groups and people in the audiences of the member's own posts, by hash. */
  names: Map<string, string>;
};

/** How many comments a thread shows in a stream. */
const shownComments = 3;

/** Loads what belongs to these items. */
export async function loadFeed(context: PageContext, items: Item[]): Promise<Feed> {
  const { hub, member, observer } = context;
  const polls = items.filter((item) => item.obj_type === questionType);
  const [page, starred, pinned, openNow, votes, filtered, cards, looks, names] = await Promise.all([
    assembleStatuses(hub, observer, items, { terms: true, media: true }),
    member
      ? starredAmong(
          hub,
          member.channel.channel_id,
          items.map((item) => item.message_id),
        )
      : new Set<number>(),
    pinnedByMember(context, items),
    member ? openPolls(hub, member.channel, polls) : new Set<number>(),
    ownVotes(
      hub,
      member?.channel.xchan_id ?? 0,
      polls.map((item) => item.message_id),
    ),
    member ? wordsFoundIn(hub, member.channel, items) : new Map<number, string>(),
    loadCards(context, items),
    loadLooks(
      context,
      items.map((item) => item.html),
    ),
    loadNames(context, items),
  ]);
  const closed = new Set(items.filter((item) => isClosed(hub, item)).map((item) => item.id));
  return { ...page, closed, starred, pinned, openPolls: openNow, votes, filtered, cards, looks, names };
}

/** What is shared has its own. */
function loadCards({ hub, observer }: PageContext, items: Item[]): Promise<Map<number, LinkCard>> {
  const linking = items.filter(mayLink);
  const messages = linking.flatMap(({ message_id, shared_id }) =>
    shared_id > 0 ? [message_id, shared_id] : [message_id],
  );
  return cardsSeenBy(hub, observer, messages);
}

function pinnedByMember({ hub, member }: PageContext, items: Item[]): Promise<Set<number>> {
  const own = member ? items.filter((item) => canPin(member.channel, item)) : [];
  const messages = own.map((item) => item.message_id);
  return pinnedAmong(hub, member?.channel.channel_hash ?? "", messages);
}

/** The same for tops and the newest comments of each. */
export async function loadThreads(
  context: PageContext,
  tops: Item[],
): Promise<{ feed: Feed; comments: Map<number, Item[]> }> {
  const below = await lastComments(context.hub, context.observer, tops, shownComments);
  const comments = new Map<number, Item[]>();
  for (const item of below) comments.set(item.parent, [...(comments.get(item.parent) ?? []), item]);
  return { feed: await loadFeed(context, [...tops, ...below]), comments };
}

/** Whom an audience names is only for the eyes of the one who chose it. */
async function loadNames({ hub, member }: PageContext, items: Item[]): Promise<Map<string, string>> {
  const own = member ? items.filter((item) => item.uid === member.channel.channel_id && item.item_private !== 0) : [];
  const people = new Set(own.flatMap((item) => [...parseList(item.allow_cid), ...parseList(item.deny_cid)]));
  const listed = own.some((item) => item.allow_gid !== "" || item.deny_gid !== "");
  const [groups, xchans] = await Promise.all([
    listed && member ? listGroups(hub, member.channel.channel_id) : [],
    findXchansByHash(hub, [...people]),
  ]);
  return new Map([
    ...groups.map((group) => [group.hash, group.gname] as const),
    ...xchans.map((xchan) => [xchan.xchan_hash, xchan.xchan_name] as const),
  ]);
}
