import { sql } from "kysely";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { anyCopyOf } from "../find.ts";
import { sharesPurely } from "../queries.ts";
import { tombstoneMessages } from "../tombstones.ts";
import { deleteForAll } from "./delete.ts";

/** How many shares one look finds: each is deleted in a transaction of its own. */
const together = 50;

/**
 * Deletes what repeats a message that is deleted, and adds nothing to it: its words go with it. What others said below a share goes
 * as well, and those elsewhere who got it hear that it is taken back. A job; may run twice.
 */
export async function endShares(hub: Hub, messageId: number): Promise<void> {
  let shares: number[];
  do {
    const rows = await hub.db
      .selectFrom("message")
      .select("id")
      .where("shared_id", "=", messageId)
      .where("shared_id", ">", sql.lit(0))
      .where(sharesPurely())
      .limit(together)
      .execute();
    shares = rows.map(({ id }) => id);
    for (const share of shares) await inTransaction(hub, (hub) => endShare(hub, share));
  } while (shares.length === together);
}

async function endShare(hub: Hub, share: number): Promise<void> {
  const copy = await anyCopyOf(hub, share);
  await (copy ? deleteForAll(hub, copy) : tombstoneMessages(hub, [share]));
}
