import { now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { pipelined } from "../../../storage/pipelined.ts";

/** The channel has just posted something. */
export async function notePosted(hub: Hub, uid: number): Promise<void> {
  await pipelined(
    hub,
    hub.db
      .updateTable("channel")
      .set({ channel_lastpost: now(hub) })
      .where("channel_id", "=", uid),
  );
}
