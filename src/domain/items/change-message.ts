import { sql } from "kysely";
import type { Updateable } from "kysely";
import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { emit } from "../live/emit.ts";
import { isOneOf } from "../../storage/sql.ts";
import type { MessageTable } from "../../storage/tables/items.ts";
import type { Scope } from "./audience.ts";
import { reshareFiles } from "./share-files.ts";

/** What other areas change of their items; each as part of a transaction. */

/** Replaces what a message is about, and what is attached to it. */
export async function setObject(
  hub: Hub,
  messageId: number,
  object: Pick<Updateable<MessageTable>, "obj" | "attach">,
): Promise<void> {
  await hub.db.updateTable("message").set(object).where("id", "=", messageId).execute();
}

/** Gives messages of one channel another title, which a metadata key of theirs holds as well. */
export async function renameMessages(
  hub: Hub,
  uid: number,
  messages: readonly number[],
  key: { cat: string; k: string },
  title: string,
): Promise<void> {
  await hub.db
    .updateTable("iconfig")
    .set({ v: title })
    .where(isOneOf(hub.engine, sql.ref("message_id"), messages))
    .where("uid", "in", [0, uid])
    .where("cat", "=", key.cat)
    .where("k", "=", key.k)
    .execute();
  await hub.db
    .updateTable("message")
    .set({ title })
    .where(isOneOf(hub.engine, sql.ref("id"), messages))
    .execute();
}

/** Gives the channel's copies of these messages another audience. */
export async function setScope(hub: Hub, uid: number, messages: readonly number[], scope: Scope): Promise<void> {
  await hub.db
    .updateTable("item")
    .set({ ...scope, changed: now(hub) })
    .where("uid", "=", uid)
    .where(isOneOf(hub.engine, sql.ref("message_id"), messages))
    .execute();
  await reshareFiles(hub, messages);
  await emit(hub, ...messages.map((message) => ({ what: "touch", message }) as const));
}

/** Takes a hidden item into the streams. */
export async function unhide(hub: Hub, id: number): Promise<void> {
  const { message_id } = await hub.db
    .updateTable("item")
    .set({ item_hidden: 0, changed: now(hub) })
    .where("id", "=", id)
    .returning("message_id")
    .executeTakeFirstOrThrow();
  await emit(hub, { what: "item", message: message_id, from: id, to: id });
}
