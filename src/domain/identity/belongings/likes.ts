import type { Selectable } from "kysely";
import type { Hub } from "../../../hub.ts";
import { inTransaction } from "../../../hub.ts";
import type { LikesTable } from "../../../storage/tables/records.ts";
import type { Channel } from "../channels/channel.ts";
import { flagIn, textIn } from "../records/portable-fields.ts";
import type { PortableRecord, Taken } from "../records/portable-fields.ts";

/** A like of the profile or of a thing; only exports and imports carry it. */
export type Like = Selectable<LikesTable>;

/** The likes of a channel's profile and things by id. */
export async function listLikes(hub: Hub, uid: number): Promise<Like[]> {
  return hub.db.selectFrom("likes").selectAll().where("channel_id", "=", uid).orderBy("id").execute();
}

/**
 * Takes a like over from an export: one that is known is skipped, one marked `deleted` is removed (native contract 7.5,
 * step 8). Its item is known by `i_mid` alone, because ids of the other hub mean nothing here.
 */
export async function importLike(hub: Hub, channel: Channel, record: PortableRecord): Promise<Taken> {
  const like = {
    channel_id: channel.channel_id,
    liker: textIn(record, "liker"),
    likee: textIn(record, "likee"),
    i_mid: textIn(record, "i_mid"),
    verb: textIn(record, "verb"),
    target_type: textIn(record, "target_type"),
    target_id: textIn(record, "target_id"),
  };
  if (like.liker === "" || like.verb === "") return "unreadable";
  return inTransaction(hub, async (hub) => {
    const known = await hub.db
      .selectFrom("likes")
      .select("id")
      .where((eb) => eb.and(like))
      .executeTakeFirst();
    const isGone = flagIn(record, "deleted") === 1;
    if (isGone === !known) return "there";
    if (known) await hub.db.deleteFrom("likes").where("id", "=", known.id).execute();
    else {
      await hub.db
        .insertInto("likes")
        .values({ ...like, target: textIn(record, "target") })
        .execute();
    }
    return "imported";
  });
}
