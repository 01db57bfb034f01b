import { refusal } from "../../errors.ts";
import { momentIn, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import type { Channel } from "../identity/channels/channel.ts";

/** Which files were uploaded for a post that is still being written, and how long they wait for it. */

const usualWait = 24 * 3600 * 1000;
const most = 200;

/** Records that no post uses this file yet. Throws denied when too many of the channel wait; inside a transaction under the lock of its files. */
export async function recordUnattached(hub: Hub, { channel_id: uid }: Channel, hash: string): Promise<void> {
  const { count } = await hub.db
    .selectFrom("unattached")
    .select((x) => x.fn.countAll<number>().as("count"))
    .where("uid", "=", uid)
    .executeTakeFirstOrThrow();
  if (Number(count) >= most) throw refusal("uploads_unused", { most });
  await hub.db
    .insertInto("unattached")
    .values({ uid, hash, kept_until: momentIn(hub, usualWait) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** These files of the channel are used, or their owner has done something else with them: nothing trims them any more. */
export async function recordAttached(hub: Hub, uid: number, hashes: readonly string[]): Promise<void> {
  if (hashes.length === 0) return;
  await hub.db
    .deleteFrom("unattached")
    .where("uid", "=", uid)
    .where((x) => isOneOf(hub.engine, x.ref("hash"), hashes))
    .execute();
}

/** Those of these media of the channel that wait do so for this time at least, from now on. */
export async function keepLonger(hub: Hub, uid: number, ids: readonly number[], seconds: number): Promise<void> {
  if (ids.length === 0) return;
  const kept_until = momentIn(hub, seconds * 1000);
  await hub.db
    .updateTable("unattached")
    .set({ kept_until })
    .where("uid", "=", uid)
    .where("hash", "in", (x) =>
      x
        .selectFrom("attach")
        .select("attach.hash")
        .where((file) => isOneOf(hub.engine, file.ref("attach.id"), ids)),
    )
    .where("kept_until", "<", kept_until)
    .execute();
}

/** Which files have waited long enough, at most so many. */
export async function waitedLongEnough(hub: Hub, count: number): Promise<{ uid: number; hash: string }[]> {
  return hub.db
    .selectFrom("unattached")
    .select(["uid", "hash"])
    .where("kept_until", "<", now(hub))
    .orderBy("kept_until")
    .limit(count)
    .execute();
}

/** Ends the waiting of a file that is to go, `over` only when it has waited long enough; false where a post has taken it meanwhile. */
export async function endWaiting(hub: Hub, uid: number, hash: string, when: "whenever" | "over"): Promise<boolean> {
  let waiting = hub.db.deleteFrom("unattached").where("uid", "=", uid).where("hash", "=", hash);
  if (when === "over") waiting = waiting.where("kept_until", "<", now(hub));
  const { numDeletedRows } = await waiting.executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
