import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { rejectElsewhere } from "./answers-elsewhere.ts";
import { endBetween, withOther } from "./connect.ts";
import { follows, noFollower } from "./follows.ts";
import { changeRow, findRow } from "./rows.ts";

/**
 * Somebody does not receive the channel's posts any more, and learns it; whoever receives theirs goes on. Where nothing else
 * connects the two, nothing is left. Harmless for somebody who is no follower.
 */
export async function dropFollower(hub: Hub, channel: Channel, hash: string): Promise<void> {
  await inTransaction(hub, (hub) =>
    withOther(hub, channel, hash, async (other) => {
      const row = await findRow(hub, channel.channel_id, hash);
      if (row?.follow_in !== "accepted" || row.abook_self === 1) return;
      if (!follows(row)) return endBetween(hub, channel, row, other);
      await rejectElsewhere(hub, row);
      await changeRow(hub, channel.channel_id, hash, noFollower);
      if (other) await changeRow(hub, other.channel_id, channel.channel_hash, { follow_out: "none" });
    }),
  );
}
