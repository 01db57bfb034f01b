import { sql } from "kysely";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import { onlyFor } from "../audience.ts";
import { no, yes } from "../queries.ts";
import { planEndOfShares } from "../tombstones.ts";

/**
 * Whoever has it keeps it, and nobody else sees it by their copies any more, or by what shares it; with `uids` by those of these
 * channels. An answer stays on the wall of the thread's owner, for them alone. Part of a transaction.
 */
export async function closeCopies(hub: Hub, messageId: number, uids?: readonly number[]): Promise<void> {
  await planEndOfShares(hub, [messageId]);
  const open = hub.db
    .updateTable("item")
    .where("message_id", "=", messageId)
    .where("item_private", "=", no)
    .$if(uids !== undefined, (all) => all.where(isOneOf(hub.engine, sql.ref("uid"), uids ?? [])));
  await open.set({ item_private: 1 }).where("item_wall", "=", no).execute();
  const answers = open.where("item_wall", "=", yes).where("item_thread_top", "=", no);
  const owners = await hub.db
    .selectFrom("item")
    .innerJoin("channel", "channel.channel_id", "item.uid")
    .select(["item.uid", "channel.channel_hash"])
    .where("message_id", "=", messageId)
    .where("item_wall", "=", yes)
    .execute();
  for (const { uid, channel_hash } of owners) await answers.set(onlyFor(channel_hash)).where("uid", "=", uid).execute();
}
