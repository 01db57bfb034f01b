import { sql } from "kysely";
import type { SqlBool } from "kysely";
import { momentIn } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { compiled } from "../../storage/compiled-query.ts";
import { asFlag, isOneOf } from "../../storage/sql.ts";
import { comparableId } from "../identity/xchans/foreign-ids.ts";
import { wasOpen } from "../permissions/allowed.ts";

/** What something was before it was deleted, in words of the domain. */
export type DeletedKind = "article" | "event" | "note" | "question";

/** What a row of `message` is, to be remembered as that. */
export const deletedKind = sql<DeletedKind>`case when message.resource_type = 'event' then 'event'
  when message.item_consensus = 1 or message.obj_type = 'Question' then 'question'
  when message.title <> '' then 'article' else 'note' end`;

/**
 * Could anybody see this message by a `channel`? Its row of `item` is public where all look for it, on a wall of this hub or in a
 * thread of elsewhere, and strangers may read there.
 */
const wasPublic = sql<SqlBool>`exists (select 1 from item where item.message_id = message.id and item.item_normal = 1
  and item.item_notshown = 0 and item.item_private = 0 and (item.item_wall = 1 or (item.uid = channel.channel_id
    and exists (select 1 from actor where actor.xchan_id = item.owner_id)))
  and ${wasOpen("view_stream", sql.ref("item.uid"))})`;

const keptElsewhere = 2 * 365 * 24 * 3600 * 1000;

/**
 * Remembers that something which people of this hub wrote is gone: part of the transaction that empties it, and before that.
 * Tombstones go after a while, and whoever asks for an id later still learns that it is gone (federation contract 3.1).
 */
export async function rememberDeleted(hub: Hub, messages: readonly number[], moment: string): Promise<void> {
  await hub.db
    .insertInto("deleted_id")
    .columns(["id", "kind", "deleted", "was_public"])
    .expression(({ selectFrom }) =>
      selectFrom("message")
        .innerJoin("xchan", "xchan.xchan_id", "message.author_id")
        .innerJoin("channel", "channel.channel_hash", "xchan.xchan_hash")
        .select([
          sql<string>`${`${hub.config.baseUrl}/item/`} || message.uuid`.as("id"),
          deletedKind.as("kind"),
          sql<string>`${moment}`.as("deleted"),
          asFlag(wasPublic).as("was_public"),
        ])
        .where(isOneOf(hub.engine, sql.ref("message.id"), messages)),
    )
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}

/** What stood at this id of the hub, if it is deleted and anybody could see it. */
export async function findDeleted(hub: Hub, id: string): Promise<{ kind: DeletedKind; deleted: string } | undefined> {
  return hub.db
    .selectFrom("deleted_id")
    .select(["kind", "deleted"])
    .where("id", "=", id)
    .where("was_public", "=", sql.lit(1))
    .executeTakeFirst();
}

/**
 * What stood at the id of this message until the channel that wrote it was removed, if anybody could see it (federation contract
 * 18.2).
 */
export async function findLeftBehind(
  hub: Hub,
  uuid: string,
): Promise<{ kind: DeletedKind; deleted: string } | undefined> {
  return hub.db
    .selectFrom("message")
    .innerJoin("xchan", "xchan.xchan_id", "message.author_id")
    .innerJoin("channel", "channel.channel_hash", "xchan.xchan_hash")
    .select([deletedKind.as("kind"), "channel_deleted as deleted"])
    .where("message.uuid", "=", uuid)
    .where("channel_removed", "=", 1)
    .where(wasPublic)
    .executeTakeFirst();
}

/**
 * Remembers that something of elsewhere is gone, whether it was known here or not: it is not stored again. Part of the transaction
 * that removes it.
 */
export async function rememberDeletedElsewhere(hub: Hub, id: string, moment: string): Promise<void> {
  await hub.db
    .insertInto("deleted_id")
    .values({ id: comparableId(id), kind: "note", deleted: moment, was_public: 0 })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}

/** Is what stood at this id deleted, here or elsewhere? */
export async function isDeleted(hub: Hub, id: string): Promise<boolean> {
  const [row] = await compiled(hub, "deleted id", { id: comparableId(id) }, (slots) =>
    hub.db.selectFrom("deleted_id").select("id").where("id", "=", slots.id),
  );
  return row !== undefined;
}

/** Those of these ids of which the same holds. */
export async function deletedAmong(hub: Hub, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await hub.db
    .selectFrom("deleted_id")
    .select("id")
    .where(isOneOf(hub.engine, sql.ref("id"), ids.map(comparableId)))
    .execute();
  const deleted = new Set(rows.map(({ id }) => id));
  return new Set(ids.filter((id) => deleted.has(comparableId(id))));
}

/** Forgets ids of elsewhere after two years; own ones stay for good. */
export async function trimDeletedIds(hub: Hub): Promise<void> {
  const own = `${hub.config.baseUrl}/`;
  await hub.db
    .deleteFrom("deleted_id")
    .where(sql`substr(id, 1, ${own.length})`, "<>", own)
    .where("deleted", "<", momentIn(hub, -keptElsewhere))
    .execute();
}
