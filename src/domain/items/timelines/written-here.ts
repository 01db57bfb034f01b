import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../../hub.ts";
import { compiled } from "../../../storage/compiled-query.ts";
import { asFlag, isOneOf } from "../../../storage/sql.ts";
import { hasLink } from "../../bodies/linked-page.ts";
import { isInOrder } from "../../identity/accounts/accounts.ts";
import { channelSetting, moderation } from "../../identity/channels/channel-settings.ts";
import type { Moderation, Quoters } from "../../identity/channels/channel-settings.ts";
import { actorIdOf, isNobody, observerOf, strangerOf } from "../../identity/channels/observer.ts";
import type { Observer } from "../../identity/channels/observer.ts";
import { findChannelByHash } from "../../identity/channels/channels.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { followersAddressOf } from "../../identity/xchans/actors.ts";
import type { Addressee } from "../../identity/xchans/actors.ts";
import { consentOf } from "../consents.ts";
import { whoComments } from "../../permissions/comment.ts";
import { linkCardsOf } from "../../link-cards/link-cards.ts";
import type { LinkCard } from "../../link-cards/link-cards.ts";
import { actorValues, visibleTo, visibleToActor } from "../../permissions/visible.ts";
import { actorsMentionedIn } from "../delivery/concerned.ts";
import type { Addressed } from "../delivery/elsewhere.ts";
import { isForFollowers, leavesOut } from "../delivery/readers-elsewhere.ts";
import { findCame } from "../foreign-documents.ts";
import type { Came } from "../foreign-documents.ts";
import { isWhispered } from "../audience.ts";
import { no, selectItems, yes } from "../queries.ts";
import { quoteStampOf } from "../quote-stamps.ts";
import { quotersOf } from "../quoters.ts";
import { unlisted } from "../save.ts";
import type { Item } from "../types.ts";
import { namesOf, publicNameElsewhere } from "./message-names.ts";
import type { NamedMessage, Person } from "./message-names.ts";
import { assembleStatuses } from "./statuses.ts";
import type { StatusPage } from "./statuses.ts";

/** A forum of this hub, or a group elsewhere. */
export type Group = { nick: string } | Person;

/** Something that somebody of this hub wrote, with all that documents for other hubs say of it. */
export type WrittenHere = {
  item: Item;
  /** The author. */
  nick: string;
  /** What it answers; undefined for a top. */
  parent: NamedMessage | undefined;
  /** The thread's top. */
  top: NamedMessage;
  /** What it shares, if that is for everybody too. */
  shared: NamedMessage | undefined;
  /** The id of the stamp that lets it be quoted there, where its author has given one. */
  quoteStamp: string | undefined;
  /** That of the stamp that lets this answer, like or share stand with something of elsewhere. */
  stamp: string | undefined;
  page: StatusPage;
  /** What the page says of itself to which it leads. */
  card: LinkCard | undefined;
  /** The owner of the thread, where that is somebody of elsewhere. */
  owner: Person | undefined;
  /** The address that means all who follow that owner; empty where there is none. */
  ownersFollowers: string;
  /** The group, or forum, to which it was posted. */
  group: Group | undefined;
  /** What such a thread begins with, as it came. */
  topDocument: string | undefined;
  /** Whom the thread is for: the connections of its owner, or people who are named one by one. */
  audience: "everybody" | "connections" | "people";
  /** Those of them who are mentioned for no other reason than that their hubs would not show it to them. */
  summoned: readonly Pick<Addressee, "actor" | "address">[];
  /** For everybody, but in no public list. */
  unlisted: boolean;
  /** Who may quote it. */
  quoters: Quoters;
  /** Who may comment in the thread, and whose comments the owner lets in one by one; of owners elsewhere that is not known. */
  comments: { by: ReturnType<typeof whoComments>; held: Moderation };
  /** Of a comment for everybody in a thread of this hub: the ids of those of elsewhere whom the top mentions, so that they may answer all of it. */
  invited: readonly string[];
};

/**
 * A post, comment or reaction by somebody of this hub, as far as the observer may see it on a wall of this hub. Who asks from
 * outside names it by its uuid; one that an import brought under somebody else's name is never meant, and whoever is gone for
 * other hubs has written nothing: undefined.
 */
export async function findWrittenHere(hub: Hub, observer: Observer, uuid: string): Promise<WrittenHere | undefined> {
  const [found] = await selectNamed(hub, observer, uuid);
  return found && isInOrder(hub, found) ? described(hub, observer, found) : undefined;
}

/** As the observer reads it, for their own host where they are of another one. */
function described(hub: Hub, observer: Observer, found: WithWriter): Promise<WrittenHere> {
  const actor = actorIdOf(observer);
  const host = actor === undefined ? undefined : new URL(actor).host;
  return describe(hub, observer, found, async (owner) => !(await leavesOut(hub, owner, host)));
}

/**
 * The same as anybody sees it, where they do; else as somebody of elsewhere does whom the hub has met. It is one statement. Answers as
 * whom it is seen.
 */
export async function findWrittenFor(
  hub: Hub,
  anybody: Observer,
  actor: Observer | undefined,
  uuid: string,
): Promise<[WrittenHere, Observer] | undefined> {
  const known = actor && actorValues(actor);
  if (!known) {
    const written = await findWrittenHere(hub, anybody, uuid);
    return written && [written, anybody];
  }
  const values = { uuid, ...known };
  const [row] = await compiled(
    hub,
    `written here, for ${strangerOf(anybody)} or somebody of elsewhere`,
    values,
    (slots) => {
      const open = visibleTo(hub, anybody);
      return selectWritten(hub)
        .select(asFlag(open).as("open"))
        .where("message.uuid", "=", slots.uuid)
        .where(sql<SqlBool>`(${open} or ${visibleToActor(hub, slots)})`)
        .clearOrderBy()
        .orderBy("open", "desc")
        .orderBy("item.item_wall", "desc")
        .orderBy("item.id");
    },
  );
  if (!row || !isInOrder(hub, row)) return undefined;
  const { open, ...found } = row;
  const observer = open === 1 ? anybody : actor;
  return [await described(hub, observer, found), observer];
}

/** Statements for those who ask often are compiled once. */
function selectNamed(hub: Hub, observer: Observer, uuid: string): Promise<WithWriter[]> {
  const select = (uuid: string | RawBuilder<string>, visible: RawBuilder<SqlBool>) =>
    selectWritten(hub).where("message.uuid", "=", uuid).where(visible);
  if (isNobody(observer) && observer.seesPublic)
    return compiled(hub, "written here, for anybody", { uuid }, (slots) =>
      select(slots.uuid, visibleTo(hub, observer)),
    );
  const actor = actorValues(observer);
  if (actor)
    return compiled(hub, "written here, for somebody of elsewhere", { uuid, ...actor }, ({ uuid, ...slots }) =>
      select(uuid, visibleToActor(hub, slots)),
    );
  return select(uuid, visibleTo(hub, observer)).execute();
}

/** Something that its author has sent, or is about to; `written` for those to whom it goes. */
export type ToSend = { author: Channel; item: Item; written: (addressed: Addressed) => Promise<WrittenHere> };

/**
 * What somebody of this hub wrote, for those to whom its author sends it, whoever they are; or for those to whom the owner of a
 * `wall` does. Undefined for what nobody gets.
 */
export async function findToSend(hub: Hub, messageId: number, wall?: number): Promise<ToSend | undefined> {
  const copies = selectWritten(hub).where("item.message_id", "=", messageId);
  const theirs = wall === undefined ? copies.where("item.item_origin", "=", yes) : copies.where("item.uid", "=", wall);
  const found = await theirs.executeTakeFirst();
  if (!found || !isInOrder(hub, found)) return undefined;
  const author = await findChannelByHash(hub, found.hash);
  return (
    author && {
      author,
      item: itemOf(found),
      written: (addressed) =>
        describe(hub, observerOf(author), found, () => addressed.how === "everyone" || addressed.followers === true),
    }
  );
}

/** What somebody of elsewhere has written in a thread of this hub, and how it came. */
export type ToHandOn = Came & { item: Item };

/**
 * An answer of somebody of elsewhere in a thread of this channel, as it stands on its wall and as it came; undefined for what is for
 * the channel alone.
 */
export async function findToHandOn(hub: Hub, owner: Channel, messageId: number): Promise<ToHandOn | undefined> {
  const item = await selectItems(hub)
    .where("item.message_id", "=", messageId)
    .where("item.uid", "=", owner.channel_id)
    .where("item.owner_id", "=", owner.xchan_id)
    .where("item.item_wall", "=", yes)
    .where("item.item_normal", "=", yes)
    .where("item.item_thread_top", "=", no)
    .executeTakeFirst();
  if (!item || isWhispered(item, owner)) return undefined;
  const came = await findCame(hub, messageId);
  return came && { item, ...came };
}

/** What people of this hub wrote and nobody has taken away, with what is known of their account; the copy on a wall first. */
function selectWritten(hub: Hub) {
  return selectItems(hub)
    .innerJoin("xchan", "xchan.xchan_id", "item.author_id")
    .innerJoin("channel", "channel.channel_hash", "xchan.xchan_hash")
    .innerJoin("account", "account.account_id", "channel.channel_account_id")
    .select(["channel.channel_address as nick", "channel.channel_hash as hash", "channel.channel_id as writer"])
    .select(["account_flags", "account_expires"])
    .where("channel.channel_removed", "=", sql.lit(0))
    .where("item.item_normal", "=", yes)
    .where(isTheirs)
    .orderBy("item.item_wall", "desc")
    .orderBy("item.id")
    .limit(sql.lit(1));
}

type WithWriter = Item & Writer & { hash: string; account_flags: number; account_expires: string };

/** The row without what is known of whoever wrote it. */
function itemOf(row: WithWriter): Item {
  const { nick: _, writer: __, hash: ___, account_flags: ____, account_expires: _____, ...item } = row;
  return item;
}

/** The wall's copy counts; where that is on another hub, the author's. */
const isTheirs = sql<SqlBool>`(item.item_wall = 1 or (item.uid = channel.channel_id
  and exists (select 1 from actor where actor.xchan_id = item.owner_id)))`;

type Writer = { nick: string; writer: number };

/** May something be addressed to all who follow the owner of its thread? Asked for what is for those who follow. */
type GoesToFollowers = (owner: number) => Promise<boolean> | boolean;

async function describe(
  hub: Hub,
  observer: Observer,
  found: WithWriter,
  goesToFollowers: GoesToFollowers,
): Promise<WrittenHere> {
  const { nick, writer } = found;
  const item = itemOf(found);
  const direct = item.thr_parent_id > 0 ? item.thr_parent_id : item.parent;
  const isPublic = item.item_private === 0;
  const [page, [top, audience], names, held, isUnlisted, quoters, cards] = await Promise.all([
    assembleStatuses(hub, observer, [item], { terms: true, media: true }),
    topOf(hub, item).then(async (top) => [top, await audienceOf(top, goesToFollowers)] as const),
    namesOf(hub, [item.parent, direct]),
    channelSetting(hub, item.uid, "moderation"),
    isPublic && hasUnlistedMark(hub, item.message_id),
    isPublic ? quotersOf(hub, item, writer) : ("nobody" as const),
    linkCardsOf(hub, hub.config.linkCards && hasLink(item.html) ? [item.message_id] : []),
  ]);
  const original = page.originals.get(item.shared_id);
  const shared = item.shared_id === 0 ? undefined : await sharedBy(hub, item, original);
  const owner = ownerElsewhere(page, item);
  return {
    item,
    nick,
    parent: item.item_thread_top === 1 ? undefined : (names.get(direct) ?? names.get(item.parent)),
    top: names.get(item.parent)!,
    shared,
    quoteStamp: shared && (await quoteStampOf(hub, item.message_id)),
    stamp: owner || shared?.nick === null ? (await consentOf(hub, item.message_id))?.stamp : undefined,
    page,
    card: cards.get(item.message_id),
    owner,
    ownersFollowers: owner ? await followersAddressOf(hub, owner.xchan_id) : "",
    group: await groupOf(hub, item, page),
    topDocument: owner && (await findCame(hub, top.message_id))?.document,
    audience,
    summoned: [],
    unlisted: isUnlisted,
    quoters,
    comments: { by: whoComments(hub, top), held: owner ? moderation.nobody : held },
    invited: owner || !isPublic || item.item_thread_top === 1 ? [] : await actorsMentionedIn(hub, top),
  };
}

/** Its author may see what is not for everybody, and shares it with nobody; what is for everybody elsewhere need not be shown here. */
async function sharedBy(hub: Hub, { shared_id }: Item, original: StatusPage["items"][number] | undefined) {
  if (!original) return publicNameElsewhere(hub, shared_id);
  return original.item_private === 0 ? (await namesOf(hub, [original.id])).get(original.id) : undefined;
}

async function hasUnlistedMark(hub: Hub, message: number): Promise<boolean> {
  const rows = await compiled(hub, "mark of what is unlisted", { message }, (slots) =>
    hub.db
      .selectFrom("iconfig")
      .select("id")
      .where("message_id", "=", slots.message)
      .where("uid", "=", sql.lit(unlisted.uid))
      .where("cat", "=", sql.lit(unlisted.cat))
      .where("k", "=", sql.lit(unlisted.k))
      .where("v", "=", sql.lit(unlisted.v))
      .limit(sql.lit(1)),
  );
  return rows.length > 0;
}

function ownerElsewhere({ users }: StatusPage, { owner_id }: Item) {
  const owner = users.get(owner_id);
  return owner?.xchan_network === "activitypub" ? owner : undefined;
}

/** Whoever owns its thread, if that is a forum; else the first one that a post mentions, which takes it over. */
async function groupOf(hub: Hub, { author_id, owner_id, item_thread_top }: Item, { mentioned }: StatusPage) {
  const named = owner_id !== author_id ? [owner_id] : item_thread_top === 1 ? [...mentioned.values()] : [];
  if (named.length === 0) return undefined;
  const found = await hub.db
    .selectFrom("xchan")
    .leftJoin("channel", "channel.channel_hash", "xchan.xchan_hash")
    .select(["channel_address as nick", "xchan_hash", "xchan_addr", "xchan_url", "xchan_network"])
    .where(isOneOf(hub.engine, sql.ref("xchan_id"), named))
    .where("xchan_pubforum", "=", 1)
    .orderBy("xchan_id")
    .executeTakeFirst();
  if (!found) return undefined;
  const { nick, ...person } = found;
  return nick === null ? person : { nick };
}

async function topOf(hub: Hub, item: Item): Promise<Item> {
  if (item.item_thread_top === 1) return item;
  return selectItems(hub).where("item.id", "=", item.parent).executeTakeFirstOrThrow();
}

async function audienceOf(top: Item, goesToFollowers: GoesToFollowers): Promise<WrittenHere["audience"]> {
  if (top.item_private === 0) return "everybody";
  // Others know who follows its author, but not who is connected with the owner of the wall that it stands on.
  const isAuthors = top.item_wall === 1 && top.author_id === top.owner_id;
  return isAuthors && isForFollowers(top) && (await goesToFollowers(top.uid)) ? "connections" : "people";
}
