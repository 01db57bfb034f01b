import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import { siteChannelId } from "../../identity/channels/site-actor.ts";
import { joinText, keepText } from "../kept-text.ts";
import { dropUnused } from "../posting/trim.ts";
import { no, yes } from "../queries.ts";
import { channelsFollowing } from "./readers.ts";
import type { Whole } from "./whole.ts";

/**
 * What its author elsewhere said to many is for some from now on: whoever has it and is none of them keeps it as it was, for themselves,
 * since what is new is not for them (decision 188). Part of the transaction that is about to change it.
 */
export async function keepFromLeftOut(hub: Hub, messageId: number, whole: Whole): Promise<void> {
  if (whole.audience.isPublic) return;
  const left = await tops(hub, whole)
    .select("uid")
    .where("message_id", "=", messageId)
    // Nobody reads the copy of the site any more, which is of what is public.
    .where("uid", "!=", await siteChannelId(hub))
    .where((x) => x.not(isMeant(hub, whole)))
    .orderBy("uid")
    .execute();
  if (left.length === 0) return;
  const uids = left.map(({ uid }) => uid);
  await hub.db
    .updateTable("item")
    .set({ item_private: 1 })
    .where("message_id", "=", messageId)
    .where(isOneOf(hub.engine, sql.ref("uid"), uids))
    .execute();
  await keepText(hub, messageId, uids);
}

/** Whoever keeps a former version and is meant by this one has it as it is. Part of the transaction that has changed it. */
export async function joinMeant(hub: Hub, messageId: number, whole: Whole): Promise<void> {
  const { post, audience } = whole;
  const keeping = tops(hub, whole)
    .innerJoin("message", "message.id", "item.message_id")
    .select(["message.id", "uid"])
    .where("mid", "=", post.mid)
    .where("message.author_id", "=", post.author.xchan_id)
    .where("message.version", "<", sql.lit(0));
  const rows = await (audience.isPublic ? keeping : keeping.where(isMeant(hub, whole))).execute();
  if (rows.length === 0) return;
  const kept = [...new Set(rows.map(({ id }) => id))];
  await joinText(hub, { kept, text: messageId, uids: rows.map(({ uid }) => uid) });
  await dropUnused(hub, kept);
}

/** The copies that people have by the word of the author: not from a group, nor on a wall of their own. */
function tops(hub: Hub, { post }: Whole) {
  return hub.db
    .selectFrom("item")
    .where("item_thread_top", "=", yes)
    .where("item_deleted", "=", no)
    .where("owner_id", "=", post.author.xchan_id)
    .where("item_wall", "=", no);
}

/** Is whoever has the item named, or do they follow the author where it is for these? */
function isMeant(hub: Hub, { post, audience }: Whole): RawBuilder<SqlBool> {
  const isNamed = isOneOf(hub.engine, sql.ref("item.uid"), [...audience.named]);
  return audience.followers
    ? sql<SqlBool>`(${isNamed} or item.uid in ${channelsFollowing(hub, post.author)})`
    : isNamed;
}
