import { sql } from "kysely";
import { missing } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import { mayAuthenticate } from "../../identity/accounts/accounts.ts";
import { channelSetting } from "../../identity/channels/channel-settings.ts";
import type { Moderation } from "../../identity/channels/channel-settings.ts";
import type { Observer } from "../../identity/channels/observer.ts";
import { whoComments } from "../../permissions/comment.ts";
import { visibleTo } from "../../permissions/visible.ts";
import { no, selectItems, yes } from "../queries.ts";
import type { Item } from "../types.ts";
import { assembleStatuses } from "./statuses.ts";
import type { StatusPage } from "./statuses.ts";
import { cutPage } from "../../../storage/key-page.ts";

/** What a message is called here and elsewhere. */
export type MessageName = {
  mid: string;
  uuid: string;
  plink: string;
  /** Of an author who lives on this hub. */
  nick: string | null;
};

/** Something that somebody of this hub wrote, with all that documents for other hubs say of it. */
export type WrittenHere = {
  item: Item;
  /** The author. */
  nick: string;
  /** What it answers; undefined for a top. */
  parent: MessageName | undefined;
  /** The thread's top. */
  top: MessageName;
  /** What it shares, if that is for everybody too. */
  shared: MessageName | undefined;
  page: StatusPage;
  /** Whom the thread is for: the connections of its owner, or people who are named one by one. */
  audience: "everybody" | "connections" | "people";
  /** Who may comment in the thread, and whose comments the owner lets in one by one. */
  comments: { by: ReturnType<typeof whoComments>; held: Moderation };
};

/**
 * A post, comment or reaction by somebody of this hub, as far as the observer may see it on a wall of this hub. Who asks from
 * outside names it by its uuid; one that an import brought under somebody else's name is never meant, and whoever is gone for
 * other hubs has written nothing. Throws missing.
 */
export async function findWrittenHere(hub: Hub, observer: Observer, uuid: string): Promise<WrittenHere> {
  const found = await selectItems(hub)
    .innerJoin("xchan", "xchan.xchan_id", "item.author_id")
    .innerJoin("channel", "channel.channel_hash", "xchan.xchan_hash")
    .innerJoin("account", "account.account_id", "channel.channel_account_id")
    .select("channel.channel_address as nick")
    .where("channel.channel_removed", "=", sql.lit(0))
    .where(mayAuthenticate(hub))
    .where("message.uuid", "=", uuid)
    .where("item.item_wall", "=", yes)
    .where("item.item_normal", "=", yes)
    .where(visibleTo(hub, observer))
    .orderBy("item.id")
    .executeTakeFirst();
  if (!found) throw missing("Item");
  const { nick, ...item } = found;
  const page = await assembleStatuses(hub, observer, [item], { terms: true, media: true });
  const top = await topOf(hub, item);
  const shared = page.originals.get(item.shared_id)?.id;
  const direct = item.thr_parent_id > 0 ? item.thr_parent_id : item.parent;
  const names = await namesOf(hub, [item.parent, direct, ...(shared === undefined ? [] : [shared])]);
  return {
    item,
    nick,
    parent: item.item_thread_top === 1 ? undefined : (names.get(direct) ?? names.get(item.parent)),
    top: names.get(item.parent)!,
    shared: shared === undefined ? undefined : names.get(shared),
    page,
    audience: audienceOf(top),
    comments: { by: whoComments(hub, top), held: await channelSetting(hub, item.uid, "moderation") },
  };
}

async function topOf(hub: Hub, item: Item): Promise<Item> {
  if (item.item_thread_top === 1) return item;
  return selectItems(hub).where("item.id", "=", item.parent).executeTakeFirstOrThrow();
}

function audienceOf(top: Item): WrittenHere["audience"] {
  if (top.item_private === 0) return "everybody";
  const hasLists = [top.allow_cid, top.allow_gid, top.deny_cid, top.deny_gid].some((list) => list !== "");
  const forMany = ["contacts", "any connections", "authenticated"].includes(top.public_policy);
  return forMany && !hasLists ? "connections" : "people";
}

/** By item id. */
async function namesOf(hub: Hub, ids: readonly number[]): Promise<Map<number, MessageName>> {
  const rows = await selectNames(hub)
    .where(isOneOf(hub.engine, sql.ref("item.id"), ids))
    .execute();
  return new Map(rows.map(({ id, ...name }) => [id, name]));
}

function selectNames(hub: Hub) {
  return hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .innerJoin("xchan", "xchan.xchan_id", "message.author_id")
    .leftJoin("channel", "channel.channel_hash", "xchan.xchan_hash")
    .select(["item.id", "message.mid", "message.uuid", "message.plink", "channel.channel_address as nick"]);
}

/** What answers an item directly, or all that a thread consists of: by item id. */
export type Answers = { parent: number } | { thread: number };

export type NamesPage = { names: MessageName[]; next: number | undefined };

/** As much of it as the observer may see, the oldest first. */
export async function listAnswers(
  hub: Hub,
  observer: Observer,
  answers: Answers,
  { after = 0, count }: { after: number | undefined; count: number },
): Promise<NamesPage> {
  const rows = await selectAnswers(hub, observer, answers)
    .where("item.id", ">", after)
    .orderBy("item.id")
    .limit(count + 1)
    .execute();
  const { page, next } = cutPage(rows, count, (row) => row.id);
  return { names: page.map(({ id: _id, ...name }) => name), next };
}

/** How many that are; more than this are not counted. */
export const mostAnswers = 5000;

export async function countAnswers(hub: Hub, observer: Observer, answers: Answers): Promise<number> {
  const some = selectAnswers(hub, observer, answers).limit(mostAnswers).as("some");
  const { count } = await hub.db
    .selectFrom(some)
    .select(sql<number>`cast(count(*) as integer)`.as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

function selectAnswers(hub: Hub, observer: Observer, answers: Answers) {
  const shown = selectNames(hub)
    .where("item.item_normal", "=", yes)
    .where("item.item_notshown", "=", no)
    .where(visibleTo(hub, observer));
  return "thread" in answers
    ? shown.where("item.parent", "=", answers.thread)
    : shown.where("item.thr_parent_id", "=", answers.parent).where("item.item_thread_top", "=", no);
}
