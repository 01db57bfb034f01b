import { sql } from "kysely";
import type { UpdateQueryBuilder, UpdateResult } from "kysely";
import { missing } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import type { Tables } from "../../storage/tables/index.ts";
import { emitToChannels } from "../live/emit.ts";
import { areOfMails } from "./of-mails.ts";
import { noticeOf, selectAllNotices, selectNotices } from "./stored.ts";
import type { Notice } from "./stored.ts";

/** Marks one notice as seen, or as not seen, and answers it; throws missing for one of somebody else. */
export async function markSeen(hub: Hub, uid: number, id: number, seen = true): Promise<Notice> {
  await mark(hub, uid, (notices) => notices.where("id", "=", id), seen);
  return ownNotice(selectNotices(hub), uid, id);
}

async function ownNotice(notices: ReturnType<typeof selectNotices>, uid: number, id: number): Promise<Notice> {
  const row = await notices.where("notify.id", "=", id).where("notify.uid", "=", uid).executeTakeFirst();
  if (!row) throw missing("Notice");
  return noticeOf(row);
}

/** Marks a notice of the channel and those that stand with it (groups.ts) as seen, or as not seen. */
export async function markGroupSeen(hub: Hub, uid: number, id: number, seen = true): Promise<Notice> {
  const own = hub.db.selectFrom("notify as one").where("one.id", "=", id).where("one.uid", "=", uid);
  await mark(
    hub,
    uid,
    (notices) => notices.where("listed", "=", 1).where("group_key", "in", own.select("one.group_key")),
    seen,
  );
  return ownNotice(selectAllNotices(hub), uid, id);
}

/** Marks everything as seen. */
export async function markAllSeen(hub: Hub, uid: number): Promise<void> {
  await mark(hub, uid, (notices) => notices.where("seen", "=", 0));
}

/** Marks what this person asked for as seen: it has been answered or withdrawn. */
export async function markRequestSeen(hub: Hub, uid: number, hash: string): Promise<void> {
  await markRequestsSeen(hub, [uid], hash);
}

/** The same for all of these channels. */
export async function markRequestsSeen(hub: Hub, uids: readonly number[], hash: string): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const asked = await hub.db
      .updateTable("notify")
      .set({ seen: 1 })
      .where(isOneOf(hub.engine, sql.ref("uid"), uids))
      .where("kind", "=", sql.lit("request"))
      .where("actor_id", "=", (eb) => eb.selectFrom("xchan").select("xchan_id").where("xchan_hash", "=", hash))
      .returning("uid")
      .execute();
    await emitToChannels(hub, "notices", [...new Set(asked.map(({ uid }) => uid))]);
  });
}

/** Marks notices up to this one as seen: somebody has read so far. */
export async function markSeenUpTo(hub: Hub, uid: number, id: number): Promise<void> {
  await mark(hub, uid, (notices) => notices.where("seen", "=", 0).where("id", "<=", id));
}

/** Marks the notices of these direct messages as seen: they have been read. */
export async function markMailsSeen(hub: Hub, uid: number, mails: readonly number[]): Promise<void> {
  if (mails.length > 0) await mark(hub, uid, (notices) => notices.where(areOfMails(hub, uid, mails)));
}

type Notices = UpdateQueryBuilder<Tables, "notify", "notify", UpdateResult>;

/** Marks notices of the channel; whoever listens hears that what waits for it has changed. */
async function mark(hub: Hub, uid: number, which: (all: Notices) => Notices, seen = true): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const all = hub.db
      .updateTable("notify")
      .set({ seen: seen ? 1 : 0 })
      .where("uid", "=", uid);
    const { numUpdatedRows } = await which(all).executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) await emitToChannels(hub, "notices", [uid]);
  });
}
