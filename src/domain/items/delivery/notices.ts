import { sql } from "kysely";
import type { Hub } from "../../../hub.ts";
import type { ColumnName, RowOf } from "../../../storage/row-of.ts";
import { isOneOf } from "../../../storage/sql.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { findChannelByXchan } from "../../identity/channels/channels.ts";
import { dropNoticesOfReaction } from "../../notifications/drop.ts";
import { notify } from "../../notifications/notify.ts";
import type { Deed, NewNotice } from "../../notifications/new-notice.ts";
import { selectItems } from "../queries.ts";
import type { Recipient } from "./recipients.ts";
import { loadItem } from "../save.ts";
import type { Item } from "../types.ts";
import { reactionOf, verbUri } from "../vocabulary.ts";
import { hasFollowWish, concernedAmong, unwelcome } from "./notification-targets.ts";

/** Tells a channel that somebody else wrote on its wall. */
export async function notifyWallPost(hub: Hub, wall: Channel, item: Item): Promise<void> {
  await notify(hub, [{ kind: "wall", to: wall, actor: item.author_id, item: item.id, verb: item.verb }]);
}

/** Tells the owner of a thread about a new answer or reaction in it; `itemId` is the owner's copy. */
export async function notifyAnswer(hub: Hub, owner: Channel, itemId: number): Promise<void> {
  const item = await selectItems(hub)
    .where("item.id", "=", itemId)
    .select(hasFollowWish(sql.ref("item.parent"), sql`${owner.xchan_id}`, "unfollow").as("stopped"))
    .executeTakeFirstOrThrow();
  if (item.stopped && item.item_mentionsme === 0) return;
  await notify(hub, await noticesOf(hub, [{ to: owner, item }]));
}

/** Tells the owner of a thread that a comment waits to be let in; others wait under the same notice. */
export async function notifyHeld(hub: Hub, owner: Channel, itemId: number): Promise<void> {
  const { author_id, verb } = await loadItem(hub, itemId);
  await notify(hub, [{ kind: "held", to: owner, actor: author_id, verb }]);
}

/** Tells channels of this hub that an edit now mentions them; `copies` are item ids by channel. */
export async function notifyMentions(hub: Hub, readers: Recipient[], copies: Map<number, number>): Promise<void> {
  const welcome: Told[] = [];
  for (const told of await withCopies(hub, readers, copies))
    if (!(await unwelcome(hub, told.to.channel_id, told.item.author_id))) welcome.push(told);
  await notify(hub, await noticesOf(hub, welcome));
}

/**
 * Tells those who just got their copies what concerns them: that they are mentioned, that somebody answered in a thread where
 * they take part, or that somebody posts of whom they want to hear that. `copies` are item ids by channel.
 */
export async function notifyReaders(
  hub: Hub,
  readers: readonly Recipient[],
  copies: Map<number, number>,
  message: Pick<Item, "message_id" | "author_id">,
): Promise<void> {
  const concerned = await concernedAmong(hub, readers, message);
  const told = await withCopies(
    hub,
    readers.filter(({ channel_id }) => concerned.has(channel_id)),
    copies,
  );
  const [posts, others] = [
    told.filter(({ to }) => concerned.get(to.channel_id) === "posts"),
    told.filter(({ to }) => concerned.get(to.channel_id) === "concerned"),
  ];
  const ofPosts = posts.map(({ to, item }): NewNotice => ({
    kind: "post",
    to,
    actor: item.author_id,
    item: item.id,
    verb: item.verb,
  }));
  await notify(hub, [...ofPosts, ...(await noticesOf(hub, others))]);
}

/**
 * Tells the author of a public post of this hub that somebody has shared it; shares that not everybody may see are
 * nobody's business.
 */
export async function notifyShare(hub: Hub, item: Item): Promise<void> {
  if (item.shared_id === 0 || item.item_private !== 0) return;
  const original = await hub.db
    .selectFrom("message")
    .select("author_id")
    .where("id", "=", item.shared_id)
    .executeTakeFirst();
  const author = original && (await findChannelByXchan(hub, original.author_id));
  if (!author || (await unwelcome(hub, author.channel_id, item.author_id))) return;
  await notify(hub, [{ kind: "share", to: author, actor: item.author_id, item: item.id, of: item.shared_id }]);
}

/** Takes back what was told of reactions: doing and undoing them again and again leaves one notice at most. */
export async function forgetReactions(hub: Hub, reactions: Item[], target: Item): Promise<void> {
  for (const { verb, author_id } of reactions)
    await dropNoticesOfReaction(hub, target.message_id, { verb, actor: author_id });
}

/** As much of an item as says what to tell of it. */
const columns = [
  "item.id",
  "item.author_id",
  "item.owner_id",
  "item.parent",
  "item.thr_parent_id",
  "item.item_mentionsme",
  "item.item_thread_top",
  "message.verb",
] as const satisfies readonly ColumnName[];

type ToldItem = RowOf<typeof columns>;

/** Whom to tell of an item, and the item as they have it. */
type Told = { to: Pick<Recipient, "channel_id" | "xchan_id">; item: ToldItem };

/** The readers who have a copy, with it. */
async function withCopies(hub: Hub, readers: readonly Recipient[], copies: Map<number, number>): Promise<Told[]> {
  const ids = readers.flatMap(({ channel_id }) => copies.get(channel_id) ?? []);
  const items = await itemsById(hub, ids);
  return readers.flatMap((to) => {
    const item = items.get(copies.get(to.channel_id) ?? 0);
    return item ? [{ to, item }] : [];
  });
}

/** What each of them is told; reactions and tags are told of what they are about, as the recipient has it. */
async function noticesOf(hub: Hub, told: readonly Told[]): Promise<NewNotice[]> {
  const about = await itemsById(
    hub,
    told.flatMap(({ item }) => (isAbout(item) && item.thr_parent_id > 0 ? [item.thr_parent_id] : [])),
  );
  return told.flatMap(({ to, item }): NewNotice[] => {
    const deed = deedOf(to, item, about.get(item.thr_parent_id) ?? item);
    return deed ? [{ ...deed, to, actor: item.author_id }] : [];
  });
}

function isAbout({ verb }: ToldItem): boolean {
  return verb === verbUri("tag") || reactionOf(verb) !== undefined;
}

/** What the item is to that reader, if it concerns them. */
function deedOf(to: Told["to"], item: ToldItem, target: ToldItem): Deed | undefined {
  const { id, verb, parent: thread } = item;
  if (verb === verbUri("tag")) {
    const isTheirs = target.author_id === to.xchan_id || target.owner_id === to.xchan_id;
    return isTheirs ? { kind: "tag", item: target.id } : undefined;
  }
  if (reactionOf(verb) !== undefined) return { kind: "reaction", item: target.id, verb };
  if (item.item_mentionsme === 1) return { kind: "mention", item: id, verb };
  return item.item_thread_top === 0 ? { kind: "comment", item: id, verb, thread } : undefined;
}

async function itemsById(hub: Hub, ids: readonly number[]): Promise<Map<number, ToldItem>> {
  if (ids.length === 0) return new Map();
  const items = await hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .select(columns)
    .where(isOneOf(hub.engine, sql.ref("item.id"), ids))
    .execute();
  return new Map(items.map((item) => [item.id, item]));
}
