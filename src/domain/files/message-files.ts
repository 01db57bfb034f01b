import { sql } from "kysely";
import type { Selectable } from "kysely";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import type { MessageFileTable } from "../../storage/tables/files.ts";

/**
 * Which messages show the files that have the audience of what shows them (decision 85). A file to whose lists its owner has put a
 * hand has no rows here, and keeps what it was given. Each as part of a transaction.
 */

export type MessageFile = Selectable<MessageFileTable>;

/** What shows files: a message of the items, or a mail by the id of its sender's copy. */
export type Showing = { message_id: number } | { mail_id: number };

/** Records that this shows these files; what is recorded already stays as old as it is. */
export async function recordMessageFiles(hub: Hub, uid: number, by: Showing, hashes: readonly string[]): Promise<void> {
  if (hashes.length === 0) return;
  const rows = hashes.map((hash) => ({ uid, hash, message_id: 0, mail_id: 0, ...by }));
  await hub.db
    .insertInto("message_file")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** What shows these files of a channel, oldest first. */
export async function messagesWith(hub: Hub, uid: number, hashes: readonly string[]): Promise<MessageFile[]> {
  if (hashes.length === 0) return [];
  return hub.db
    .selectFrom("message_file")
    .selectAll()
    .where("uid", "=", uid)
    .where((x) => isOneOf(hub.engine, x.ref("hash"), hashes))
    .orderBy("id")
    .execute();
}

/** What these messages show. */
export async function filesOfMessages(hub: Hub, messages: readonly number[]): Promise<MessageFile[]> {
  return hub.db
    .selectFrom("message_file")
    .selectAll()
    .where(isOneOf(hub.engine, sql.ref("message_id"), messages))
    .execute();
}

/** What this mail shows. */
export async function filesOfMail(hub: Hub, mailId: number): Promise<MessageFile[]> {
  return hub.db.selectFrom("message_file").selectAll().where("mail_id", "=", mailId).execute();
}

/** These are not shown there any more. */
export async function forgetMessageFiles(hub: Hub, rows: readonly MessageFile[]): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await hub.db
    .deleteFrom("message_file")
    .where(isOneOf(hub.engine, sql.ref("id"), ids))
    .execute();
}

/** From now on these files of a channel have the audience that they have, whatever shows them. */
export async function keepAudience(hub: Hub, uid: number, hashes: readonly string[]): Promise<void> {
  if (hashes.length === 0) return;
  await hub.db
    .deleteFrom("message_file")
    .where("uid", "=", uid)
    .where((x) => isOneOf(hub.engine, x.ref("hash"), hashes))
    .execute();
}
