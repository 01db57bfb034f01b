import { sql } from "kysely";
import { inTransaction, momentIn, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { addDeed } from "../../jobs/queue.ts";
import { zeroDate } from "../../storage/sql.ts";
import { senderOfDeed } from "../delivery/outgoing.ts";
import { changeRow, findRow } from "./rows.ts";
import { follows } from "./follows.ts";
import type { Elsewhere } from "./follows.ts";

/** What gets lost between hubs is said once more (federation contract 1.5). */

export const daysUntilAskedAgain = 7;

/** So many days from now, in the stored form. */
export function inDays(hub: Hub, days: number): string {
  return momentIn(hub, days * 24 * 3600 * 1000);
}

const together = 100;

/** Sends follows once more that nobody has answered for a week; then they wait until their owner takes them back. A regular job. */
export async function askAgain(hub: Hub): Promise<void> {
  while ((await askSome(hub)) === together);
}

async function askSome(hub: Hub): Promise<number> {
  return inTransaction(hub, async (hub) => {
    const rows = await hub.db
      .selectFrom("abook")
      .select(["abook_channel", "abook_xchan", "follow_out", "follow_out_id"])
      .where("follow_out_again", ">", sql.lit(zeroDate))
      .where("follow_out_again", "<=", now(hub))
      .limit(together)
      .execute();
    for (const { abook_channel: uid, abook_xchan: person, follow_out, follow_out_id: follow } of rows) {
      await changeRow(hub, uid, person, { follow_out_again: zeroDate });
      if (follow_out === "requested") await addDeed(hub, uid, { deed: "follow", follow, person, stamp: "again" });
    }
    return rows.length;
  });
}

/**
 * Somebody accepts a follow that was taken back: they are told so again, once a day at most. Answers whether it is one of this hub.
 */
export async function undoAgain(hub: Hub, from: Elsewhere, id: string): Promise<boolean> {
  const sender = await senderOfDeed(hub, `follow ${id}`);
  if (sender === undefined) return false;
  const row = await findRow(hub, sender, from.xchan_hash);
  // What they accept twice is no reason.
  if (row && follows(row) && row.follow_out_id === id) return true;
  const stamp = now(hub).slice(0, 10);
  await addDeed(hub, sender, { deed: "unfollow", follow: id, person: from.xchan_hash, stamp });
  return true;
}
