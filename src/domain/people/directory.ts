import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { mayAuthenticate } from "../identity/accounts/accounts.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";
import { cutPage } from "../../storage/key-page.ts";

export type DirectoryEntry = Pick<
  Xchan,
  "xchan_id" | "xchan_hash" | "xchan_name" | "xchan_addr" | "xchan_url" | "xchan_photo_m" | "xchan_pubforum"
> & { channel_id: number };

/**
 * Channels of this hub that do not hide and whose account is in order, the newest first; `before` is the last page's
 * `next`.
 */
export async function listDirectory(
  hub: Hub,
  page: { before?: number | undefined; count: number },
): Promise<{ entries: DirectoryEntry[]; next: number | undefined }> {
  let query = hub.db
    .selectFrom("channel")
    .innerJoin("xchan", "xchan_hash", "channel_hash")
    .select(["channel_id", "xchan_id", "xchan_hash", "xchan_name", "xchan_addr", "xchan_url", "xchan_photo_m"])
    .select("xchan_pubforum")
    .innerJoin("account", "account_id", "channel_account_id")
    .where(mayAuthenticate(hub))
    .where("channel_removed", "=", sql.lit(0))
    .where("xchan_hidden", "=", 0);
  if (page.before !== undefined) query = query.where("channel_id", "<", page.before);
  const rows = await query
    .orderBy("channel_id", "desc")
    .limit(page.count + 1)
    .execute();
  const { page: entries, next } = cutPage(rows, page.count, (row) => row.channel_id);
  return { entries, next };
}
