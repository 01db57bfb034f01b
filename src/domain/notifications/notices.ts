import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { compiled } from "../../storage/compiled-query.ts";
import { bigLimit } from "../../storage/sql.ts";
import { noticeOf, selectNotices } from "./stored.ts";
import type { Notice } from "./stored.ts";

/** The notices of a channel: unseen ones first, then newest first. */
export async function listNotices(hub: Hub, uid: number, limit = 50): Promise<Notice[]> {
  const unseen = await page(hub, uid, 0, limit);
  const seen = unseen.length < limit ? await page(hub, uid, 1, limit - unseen.length) : [];
  return [...unseen, ...seen];
}

async function page(hub: Hub, uid: number, seen: 0 | 1, limit: number): Promise<Notice[]> {
  const rows = await compiled(hub, "notices", { uid, seen, limit }, (slots) =>
    selectNotices(hub)
      .where("notify.uid", "=", slots.uid)
      .where("notify.seen", "=", slots.seen)
      .orderBy("notify.created", "desc")
      .orderBy("notify.id", "desc")
      .limit(bigLimit(hub.engine, slots.limit)),
  );
  return rows.map(noticeOf);
}

/** Of what waits for somebody no more is counted: the pages say "99+". */
export const mostWaiting = 100;

/** How many notices the channel has not looked at, up to `mostWaiting`. */
export async function countUnseen(hub: Hub, uid: number): Promise<number> {
  const [found] = await compiled(hub, "count unseen notices", { uid }, (slots) => {
    const unseen = hub.db
      .selectFrom("notify")
      .select("id")
      .where("uid", "=", slots.uid)
      .where("seen", "=", sql.lit(0))
      .limit(sql.lit(mostWaiting));
    return hub.db.selectFrom(unseen.as("unseen")).select((eb) => eb.fn.countAll<number>().as("count"));
  });
  return Number(found!.count);
}
