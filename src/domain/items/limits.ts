import type { Hub } from "../../hub.ts";

/** The settings of a channel that shape its new items. */
export type PostingLimits = {
  view_stream: number;
  post_comments: number;
  keepsLists: boolean;
  /** The author wants no text twice within two minutes. */
  refusesRepeats: boolean;
};

/**
 * Reads them in one query; a limit that is not set counts as 0 (native contract 3.2). On another's wall the limits are
 * that channel's; what the author wants of its own posts stays the author's.
 */
export async function limitsOf(hub: Hub, uid: number, author = uid): Promise<PostingLimits> {
  const rows = await hub.db
    .selectFrom("config")
    .select(["cat", "k", "v"])
    .where((x) =>
      x.or([
        x.and([x("uid", "=", uid), x("cat", "=", "perm_limits"), x("k", "in", ["view_stream", "post_comments"])]),
        x.and([x("uid", "=", uid), x("cat", "=", "system"), x("k", "=", "no_private_mention_acl_override")]),
        x.and([x("uid", "=", author), x("cat", "=", "feature"), x("k", "=", "suppress_duplicates")]),
      ]),
    )
    .execute();
  const values = new Map(rows.map((row) => [row.k, row.v]));
  return {
    view_stream: Number(values.get("view_stream") ?? 0),
    post_comments: Number(values.get("post_comments") ?? 0),
    keepsLists: values.get("no_private_mention_acl_override") === "1",
    refusesRepeats: values.get("suppress_duplicates") === "1",
  };
}
