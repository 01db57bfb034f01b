import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { addDeed } from "../../jobs/queue.ts";
import { isOneOf } from "../../storage/sql.ts";
import { deletedKind } from "./deleted-ids.ts";
import { sharesPurely } from "./queries.ts";
import { reactionOf } from "./vocabulary.ts";

/**
 * Whoever elsewhere got one of these messages hears that it is gone: part of the transaction that empties them, and before that,
 * because afterwards nothing is left to say it with (federation contract 4.3, 12.1). A reaction goes without a word where what
 * it was about goes along.
 */
export async function withdrawElsewhere(hub: Hub, messages: readonly number[], moment: string): Promise<void> {
  const left = await thatLeft(hub, messages);
  const going = new Set(messages);
  for (const { lane, verb, pure, target, targetUuid, targetMid, isPublic, ...message } of left) {
    const reaction = reactionOf(verb);
    if (reaction !== undefined && target !== null && going.has(target)) continue;
    const kind = reaction ?? (pure === 1 ? "share" : message.kind);
    const about = targetUuid === null ? targetMid : `${hub.config.baseUrl}/item/${targetUuid}`;
    const isSaid = reaction === undefined && pure === 0;
    await addDeed(hub, lane, {
      deed: "withdraw",
      ...message,
      kind,
      about: isSaid ? "" : (about ?? ""),
      moment,
      wasPublic: isPublic === 1,
    });
  }
}

/** Those that people of this hub wrote and others elsewhere got, with what a reaction or a share is about. */
function thatLeft(hub: Hub, messages: readonly number[]) {
  return hub.db
    .selectFrom("message")
    .innerJoin("xchan", "xchan.xchan_id", "message.author_id")
    .innerJoin("channel", "channel.channel_hash", "xchan.xchan_hash")
    .leftJoin("message as about", (join) =>
      join.on(sql<boolean>`about.id = case when message.shared_id > 0 then message.shared_id
        else (select min(m.id) from message m where m.mid = message.thr_parent) end`),
    )
    .leftJoin("xchan as writer", "writer.xchan_id", "about.author_id")
    .leftJoin("channel as home", "home.channel_hash", "writer.xchan_hash")
    .select([
      "message.id as message",
      "message.uuid",
      "message.verb",
      "channel.channel_id as author",
      "about.id as target",
      "about.mid as targetMid",
      deletedKind.as("kind"),
      sql<string | null>`case when home.channel_id is null then null else about.uuid end`.as("targetUuid"),
      sql<number>`case when message.shared_id > 0 and ${sharesPurely()} then 1 else 0 end`.as("pure"),
      sql<number>`case when exists (select 1 from item i where i.message_id = message.id and i.item_origin = 1
        and i.item_private = 0) then 1 else 0 end`.as("isPublic"),
      sql<number>`coalesce((select min(w.uid) from item w where w.message_id = message.id and w.item_wall = 1),
        channel.channel_id)`.as("lane"),
    ])
    .where(isOneOf(hub.engine, sql.ref("message.id"), messages))
    .where(({ exists, selectFrom }) =>
      exists(selectFrom("sent_to").select("sent_to.inbox").whereRef("sent_to.message_id", "=", "message.id")),
    )
    .orderBy("message.id")
    .execute();
}
