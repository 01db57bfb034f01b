import type { Selectable } from "kysely";
import type { LikesTable } from "../../storage/tables/records.ts";

/** A like of the profile or of a thing. */
export function likeRecord(like: Selectable<LikesTable>): Record<string, string> {
  return {
    id: String(like.id),
    channel_id: String(like.channel_id),
    liker: like.liker,
    likee: like.likee,
    iid: String(like.iid),
    i_mid: like.i_mid,
    verb: like.verb,
    target_type: like.target_type,
    target_id: like.target_id,
    target: like.target,
  };
}
