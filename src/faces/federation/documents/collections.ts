import { followersAt } from "../../../domain/connections/follower-lists.ts";
import type { Channel } from "../../../domain/identity/channels/channel.ts";
import type { Observer } from "../../../domain/identity/channels/observer.ts";
import { findXchan } from "../../../domain/identity/xchans/xchans.ts";
import { pinnedBy } from "../../../domain/items/timelines/pinned-items.ts";
import { publicItemsBy } from "../../../domain/items/timelines/public-items.ts";
import type { PublicItem } from "../../../domain/items/timelines/public-items.ts";
import { tagAddress } from "../../../domain/items/content.ts";
import { featuredTags } from "../../../domain/people/featured-tags.ts";
import { findReachable } from "../../../domain/people/reachable.ts";
import type { Reachable } from "../../../domain/people/reachable.ts";
import { listVisibleFollows, showsConnections } from "../../../domain/people/visible-connections.ts";
import type { Following } from "../../../domain/people/visible-connections.ts";
import { may } from "../../../domain/permissions/may.ts";
import { missing, certain } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { isoDate } from "../../../http/dates.ts";
import type { Address, Question } from "../address.ts";
import { jsonDocument } from "../document.ts";
import type { Document } from "../document.ts";
import { everybody } from "../everybody.ts";
import { idsOf, itemId, objectId } from "../ids.ts";
import { deedOf } from "../present/activity.ts";
import { hashtagOf } from "../present/hashtag.ts";
import { collectionDocument, perPage } from "./collection.ts";
import type { Collection } from "./collection.ts";
import { plainContext } from "./context.ts";

type Load = (hub: Hub, observer: Observer, channel: Channel) => Promise<Collection>;

/** The lists of a channel (federation contract 3), paged by key. */
export const collections: readonly Address[] = [
  address("/outbox/:nick", outbox, formerOutbox),
  address("/followers/:nick", (hub, observer, channel) => follows(hub, observer, channel, "follow_in")),
  address("/following/:nick", (hub, observer, channel) => follows(hub, observer, channel, "follow_out")),
  address("/featured/:nick", featured),
  address("/featured/:nick/tags", tags),
  { path: "/followers/:nick/synchronization", signed: true, get: followersOfAsker },
];

type Former = (hub: Hub, found: Reachable) => Document;

function address(path: string, load: Load, former?: Former): Address {
  return { path, mayBeStale: true, get: (question) => answer(question, load, former) };
}

/** What everybody may see is the same for all; where that is nothing, and where all have to sign, it is as the signer sees it. */
async function answer(question: Question, load: Load, former?: Former): Promise<Document> {
  const { hub, params, query, anybody, observer, forSigners } = question;
  const found = await findReachable(hub, params["nick"] ?? "");
  if (found?.gone && former) return former(hub, found);
  if (!found || found.gone) throw missing("Channel");
  const open = forSigners ? undefined : await load(hub, await anybody(), found.channel);
  const collection = open?.total === undefined ? await load(hub, await observer(), found.channel) : open;
  return collectionDocument(collection, query);
}

async function follows(hub: Hub, observer: Observer, channel: Channel, direction: Following): Promise<Collection> {
  const ids = idsOf(hub, channel.channel_address);
  const shows = await showsConnections(hub, observer, channel);
  const count = direction === "follow_in" ? channel.followers_count : channel.friends_count;
  return {
    id: direction === "follow_in" ? ids.followers : ids.following,
    total: shows ? count : undefined,
    async page(before) {
      const { people, next } = await listVisibleFollows(hub, channel, direction, { before, count: perPage });
      return { items: people.map(({ nick, actor }) => (nick === null ? actor : idsOf(hub, nick).actor)), next };
    },
  };
}

/** Those of the host that asks, for nobody else and whatever the channel shows others (FEP-8fcf): it knows them itself. */
async function followersOfAsker({ hub, params, signingHost }: Question): Promise<Document> {
  const [found, host] = [await findReachable(hub, params["nick"] ?? ""), await signingHost()];
  if (!found || found.gone || host === undefined) throw missing("Channel");
  const items = await followersAt(hub, found.channel.channel_id, host);
  if (!items) throw missing("Page");
  const { followers } = idsOf(hub, found.channel.channel_address);
  return collectionDocument({ id: `${followers}/synchronization`, total: items.length, items }, new URLSearchParams());
}

/** They are few, so that they stand in the list as well: not everybody looks at its pages. */
async function featured(hub: Hub, observer: Observer, channel: Channel): Promise<Collection> {
  const pinned = await pinnedBy(hub, observer, channel);
  const items = pinned.filter((item) => item.item_private === 0).map(({ uuid }) => itemId(hub, uuid));
  const { featured: id } = idsOf(hub, channel.channel_address);
  return { id, total: items.length, items, page: () => Promise.resolve({ items, next: undefined }) };
}

/** The hashtags that it shows as what it writes about. */
async function tags(hub: Hub, observer: Observer, channel: Channel): Promise<Collection> {
  const { featuredTags: id } = idsOf(hub, channel.channel_address);
  const shown = (await may(hub, observer, "view_profile", channel.channel_id))
    ? await featuredTags(hub, channel.channel_id)
    : [];
  const items = shown.map((tag) => hashtagOf(tag, tagAddress(hub, tag)));
  return { id, total: items.length, items, page: () => Promise.resolve({ items, next: undefined }) };
}

async function outbox(hub: Hub, observer: Observer, channel: Channel): Promise<Collection> {
  const shows = await may(hub, observer, "view_stream", channel.channel_id);
  const { statuses_count: total } = certain(await findXchan(hub, { id: channel.xchan_id }), "xchan");
  return {
    id: idsOf(hub, channel.channel_address).outbox,
    total: shows ? total : undefined,
    async page(before) {
      const { items, next } = await publicItemsBy(hub, observer, channel, { before, count: perPage });
      return { items: items.map((item) => activity(hub, channel, item)), next };
    },
  };
}

/** Of the lists of a channel that is gone this one says so (federation contract 18.2). */
function formerOutbox(hub: Hub, { channel, gone }: Reachable): Document {
  const { outbox: id } = idsOf(hub, channel.channel_address);
  const since = gone?.since === undefined ? {} : { deleted: isoDate(gone.since) };
  const value = { "@context": plainContext, id, type: "Tombstone", formerType: "OrderedCollection", ...since };
  return jsonDocument(value, undefined, 410);
}

function activity(hub: Hub, channel: Channel, item: PublicItem): object {
  const { channel_address: nick } = channel;
  const addressed = { to: [everybody], cc: [idsOf(hub, nick).followers] };
  const said = { ...item, nick };
  return item.shared
    ? deedOf(hub, said, "Announce", addressed, objectId(hub, item.shared))
    : deedOf(hub, said, "Create", addressed, itemId(hub, item.uuid));
}
