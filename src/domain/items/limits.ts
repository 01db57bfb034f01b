import type { Hub } from "../../hub.ts";

/** The settings of a channel that shape its new items. */
export type PostingLimits = { view_stream: number; post_comments: number; keepsLists: boolean };

/** Reads them in one query; a limit that is not set counts as 0 (native contract 3.2). */
export async function limitsOf(hub: Hub, uid: number): Promise<PostingLimits> {
  const rows = await hub.db
    .selectFrom("config")
    .select(["cat", "k", "v"])
    .where("uid", "=", uid)
    .where((x) =>
      x.or([
        x.and([x("cat", "=", "perm_limits"), x("k", "in", ["view_stream", "post_comments"])]),
        x.and([x("cat", "=", "system"), x("k", "=", "no_private_mention_acl_override")]),
      ]),
    )
    .execute();
  const values = new Map(rows.map((row) => [row.k, row.v]));
  return {
    view_stream: Number(values.get("view_stream") ?? 0),
    post_comments: Number(values.get("post_comments") ?? 0),
    keepsLists: values.get("no_private_mention_acl_override") === "1",
  };
}
