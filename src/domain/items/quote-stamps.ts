import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { addDeed } from "../../jobs/queue.ts";
import { isPureShare } from "../bodies/share.ts";
import { hasValue } from "./metadata.ts";
import { insertMeta } from "./save.ts";
import { isKeptHere } from "./sent-to.ts";
import type { Item } from "./types.ts";

/** Stamps that people of other hubs gave to posts that quote theirs: the other side of `approvals.ts` (federation contract 7). */

/** Where the id of its stamp is noted of a message that quotes. */
export const quoteStampMark = { cat: "federation", k: "quote_stamp", sharing: 0, uid: 0, remote_key: null };

/** What a message quotes with words of its own, and who wrote that. */
export type Quoting = { id: number; quoted: { id: number; mid: string; author_id: number } };

/** Whoever of elsewhere is quoted in a public post is asked whether that may be. Part of the transaction that stores it. */
export async function askToQuote(
  hub: Hub,
  item: Pick<Item, "uid" | "message_id" | "shared_id" | "body" | "author_id" | "item_private" | "postopts">,
): Promise<void> {
  if (item.shared_id === 0 || item.item_private !== 0 || isKeptHere(item) || isPureShare(item.body)) return;
  const elsewhere = await hub.db
    .selectFrom("message")
    .innerJoin("actor", "actor.xchan_id", "message.author_id")
    .select("message.id")
    .where("message.id", "=", item.shared_id)
    .where("message.author_id", "<>", item.author_id)
    .executeTakeFirst();
  if (elsewhere) await addDeed(hub, item.uid, { deed: "quote", message: item.message_id });
}

/** What this message quotes; undefined for one that quotes nothing. */
export async function quotingOf(hub: Hub, messageId: number): Promise<Quoting | undefined> {
  const row = await hub.db
    .selectFrom("message")
    .innerJoin("message as quoted", "quoted.id", "message.shared_id")
    .select(["message.body", "quoted.id", "quoted.mid", "quoted.author_id"])
    .where("message.id", "=", messageId)
    .where("message.shared_id", ">", 0)
    .executeTakeFirst();
  if (!row || isPureShare(row.body)) return undefined;
  const { body: _, ...quoted } = row;
  return { id: messageId, quoted };
}

/** The id of its stamp; undefined without one. */
export async function quoteStampOf(hub: Hub, messageId: number): Promise<string | undefined> {
  const row = await stamps(hub).select("v").where("message_id", "=", messageId).executeTakeFirst();
  return row?.v;
}

/** The messages that have this stamp. */
export async function stampedBy(hub: Hub, stamp: string): Promise<number[]> {
  const rows = await stamps(hub).select("message_id").where(hasValue(stamp)).execute();
  return rows.map((row) => row.message_id);
}

/** Notes its stamp, in the place of another one. Part of a transaction. */
export async function keepQuoteStamp(hub: Hub, messageId: number, stamp: string): Promise<void> {
  await forgetQuoteStamp(hub, messageId);
  await insertMeta(hub, messageId, [{ ...quoteStampMark, v: stamp }]);
}

/** It has none any more. Part of a transaction. */
export async function forgetQuoteStamp(hub: Hub, messageId: number): Promise<void> {
  await hub.db
    .deleteFrom("iconfig")
    .where("id", "in", stamps(hub).select("iconfig.id").where("message_id", "=", messageId))
    .execute();
}

function stamps(hub: Hub) {
  return hub.db
    .selectFrom("iconfig")
    .where("iconfig.uid", "=", sql.lit(quoteStampMark.uid))
    .where("iconfig.cat", "=", sql.lit(quoteStampMark.cat))
    .where("iconfig.k", "=", sql.lit(quoteStampMark.k));
}
