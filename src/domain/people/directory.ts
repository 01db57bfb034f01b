import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";
import { cutPage } from "../../storage/key-page.ts";
import { contains, folded, inOrder } from "../../storage/sql.ts";
import { mayAuthenticate } from "../identity/accounts/accounts.ts";
import type { Observer } from "../identity/channels/observer.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";
import { allowed } from "../permissions/allowed.ts";

export type DirectoryEntry = Pick<
  Xchan,
  "xchan_id" | "xchan_hash" | "xchan_name" | "xchan_addr" | "xchan_url" | "xchan_photo_m" | "xchan_pubforum"
> & { channel_id: number };

/** In which order the directory stands: the newest channels first, by name, or who has posted last first. */
export const directoryOrders = ["newest", "name", "active"] as const;
export type DirectoryOrder = (typeof directoryOrders)[number];

export type DirectoryQuery = {
  /** What the name, the nick or an interest of the public profile has in it; empty for everybody. */
  search?: string;
  order?: DirectoryOrder;
  /** The last page's `next`. */
  before?: number | undefined;
  /** For programs that count what they have seen. */
  skip?: number;
  count: number;
};

/** Channels of this hub that do not hide and whose account is in order. */
export async function listDirectory(
  hub: Hub,
  observer: Observer,
  { search = "", order = "newest", before, skip = 0, count }: DirectoryQuery,
): Promise<{ entries: DirectoryEntry[]; next: number | undefined }> {
  let query = hub.db
    .selectFrom("channel")
    .innerJoin("xchan", "xchan_hash", "channel_hash")
    .select(["channel_id", "xchan_id", "xchan_hash", "xchan_name", "xchan_addr", "xchan_url", "xchan_photo_m"])
    .select("xchan_pubforum")
    .innerJoin("account", "account_id", "channel_account_id")
    .where(mayAuthenticate(hub))
    .where("channel_removed", "=", sql.lit(0))
    .where("xchan_hidden", "=", 0)
    .where("xchan_censored", "=", 0);
  if (search.trim() !== "") query = query.where(isAbout(hub, observer, search.trim().slice(0, 100)));
  if (before !== undefined) query = query.where(after(hub, order, before));
  if (order === "name") query = query.orderBy(inOrder(hub.engine, sql.ref("xchan_name"))).orderBy("channel_id");
  else if (order === "active") query = query.orderBy("channel_lastpost", "desc").orderBy("channel_id", "desc");
  else query = query.orderBy("channel_id", "desc");
  const rows = await query
    .limit(count + 1)
    .offset(skip)
    .execute();
  const { page: entries, next } = cutPage(rows, count, (row) => row.channel_id);
  return { entries, next };
}

/** What comes after this channel. */
function after({ engine }: Hub, order: DirectoryOrder, before: number): RawBuilder<SqlBool> {
  if (order === "newest") return sql<SqlBool>`channel_id < ${before}`;
  const last = (column: RawBuilder<unknown>) =>
    sql`(select ${column}, b.channel_id from channel b join xchan bx on bx.xchan_hash = b.channel_hash
      where b.channel_id = ${before})`;
  return order === "name"
    ? sql<SqlBool>`(${inOrder(engine, sql.ref("xchan_name"))}, channel_id) > ${last(inOrder(engine, sql.ref("bx.xchan_name")))}`
    : sql<SqlBool>`(channel_lastpost, channel_id) < ${last(sql`b.channel_lastpost`)}`;
}

/** Interests are those of the profile that everybody sees, for those who may see it. */
function isAbout(hub: Hub, observer: Observer, search: string): RawBuilder<SqlBool> {
  const needle = sql`${search.replace(/^[@#]/, "").toLowerCase()}`;
  const has = (text: RawBuilder<unknown>) => contains(hub.engine, folded(hub.engine, text), needle);
  return sql<SqlBool>`(${has(sql`channel_address || ' ' || xchan_name`)}
    or (exists (select 1 from profile p where p.uid = channel.channel_id and p.is_default = 1 and ${has(sql`p.keywords`)})
      and ${allowed(observer, "view_profile", sql.ref<number>("channel.channel_id"))}))`;
}
