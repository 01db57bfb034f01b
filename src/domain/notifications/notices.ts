import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Insertable } from "kysely";
import { missing } from "../../errors.ts";
import { inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { removeInSteps } from "../../storage/in-steps.ts";
import { isOneOf, sqlDate } from "../../storage/sql.ts";
import type { NotifyTable } from "../../storage/tables/items.ts";
import { layOutSentence } from "../bodies/texts.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";
import { laidOut } from "./laid-out.ts";
import type { LaidOutNotice, Notice } from "./laid-out.ts";

export type { Notice } from "./laid-out.ts";

/** The bits of a notice's type. */
export const noticeTypes = {
  introduction: 1,
  confirmed: 2,
  wall: 4,
  comment: 8,
  mail: 16,
  suggestion: 32,
  profile: 64,
  mention: 128,
  tag: 256,
  poke: 512,
  reaction: 1024,
  system: 32_768,
} as const;

export type NewNotice = {
  to: { channel_id: number; channel_account_id: number };
  from: Pick<Xchan, "xchan_hash" | "xchan_name" | "xchan_url" | "xchan_photo_s">;
  type: number;
  link: string;
  verb: string;
  otype: string;
  /** A bbcode sentence. */
  msg: string;
  /** Mid of the thread top. */
  parent?: string | undefined;
  /** The recipient's copy of the item. */
  itemId?: number | undefined;
};

/**
 * Tells a channel what somebody else did; its own actions are never told. A further comment with the same link
 * renews the notice of the earlier one (native contract 2.16).
 */
export async function notify(hub: Hub, notice: NewNotice): Promise<void> {
  await inTransaction(hub, async (hub) => {
    if (await isOwnAction(hub, notice)) return;
    const row = await rowOf(hub, notice);
    if (notice.type === noticeTypes.comment && (await renew(hub, row))) return;
    await hub.db.insertInto("notify").values(row).execute();
  });
}

/** The notices of a channel: unseen ones first, then newest first. */
export async function listNotices(hub: Hub, uid: number, limit = 50): Promise<LaidOutNotice[]> {
  const unseen = await page(hub, uid, 0, limit);
  const seen = unseen.length < limit ? await page(hub, uid, 1, limit - unseen.length) : [];
  return laidOut(hub, [...unseen, ...seen]);
}

/** Of what waits for somebody no more is counted: the pages say "99+". */
export const mostWaiting = 100;

/** How many notices the channel has not looked at, up to `mostWaiting`. */
export async function countUnseen(hub: Hub, uid: number): Promise<number> {
  const unseen = hub.db
    .selectFrom("notify")
    .select("id")
    .where("uid", "=", uid)
    .where("seen", "=", 0)
    .limit(sql.lit(mostWaiting));
  const { count } = await hub.db
    .selectFrom(unseen.as("unseen"))
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Marks one notice as seen, or as not seen, and answers it; throws missing for one of somebody else. */
export async function markSeen(hub: Hub, uid: number, id: number, seen = true): Promise<Notice> {
  const notice = await hub.db
    .updateTable("notify")
    .set({ seen: seen ? 1 : 0 })
    .where("id", "=", id)
    .where("uid", "=", uid)
    .returningAll()
    .executeTakeFirst();
  if (!notice) throw missing("Notice");
  return notice;
}

/** Marks everything as seen. */
export async function markAllSeen(hub: Hub, uid: number): Promise<void> {
  await hub.db.updateTable("notify").set({ seen: 1 }).where("uid", "=", uid).where("seen", "=", 0).execute();
}

/** Marks what this person did, and what led there, as seen. */
export async function markSeenFrom(hub: Hub, uid: number, hash: string, link: string): Promise<void> {
  await hub.db
    .updateTable("notify")
    .set({ seen: 1 })
    .where("uid", "=", uid)
    .where("link", "=", link)
    .where("url", "=", (eb) => eb.selectFrom("xchan").select("xchan_url").where("xchan_hash", "=", hash))
    .execute();
}

/** Marks notices with these links as seen: what they are about has been looked at. */
export async function markSeenByLink(hub: Hub, uid: number, links: readonly string[]): Promise<void> {
  if (links.length === 0) return;
  await hub.db
    .updateTable("notify")
    .set({ seen: 1 })
    .where("uid", "=", uid)
    .where(isOneOf(hub.engine, sql.ref("link"), links))
    .execute();
}

/** Removes notices with these links: what they are about is gone. */
export async function dropNoticesOf(hub: Hub, uid: number, links: readonly string[]): Promise<void> {
  if (links.length === 0) return;
  await hub.db
    .deleteFrom("notify")
    .where("uid", "=", uid)
    .where(isOneOf(hub.engine, sql.ref("link"), links))
    .execute();
}

/** Removes notices about these items of channels: what nobody sees, no notice tells of. */
export async function dropNoticesAbout(hub: Hub, itemIds: readonly number[]): Promise<void> {
  if (itemIds.length === 0) return;
  await hub.db
    .deleteFrom("notify")
    .where(isOneOf(hub.engine, sql.ref("item_id"), itemIds))
    .where("item_id", ">", sql.lit(0))
    .execute();
}

/** Removes what all who have a copy of the message were told of one deed of somebody. */
export async function dropNoticesOfDeed(
  hub: Hub,
  messageId: number,
  deed: { link: string; verb: string; url: string },
): Promise<void> {
  await hub.db
    .deleteFrom("notify")
    .where("uid", "in", hub.db.selectFrom("item").select("uid").where("message_id", "=", messageId))
    .where("link", "=", deed.link)
    .where("ntype", "=", noticeTypes.reaction)
    .where("verb", "=", deed.verb)
    .where("url", "=", deed.url)
    .execute();
}

/** Takes a notice over as it was elsewhere. */
export async function restoreNotice(hub: Hub, notice: Insertable<NotifyTable>): Promise<void> {
  await hub.db.insertInto("notify").values(notice).execute();
}

const keptFor = 90 * 24 * 3600 * 1000;

/** Removes seen notices of more than 90 days ago; a scheduled job does this, so that the table does not grow for ever. */
export async function trimNotices(hub: Hub): Promise<void> {
  const oldest = sqlDate(new Date(hub.clock().getTime() - keptFor));
  const old = hub.db.selectFrom("notify").select("id").where("seen", "=", 1).where("created", "<", oldest);
  await removeInSteps((most) => hub.db.deleteFrom("notify").where("id", "in", old.limit(most)).executeTakeFirst());
}

async function isOwnAction(hub: Hub, { to, from }: NewNotice): Promise<boolean> {
  const own = await hub.db
    .selectFrom("channel")
    .select("channel_id")
    .where("channel_id", "=", to.channel_id)
    .where("channel_hash", "=", from.xchan_hash)
    .executeTakeFirst();
  return own !== undefined;
}

type Row = Insertable<NotifyTable>;

async function rowOf(hub: Hub, { to, from, type, parent = "", itemId = 0, ...notice }: NewNotice): Promise<Row> {
  const { html, plain } = await layOutSentence(hub, notice.msg);
  return {
    hash: randomBytes(32).toString("hex"),
    xname: from.xchan_name,
    url: from.xchan_url,
    photo: from.xchan_photo_s,
    created: now(hub),
    msg: notice.msg,
    html,
    plain,
    aid: to.channel_account_id,
    uid: to.channel_id,
    link: notice.link,
    parent,
    seen: 0,
    ntype: type,
    verb: notice.verb,
    otype: notice.otype,
    item_id: itemId,
  };
}

async function renew(hub: Hub, notice: Row): Promise<boolean> {
  const { hash: _, ...row } = notice;
  const { numUpdatedRows } = await hub.db
    .updateTable("notify")
    .set(row)
    .where("uid", "=", row.uid)
    .where("link", "=", row.link)
    .where("ntype", "=", row.ntype)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

async function page(hub: Hub, uid: number, seen: 0 | 1, limit: number): Promise<Notice[]> {
  return hub.db
    .selectFrom("notify")
    .selectAll()
    .where("uid", "=", uid)
    .where("seen", "=", seen)
    .orderBy("created", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}
