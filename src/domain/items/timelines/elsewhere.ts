import { setImmediate as othersTurn } from "node:timers/promises";
import { sql } from "kysely";
import type { SqlBool } from "kysely";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { itemsOf } from "./by-date.ts";
import { no, yes } from "../queries.ts";
import type { FullItem } from "../columns.ts";
import type { ItemPage } from "../types.ts";
import { termTypes } from "../vocabulary.ts";

const together = 100;

/**
 * The threads of others that the channel has something in: it wrote or reacted there, follows it or stopped to, starred,
 * filed or has not read something of it, or has a notice about it. Whole threads, one after the other, tops first.
 */
export async function* itemsOfOthers(hub: Hub, channel: Channel, newestId: number): AsyncGenerator<ItemPage<FullItem>> {
  let after = 0;
  for (;;) {
    const tops = await topsAfter(hub, channel.channel_id, after, newestId);
    const threads = await concerning(hub, channel, tops);
    yield* itemsOf(hub, channel.channel_id, await placesIn(hub, threads, newestId));
    if (tops.length < together) return;
    after = tops.at(-1)!;
    await othersTurn();
  }
}

async function topsAfter(hub: Hub, uid: number, after: number, newestId: number): Promise<number[]> {
  const rows = await hub.db
    .selectFrom("item")
    .select("id")
    .where("uid", "=", uid)
    .where("item_normal", "=", yes)
    .where("item_notshown", "=", no)
    .where("item_thread_top", "=", yes)
    .where("item_wall", "=", no)
    .where("id", ">", after)
    .where("id", "<=", newestId)
    .orderBy("id")
    .limit(together)
    .execute();
  return rows.map(({ id }) => id);
}

async function concerning(hub: Hub, { channel_id, xchan_id }: Channel, tops: readonly number[]): Promise<number[]> {
  const rows = await hub.db
    .selectFrom("item")
    .select("parent")
    .distinct()
    .where(isOneOf(hub.engine, sql.ref("parent"), tops))
    .where("item_deleted", "=", no)
    .where(
      sql<SqlBool>`(author_id = ${xchan_id} or item_starred = 1 or item_unseen = 1
        or exists (select 1 from term where term.message_id = item.message_id and term.uid = ${channel_id}
          and term.ttype = ${sql.lit(termTypes.file)})
        or exists (select 1 from notify where notify.item_id = item.id and notify.item_id > 0))`,
    )
    .orderBy("parent")
    .execute();
  return rows.map(({ parent }) => parent);
}

function placesIn(hub: Hub, threads: readonly number[], newestId: number) {
  return hub.db
    .selectFrom("item")
    .select(["created", "id"])
    .where(isOneOf(hub.engine, sql.ref("parent"), threads))
    .where("item_deleted", "=", no)
    .where("id", "<=", newestId)
    .orderBy("parent")
    .orderBy("item_thread_top", "desc")
    .orderBy("created")
    .orderBy("id")
    .execute();
}
