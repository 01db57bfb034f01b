import { sql } from "kysely";
import { sendOut } from "../delivery/outgoing.ts";
import type { Outgoing } from "../delivery/outgoing.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { inPieces, isOneOf } from "../../storage/sql.ts";
import { lockThread, selectItems } from "./queries.ts";
import type { Item } from "./types.ts";
import { storedJson } from "../../stored-json.ts";

/** Where something goes: an inbox, for whom, and whether it is that of their whole hub. */
export type Target = Outgoing["to"][number];

/** Where a message went when it first left the hub (federation contract 5); whatever is said of it later goes there as well. */
export async function sentTo(hub: Hub, messageId: number): Promise<Target[]> {
  const rows = await hub.db
    .selectFrom("sent_to")
    .selectAll()
    .where("message_id", "=", messageId)
    .orderBy("inbox")
    .execute();
  return rows.map(({ inbox, people, shared }) => ({
    inbox,
    people: storedJson<number[]>(people),
    shared: shared === 1,
  }));
}

/** Does its author want no other hub to get it? Whoever may see it there asks for it. */
export function isKeptHere({ postopts }: Pick<Item, "postopts">): boolean {
  return postopts.split(",").includes("nopush");
}

/** Has any of these messages left the hub? */
export async function haveLeft(hub: Hub, messages: readonly number[]): Promise<boolean> {
  const row = await hub.db
    .selectFrom("sent_to")
    .select("message_id")
    .where(isOneOf(hub.engine, sql.ref("message_id"), messages))
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Sends what a message says, as it was read. Answers false, and sends nothing, where it has been changed or deleted since: what
 * is deleted must never go out after that, or nobody would ever hear of the deletion.
 */
export async function sendMessage(hub: Hub, item: Item, outgoing: readonly Outgoing[]): Promise<boolean> {
  return inTransaction(hub, async (hub) => {
    const top = item.item_thread_top === 1 ? item.message_id : await topMessageOf(hub, item);
    await lockThread(hub, top);
    const current = await selectItems(hub).where("item.id", "=", item.id).executeTakeFirst();
    if (!current || current.item_deleted === 1 || current.revision !== item.revision) return false;
    await sendOut(hub, outgoing);
    await rememberSent(
      hub,
      item.message_id,
      outgoing.flatMap(({ to }) => to),
    );
    return true;
  });
}

async function topMessageOf(hub: Hub, item: Item): Promise<number> {
  const row = await hub.db.selectFrom("item").select("message_id").where("id", "=", item.parent).executeTakeFirst();
  return row?.message_id ?? item.message_id;
}

/** Whoever is behind these inboxes hears of whatever happens to the message. Part of a transaction. */
export async function rememberSent(hub: Hub, message_id: number, targets: readonly Target[]): Promise<void> {
  const rows = targets.map(({ inbox, people, shared }) => ({
    message_id,
    inbox,
    people: JSON.stringify(people),
    shared: shared ? 1 : 0,
  }));
  for (const piece of inPieces(rows))
    await hub.db
      .insertInto("sent_to")
      .values(piece)
      .onConflict((conflict) => conflict.columns(["message_id", "inbox"]).doNothing())
      .execute();
}

/** Forgets where messages went, when nothing is left of them. */
export async function forgetSent(hub: Hub, messages: readonly number[]): Promise<void> {
  await hub.db
    .deleteFrom("sent_to")
    .where(isOneOf(hub.engine, sql.ref("message_id"), messages))
    .execute();
}
