import { sql } from "kysely";
import type { Selectable } from "kysely";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import type { Tables } from "../../storage/tables/index.ts";
import { noticeOf, selectNotices } from "../notifications/stored.ts";
import type { Notice } from "../notifications/stored.ts";
import type { Source } from "./moment.ts";
import { setImmediate as othersTurn } from "node:timers/promises";

/** Whole tables of one channel by the keys of their indexes. */

type Row<Table extends keyof Tables> = Selectable<Tables[Table]>;

/** Connections by hash. */
export function connectionBatches({ hub, channel, moment }: Source): AsyncGenerator<Row<"abook">[]> {
  return batches((after, count) =>
    hub.db
      .selectFrom("abook")
      .selectAll()
      .where("abook_channel", "=", channel.channel_id)
      .where("abook_xchan", ">", after?.abook_xchan ?? "")
      .where("abook_id", "<=", moment.abook)
      .orderBy("abook_xchan")
      .limit(count)
      .execute(),
  );
}

/** Connection metadata of these identities. */
export function metadataOf({ hub, channel }: Source, hashes: readonly string[]): Promise<Row<"abconfig">[]> {
  return hub.db
    .selectFrom("abconfig")
    .selectAll()
    .where("chan", "=", channel.channel_id)
    .where(isOneOf(hub.engine, sql.ref("xchan"), hashes))
    .orderBy("xchan")
    .orderBy("cat")
    .orderBy("k")
    .execute();
}

/** Every known location of these identities. */
export function locationsOf({ hub }: Source, hashes: readonly string[]): Promise<Row<"hubloc">[]> {
  return hub.db
    .selectFrom("hubloc")
    .selectAll()
    .where(isOneOf(hub.engine, sql.ref("hubloc_hash"), hashes))
    .orderBy("hubloc_hash")
    .orderBy("hubloc_url")
    .orderBy("hubloc_id")
    .execute();
}

/** Members of one group by hash. */
export function memberBatches({ hub, channel, moment }: Source, gid: number): AsyncGenerator<Row<"pgrp_member">[]> {
  return batches((after, count) =>
    hub.db
      .selectFrom("pgrp_member")
      .selectAll()
      .where("gid", "=", gid)
      .where("uid", "=", channel.channel_id)
      .where("xchan", ">", after?.xchan ?? "")
      .where("id", "<=", moment.pgrp_member)
      .orderBy("xchan")
      .limit(count)
      .execute(),
  );
}

/** Guest tokens by name. */
export function guestTokens({ hub, channel }: Source): Promise<Row<"atoken">[]> {
  return hub.db
    .selectFrom("atoken")
    .selectAll()
    .where("atoken_uid", "=", channel.channel_id)
    .orderBy("atoken_name")
    .execute();
}

/** The channel's saved searches and terms of things. */
export function savedTerms({ hub, channel }: Source): Promise<Row<"term">[]> {
  return hub.db
    .selectFrom("term")
    .selectAll()
    .where("uid", "=", channel.channel_id)
    .where("message_id", "=", sql.lit(0))
    .where("ttype", "in", [6, 7])
    .orderBy("ttype")
    .orderBy("oid")
    .orderBy("tid")
    .execute();
}

/** Events by hash. */
export function eventBatches({ hub, channel, moment }: Source): AsyncGenerator<Row<"event">[]> {
  return batches((after, count) =>
    hub.db
      .selectFrom("event")
      .selectAll()
      .where("uid", "=", channel.channel_id)
      .where("event_hash", ">", after?.event_hash ?? "")
      .where("id", "<=", moment.event)
      .orderBy("event_hash")
      .limit(count)
      .execute(),
  );
}

/** Conversations by guid. */
export function conversationBatches({ hub, channel, moment }: Source): AsyncGenerator<Row<"conv">[]> {
  return batches((after, count) =>
    hub.db
      .selectFrom("conv")
      .selectAll()
      .where("uid", "=", channel.channel_id)
      .where("guid", ">", after?.guid ?? "")
      .where("id", "<=", moment.conv)
      .orderBy("guid")
      .limit(count)
      .execute(),
  );
}

/** Direct messages as they came. */
export function mailBatches({ hub, channel, moment }: Source): AsyncGenerator<Row<"mail">[]> {
  return batches((after, count) =>
    hub.db
      .selectFrom("mail")
      .selectAll()
      .where("channel_id", "=", channel.channel_id)
      .where("id", ">", after?.id ?? 0)
      .where("id", "<=", moment.mail)
      .orderBy("id")
      .limit(count)
      .execute(),
  );
}

/** Notices by their ids. */
export function noticeBatches({ hub, channel, moment }: Source): AsyncGenerator<Notice[]> {
  return batches(async (after, count) => {
    const rows = await selectNotices(hub)
      .where("notify.uid", "=", channel.channel_id)
      .where("notify.id", ">", after?.id ?? 0)
      .where("notify.id", "<=", moment.notify)
      .orderBy("notify.id")
      .limit(count)
      .execute();
    return rows.map(noticeOf);
  });
}

/** The mids of the channel's direct messages with these ids. */
export async function midsOfMails({ hub, channel }: Source, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await hub.db
    .selectFrom("mail")
    .select(["id", "mid"])
    .where("channel_id", "=", channel.channel_id)
    .where(isOneOf(hub.engine, sql.ref("id"), ids))
    .execute();
  return new Map(rows.map(({ id, mid }) => [id, mid]));
}

/** Files and directories of a channel, every revision. */
export async function countFiles(hub: Hub, uid: number): Promise<number> {
  const { count } = await hub.db
    .selectFrom("attach")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("uid", "=", uid)
    .executeTakeFirstOrThrow();
  return Number(count);
}

const together = 100;

/** Rows by key, a hundred at a time; in between others get their turn. */
async function* batches<Row>(read: (after: Row | undefined, count: number) => Promise<Row[]>): AsyncGenerator<Row[]> {
  let after: Row | undefined;
  for (;;) {
    const rows = await read(after, together);
    if (rows.length > 0) yield rows;
    if (rows.length < together) return;
    after = rows.at(-1);
    await othersTurn();
  }
}
