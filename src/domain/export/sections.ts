import { addPermissions } from "../connections/permission-sums.ts";
import { listGroups } from "../groups/groups.ts";
import { listApps } from "../identity/belongings/apps.ts";
import { listChatrooms } from "../identity/belongings/chatrooms.ts";
import { listConfig } from "../identity/channels/channel-config.ts";
import { listLikes } from "../identity/belongings/likes.ts";
import { listProfiles } from "../identity/channels/profiles.ts";
import { privateKeysOf } from "../identity/xchans/signing.ts";
import { listThings } from "../identity/belongings/things.ts";
import { findXchansByHash } from "../identity/xchans/xchans.ts";
import { listFilters } from "../items/filters.ts";
import { listFollowedTags } from "../items/followed-tags.ts";
import { listSketches } from "../items/posting/sketches.ts";
import { itemsByDate } from "../items/timelines/by-date.ts";
import type { Collection, Range } from "../items/timelines/by-date.ts";
import { itemsOfOthers } from "../items/timelines/elsewhere.ts";
import { families } from "../identity/channels/channel-settings.ts";
import { linkedItems } from "../items/linked.ts";
import { peopleOf } from "../messages/list.ts";
import { listMenus } from "../pages/menus.ts";
import { avatarOf, hasAvatar } from "../photos/avatar.ts";
import { appRecord } from "../portable/app.ts";
import { atokenRecord } from "../portable/atoken.ts";
import { exportedChannel } from "../portable/channel.ts";
import { chatroomRecord } from "../portable/chatroom.ts";
import { configRecord } from "../portable/config.ts";
import { exportedConnection, groupRecord, membershipRecord } from "../portable/connection.ts";
import { draftRecord } from "../portable/draft.ts";
import { eventRecord } from "../portable/event.ts";
import { filterRecord } from "../portable/filter.ts";
import { followedTagRecord } from "../portable/followed-tag.ts";
import { hublocRecord } from "../portable/hubloc.ts";
import { fullItems } from "../portable/item-portable.ts";
import { likeRecord } from "../portable/like.ts";
import { convRecord, portableMail } from "../portable/mail.ts";
import { menuPortable } from "../portable/menu.ts";
import { noticeRecord } from "../portable/notice.ts";
import { profileRecord } from "../portable/profile.ts";
import { termRecord } from "../portable/term.ts";
import { thingRecord } from "../portable/thing.ts";
import { xchanRecord } from "../portable/xchan.ts";
import { monthsBefore } from "./months-before.ts";
import type { Source } from "./moment.ts";
import { list, many, one } from "./parts.ts";
import type { Part } from "./parts.ts";
import {
  connectionBatches,
  conversationBatches,
  eventBatches,
  guestTokens,
  locationsOf,
  mailBatches,
  memberBatches,
  metadataOf,
  midsOfMails,
  noticeBatches,
  savedTerms,
} from "./queries.ts";
import { namesIn } from "../../record-of.ts";

/**
 * The sections of the basic export with their keys, and `elsewhere` (decision 28), in the order in which they are
 * written.
 */
export const sections = {
  channel: (source) => [one("channel", () => channelOf(source)), ...profileParts(source)],
  profile: profileParts,
  connections: (source) => [
    many("abook", () => connections(source)),
    many("xchan", () => identities(source)),
    many("hubloc", () => locations(source)),
    list("group", async () => (await listGroups(source.hub, uidOf(source))).map(groupRecord)),
    many("group_member", () => memberships(source)),
    list("atoken", async () => (await guestTokens(source)).map(atokenRecord)),
  ],
  config: (source) => [
    list("config", async () => (await listConfig(source.hub, uidOf(source))).map(configRecord)),
    list("term", () => terms(source)),
    list("obj", async () =>
      (await listThings(source.hub, uidOf(source))).map((thing) => thingRecord(thing, source.hub.config.baseUrl)),
    ),
    one("followed_tag", () => followedTags(source)),
    one("filter", () => filters(source)),
    one("draft", () => drafts(source)),
    list("likes", async () => (await listLikes(source.hub, uidOf(source))).map(likeRecord)),
  ],
  apps: (source) => [list("app", () => apps(source, "made")), list("sysapp", () => apps(source, "system"))],
  chatrooms: (source) => [
    list("chatroom", async () => (await listChatrooms(source.hub, uidOf(source))).map(chatroomRecord)),
  ],
  events: (source) => [many("event", () => events(source)), many("event_item", () => eventItems(source))],
  webpages: (source) => [list("menu", () => menus(source)), many("webpages", () => items(source, "pages"))],
  mail: (source) => [many("conv", () => conversations(source)), many("mail", () => mails(source))],
  wikis: (source) => [many("wiki", () => items(source, "wikis"))],
  items: (source) => [many("item", () => items(source, "posts", { since: monthsBefore(source.hub.clock(), 3) }))],
  elsewhere: (source) => [many("elsewhere", () => itemsElsewhere(source)), many("notify", () => notices(source))],
} as const satisfies Record<string, (source: Source) => Part[]>;

/** A part of an export, as `sections` of the native API names it. */
export type SectionName = keyof typeof sections;

/** What an export holds unless it is asked for something else. */
export const defaultSections: readonly SectionName[] = [
  "channel",
  "connections",
  "config",
  "apps",
  "chatrooms",
  "events",
  "webpages",
  "mail",
  "wikis",
];

/** The parts of these sections, each key once. */
export function partsOf(source: Source, names: readonly SectionName[]): Part[] {
  const wanted = namesIn(sections).filter((name) => names.includes(name));
  const parts = wanted.flatMap((name): Part[] => sections[name](source));
  return parts.filter((part, place) => parts.findIndex(({ key }) => key === part.key) === place);
}

function uidOf({ channel }: Source): number {
  return channel.channel_id;
}

async function channelOf({ hub, channel }: Source): Promise<object> {
  const [keys, config] = [await privateKeysOf(hub, channel.channel_id), await listConfig(hub, channel.channel_id)];
  return exportedChannel(
    channel,
    keys,
    config.filter(({ cat }) => cat === families.limits),
  );
}

function profileParts(source: Source): Part[] {
  return [
    list("profile", async () => (await listProfiles(source.hub, uidOf(source))).map(profileRecord)),
    one("photo", () => profilePhoto(source)),
  ];
}

async function profilePhoto({ hub, channel }: Source): Promise<object | undefined> {
  if (!(await hasAvatar(hub, channel.channel_id))) return undefined;
  const { bytes, mimetype } = await avatarOf(hub, channel.channel_id, "l");
  return { type: mimetype, data: bytes.toString("base64url") };
}

async function* connections(source: Source): AsyncGenerator<object[]> {
  for await (const rows of connectionBatches(source)) {
    const hashes = rows.map((row) => row.abook_xchan);
    const metadata = Map.groupBy(await metadataOf(source, hashes), (row) => row.xchan);
    const connections = await addPermissions(source.hub, uidOf(source), rows);
    yield connections.map((row) => exportedConnection(row, metadata.get(row.abook_xchan) ?? []));
  }
}

async function* identities(source: Source): AsyncGenerator<object[]> {
  for await (const rows of connectionBatches(source)) {
    const hashes = rows.map((row) => row.abook_xchan);
    const xchans = new Map((await findXchansByHash(source.hub, hashes)).map((xchan) => [xchan.xchan_hash, xchan]));
    yield hashes.flatMap((hash) => xchans.get(hash) ?? []).map(xchanRecord);
  }
}

async function* locations(source: Source): AsyncGenerator<object[]> {
  for await (const rows of connectionBatches(source)) {
    const hashes = rows.map((row) => row.abook_xchan);
    yield (await locationsOf(source, hashes)).map(hublocRecord);
  }
}

async function* memberships(source: Source): AsyncGenerator<object[]> {
  for (const group of await listGroups(source.hub, uidOf(source)))
    for await (const rows of memberBatches(source, group.id)) yield rows.map(membershipRecord);
}

async function terms(source: Source): Promise<object[]> {
  const { channel_account_id: aid, channel_id: uid } = source.channel;
  return (await savedTerms(source)).map((term) => termRecord(term, { aid, uid, oid: term.oid }));
}

/** Left out where there are none: other programs do not know of them. */
async function followedTags(source: Source): Promise<object[] | undefined> {
  const tags = await listFollowedTags(source.hub, uidOf(source));
  return tags.length > 0 ? tags.map(followedTagRecord) : undefined;
}

async function filters(source: Source): Promise<object[] | undefined> {
  const found = await listFilters(source.hub, uidOf(source));
  return found.length > 0 ? found.map(filterRecord) : undefined;
}

async function drafts({ hub, channel }: Source): Promise<object[] | undefined> {
  const found = await listSketches(hub, channel);
  return found.length > 0 ? found.map(draftRecord) : undefined;
}

async function apps({ hub, channel }: Source, kind: "made" | "system"): Promise<object[]> {
  const found = await listApps(hub, channel.channel_id, kind);
  return found.map((app) => appRecord(app, channel.channel_account_id));
}

async function menus({ hub, channel }: Source): Promise<object[]> {
  return (await listMenus(hub, channel)).map((menu) => menuPortable(hub, channel, menu));
}

async function* events(source: Source): AsyncGenerator<object[]> {
  for await (const rows of eventBatches(source)) yield rows.map(eventRecord);
}

async function* eventItems(source: Source): AsyncGenerator<object[]> {
  for await (const rows of eventBatches(source)) {
    const hashes = rows.map((row) => row.event_hash);
    yield fullItems(await linkedItems(source.hub, uidOf(source), "event", hashes), source.hub.config.baseUrl);
  }
}

async function* conversations(source: Source): AsyncGenerator<object[]> {
  for await (const rows of conversationBatches(source)) yield rows.map(convRecord);
}

async function* itemsElsewhere({ hub, channel, moment }: Source): AsyncGenerator<object[]> {
  for await (const page of itemsOfOthers(hub, channel, moment.item)) yield fullItems(page, hub.config.baseUrl);
}

async function* notices(source: Source): AsyncGenerator<object[]> {
  for await (const rows of noticeBatches(source)) {
    const mids = await midsOfMails(
      source,
      rows.map((row) => row.mail_id),
    );
    const { channel_account_id: account } = source.channel;
    yield rows.map((row) =>
      noticeRecord(row, account, source.hub.config.baseUrl, row.mid || (mids.get(row.mail_id) ?? "")),
    );
  }
}

async function* mails(source: Source): AsyncGenerator<object[]> {
  for await (const rows of mailBatches(source)) {
    const people = await peopleOf(source.hub, rows);
    yield rows.map((row) => portableMail(row, people));
  }
}

async function* items(source: Source, collection: Collection, range: Range = {}): AsyncGenerator<object[]> {
  const { hub, moment } = source;
  for await (const page of itemsByDate(hub, uidOf(source), collection, { ...range, newestId: moment.item }))
    yield fullItems(page, hub.config.baseUrl);
}
