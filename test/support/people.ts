import { sql } from "kysely";
import { approve, connect, updateConnection } from "../../src/domain/connections/connections.ts";
import type { ConnectionChanges } from "../../src/domain/connections/update.ts";
import type { Channel } from "../../src/domain/identity/channels/channel.ts";
import type { Account } from "../../src/domain/identity/accounts/accounts.ts";
import { createChannel } from "../../src/domain/identity/channels/channels.ts";
import type { RoleName } from "../../src/domain/identity/channels/roles.ts";
import { makeAccount } from "./hub.ts";
import type { StreamQuery } from "../../src/domain/items/types.ts";
import type { Item } from "../../src/domain/items/types.ts";
import { selectItems } from "../../src/domain/items/queries.ts";
import { unfiltered } from "../../src/domain/items/timelines/stream-filters.ts";
import type { Hub } from "../../src/hub.ts";
import { workOff } from "../../src/workers.ts";
import { noticeOf, selectNotices } from "../../src/domain/notifications/stored.ts";
import { noticeWords } from "../../src/domain/portable/notice-sentence.ts";

const households = new WeakMap<Hub, Promise<Account>>();

/** A channel in an account that all of them share, because nobody logs in here. */
export async function newcomer(
  hub: Hub,
  nick: string,
  options: { name?: string; role?: RoleName; timezone?: string } = {},
): Promise<Channel> {
  if (!households.has(hub)) households.set(hub, makeAccount(hub, "household@example.org"));
  const account = await households.get(hub)!;
  return createChannel(hub, account, { nick, name: nick[0]!.toUpperCase() + nick.slice(1), ...options });
}

/** Connects two channels both ways. */
export async function befriend(hub: Hub, one: Channel, other: Channel): Promise<void> {
  await connect(hub, one, { xchan_hash: other.channel_hash });
  await connect(hub, other, { xchan_hash: one.channel_hash });
}

/** Runs everything that is due, and what that causes. */
export function deliver(hub: Hub): Promise<void> {
  return workOff(hub);
}

/** The id of the connection of `owner` with `other`. */
export async function connectionId(hub: Hub, owner: Channel, other: Channel): Promise<number> {
  const row = await hub.db
    .selectFrom("abook")
    .select("abook_id")
    .where("abook_channel", "=", owner.channel_id)
    .where("abook_xchan", "=", other.channel_hash)
    .executeTakeFirstOrThrow();
  return row.abook_id;
}

/** Changes what `owner` has noted about `other`. */
export async function mark(hub: Hub, owner: Channel, other: Channel, changes: ConnectionChanges): Promise<void> {
  await updateConnection(hub, owner, await connectionId(hub, owner, other), changes);
}

/** Approves the request of `other`. */
export async function accept(hub: Hub, owner: Channel, other: Channel): Promise<void> {
  await approve(hub, owner, await connectionId(hub, owner, other));
}

/** The channel's copy of a message, whatever its state. */
export function copyOf(hub: Hub, channel: Channel, item: Pick<Item, "message_id">): Promise<Item | undefined> {
  return selectItems(hub)
    .where("item.uid", "=", channel.channel_id)
    .where("item.message_id", "=", item.message_id)
    .executeTakeFirst();
}

/** Whether each of these channels has a normal copy of the message. */
export async function holders(hub: Hub, item: Pick<Item, "message_id">, channels: Channel[]): Promise<string[]> {
  const rows = await hub.db
    .selectFrom("item")
    .select("uid")
    .where("message_id", "=", item.message_id)
    .where("item_normal", "=", 1)
    .execute();
  const uids = new Set(rows.map((row) => row.uid));
  return channels.filter((channel) => uids.has(channel.channel_id)).map((channel) => channel.channel_address);
}

/** The notices of a channel about items, oldest first: [type, from, link]. */
export async function noticesOf(
  hub: Hub,
  channel: Channel,
): Promise<{ ntype: number; xname: string; link: string; item_id: number }[]> {
  const rows = await selectNotices(hub).where("notify.uid", "=", channel.channel_id).orderBy("notify.id").execute();
  return rows.flatMap((row) => {
    const { ntype, xname, link, otype } = noticeWords(hub.config.baseUrl, noticeOf(row));
    return otype === "item" ? [{ ntype, xname, link, item_id: row.item_id }] : [];
  });
}

/** Public statuses that the hub counts for the channel. */
export async function statusCount(hub: Hub, channel: Channel): Promise<number> {
  const row = await hub.db
    .selectFrom("xchan")
    .select("statuses_count")
    .where("xchan_id", "=", channel.xchan_id)
    .executeTakeFirstOrThrow();
  return row.statuses_count;
}

/** What the counter should be: public conversation items that the channel wrote here and that still stand. */
export async function standingStatuses(hub: Hub, channel: Channel): Promise<number> {
  const row = await hub.db
    .selectFrom("item")
    .select(sql<number>`count(distinct message_id)`.as("count"))
    .where("author_id", "=", channel.xchan_id)
    .where("item_normal", "=", 1)
    .where("item_notshown", "=", 0)
    .where("item_private", "=", 0)
    .where("item_origin", "=", 1)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Everything that the items area writes, for comparing before and after. */
export async function wholeTables(hub: Hub) {
  const { db } = hub;
  return {
    message: await db.selectFrom("message").selectAll().orderBy("id").execute(),
    item: await db.selectFrom("item").selectAll().orderBy("id").execute(),
    term: await db.selectFrom("term").selectAll().orderBy("tid").execute(),
    iconfig: await db.selectFrom("iconfig").selectAll().orderBy("id").execute(),
    notify: await db.selectFrom("notify").selectAll().orderBy("id").execute(),
    xchan: await db.selectFrom("xchan").select(["xchan_id", "statuses_count"]).orderBy("xchan_id").execute(),
  };
}

/** Whole tables and the jobs that wait. */
export async function everything(hub: Hub) {
  const jobs = await hub.db.selectFrom("job").select(["name", "payload", "run_at", "dead"]).orderBy("id").execute();
  return { ...(await wholeTables(hub)), jobs };
}

/** A page of the network stream with nothing asked for but what is given. */
export function streamQuery(asked: Partial<StreamQuery> = {}): StreamQuery {
  return { ...unfiltered, records: 100, ...asked };
}

/** Nobody named. */
export const nobody = { allow_cid: [], allow_gid: [], deny_cid: [], deny_gid: [] };
