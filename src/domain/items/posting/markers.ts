import { sql } from "kysely";
import type { Selectable } from "kysely";
import { inTransaction, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import type { MarkerTable } from "../../../storage/tables/oauth.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { lockChannels } from "../../identity/channels/lock-channels.ts";
import { markSeenUpTo } from "../../notifications/seen.ts";
import { no, yes } from "../queries.ts";

/** How far somebody has read, by what applications call the list (mastodon contract 11.24). */
export const markedLists = ["home", "notifications"] as const;
export type MarkedList = (typeof markedLists)[number];
export type Marker = Pick<Selectable<MarkerTable>, "timeline" | "last_read_id" | "version" | "updated">;

/** Those that are set. */
export async function listMarkers(hub: Hub, uid: number): Promise<Marker[]> {
  return hub.db
    .selectFrom("marker")
    .select(["timeline", "last_read_id", "version", "updated"])
    .where("uid", "=", uid)
    .execute();
}

/** Sets markers together; what lies up to them has been seen. A marker may go back, and nothing becomes unseen then. */
export async function setMarkers(
  hub: Hub,
  { channel_id: uid }: Channel,
  marks: Readonly<Partial<Record<MarkedList, number>>>,
): Promise<void> {
  await inTransaction(hub, async (hub) => {
    await lockChannels(hub, [uid]);
    const before = new Map((await listMarkers(hub, uid)).map((one) => [one.timeline, one.last_read_id]));
    for (const timeline of markedLists) {
      const last = marks[timeline];
      if (last === undefined) continue;
      const values = { last_read_id: last, updated: now(hub) };
      await hub.db
        .insertInto("marker")
        .values({ uid, timeline, ...values, version: 1 })
        .onConflict((conflict) =>
          conflict.columns(["uid", "timeline"]).doUpdateSet({ ...values, version: sql<number>`marker.version + 1` }),
        )
        .execute();
      if (timeline === "notifications") await markSeenUpTo(hub, uid, last);
      else await markItemsSeen(hub, uid, before.get(timeline) ?? 0, last);
    }
  });
}

/** Those between two markers; what came before the earlier one has been seen. */
async function markItemsSeen(hub: Hub, uid: number, before: number, last: number): Promise<void> {
  await hub.db
    .updateTable("item")
    .set({ item_unseen: 0 })
    .where("uid", "=", uid)
    .where("item_normal", "=", yes)
    .where("item_notshown", "=", no)
    .where("id", ">", before)
    .where("id", "<=", last)
    .where("item_unseen", "=", yes)
    .execute();
}
