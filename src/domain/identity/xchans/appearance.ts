import { now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";

/**
 * What others see of the channel has changed: documents about it are made anew (federation contract 1.2). Part of the
 * transaction that changes it.
 */
export async function recordAppearance(hub: Hub, uid: number): Promise<void> {
  await hub.db
    .updateTable("channel")
    .set((eb) => ({ channel_updated: now(hub), channel_revision: eb("channel_revision", "+", 1) }))
    .where("channel_id", "=", uid)
    .execute();
}
