import { sql } from "kysely";
import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { addDeed } from "../../jobs/queue.ts";
import { isOneOf } from "../../storage/sql.ts";
import { findChannelByXchan } from "../identity/channels/channels.ts";
import { revokeForAnswers } from "./approvals.ts";
import { deletedKind } from "./deleted-ids.ts";
import { sharesPurely } from "./queries.ts";
import { haveLeft } from "./sent-to.ts";
import type { Item } from "./types.ts";
import { reactionOf } from "./vocabulary.ts";

/**
 * Whoever elsewhere got one of these messages hears that it is gone: part of the transaction that empties them, and before that,
 * because afterwards nothing is left to say it with (federation contract 4.3, 12.1). A reaction goes without a word where what
 * it was about goes along.
 */
export async function withdrawElsewhere(hub: Hub, messages: readonly number[], moment: string): Promise<void> {
  const going = new Set(messages);
  for (const { channel, person, approval } of await revokeForAnswers(hub, messages))
    await addDeed(hub, channel, { deed: "unquoted", person, approval });
  for (const left of await thatLeft(hub, messages)) {
    const { message, lane, author } = left;
    const wasPublic = left.isPublic === 1;
    const reaction = reactionOf(left.verb);
    if (reaction !== undefined && left.target !== null && going.has(left.target)) continue;
    if (author === null) {
      if (lane === null || left.thread === null) continue;
      await addDeed(hub, lane, { deed: "remove", message, object: left.mid, thread: left.thread, moment, wasPublic });
      continue;
    }
    const kind = reaction ?? (left.pure === 1 ? "share" : left.kind);
    const about = left.targetUuid === null ? (left.targetMid ?? "") : `${hub.config.baseUrl}/item/${left.targetUuid}`;
    await addDeed(hub, lane ?? author, {
      deed: "withdraw",
      message,
      uuid: left.uuid,
      author,
      moment,
      kind,
      about: kind === left.kind ? "" : about,
      wasPublic,
    });
  }
}

/** Whoever elsewhere has it from a forum hears that it stands there no more: what the forum takes back is not deleted. */
export async function withdrawFromForum(
  hub: Hub,
  { message_id, uid, mid, uuid, author_id, item_private, verb }: Item,
  { uuid: thread }: Pick<Item, "uuid">,
): Promise<void> {
  if (!(await haveLeft(hub, [message_id]))) return;
  const isHere = (await findChannelByXchan(hub, author_id)) !== undefined;
  const what = reactionOf(verb) === undefined ? "item" : "activity";
  const object = isHere ? `${hub.config.baseUrl}/${what}/${uuid}` : mid;
  const left = { message: message_id, object, thread, moment: now(hub), wasPublic: item_private === 0 };
  await addDeed(hub, uid, { deed: "remove", ...left });
}

/** Those that others elsewhere got: who wrote them, if somebody of this hub, on whose wall they stood, and what they were about. */
function thatLeft(hub: Hub, messages: readonly number[]) {
  return hub.db
    .selectFrom("message")
    .innerJoin("xchan", "xchan.xchan_id", "message.author_id")
    .leftJoin("channel", "channel.channel_hash", "xchan.xchan_hash")
    .leftJoin("message as about", (join) =>
      join.on(sql<boolean>`about.id = case when message.shared_id > 0 then message.shared_id
        else (select min(m.id) from message m where m.mid = message.thr_parent) end`),
    )
    .leftJoin("xchan as writer", "writer.xchan_id", "about.author_id")
    .leftJoin("channel as home", "home.channel_hash", "writer.xchan_hash")
    .select([
      "message.id as message",
      "message.mid",
      "message.uuid",
      "message.verb",
      "channel.channel_id as author",
      "about.id as target",
      "about.mid as targetMid",
      deletedKind.as("kind"),
      sql<string | null>`case when home.channel_id is null then null else about.uuid end`.as("targetUuid"),
      sql<number>`case when message.shared_id > 0 and ${sharesPurely()} then 1 else 0 end`.as("pure"),
      sql<number>`case when exists (select 1 from item i where i.message_id = message.id
        and (i.item_wall = 1 or i.item_origin = 1) and i.item_private = 0) then 1 else 0 end`.as("isPublic"),
      sql<number | null>`(select min(w.uid) from item w where w.message_id = message.id and w.item_wall = 1)`.as(
        "lane",
      ),
      sql<string | null>`(select min(t.uuid) from message t where t.mid = message.parent_mid and t.version >= 0)`.as(
        "thread",
      ),
    ])
    .where(isOneOf(hub.engine, sql.ref("message.id"), messages))
    .where(({ exists, selectFrom }) =>
      exists(selectFrom("sent_to").select("sent_to.inbox").whereRef("sent_to.message_id", "=", "message.id")),
    )
    .orderBy("message.id")
    .execute();
}
