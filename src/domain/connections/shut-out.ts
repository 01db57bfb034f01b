import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { countConnections } from "../identity/channels/connection-counts.ts";
import { lockChannels } from "../identity/channels/lock-channels.ts";
import { markRequestSeen } from "../notifications/seen.ts";
import type { Elsewhere } from "./follows.ts";
import { changeRow, endRow, findRow, leaveStranger } from "./rows.ts";

/**
 * Somebody of elsewhere has blocked the channel: nothing goes to them any more, and what they write is not shown to it (federation
 * contract 4.3). Nothing is kept of strangers, who have nothing to do with the channel anyway. Nobody is told. `id` is that of their Block.
 */
export async function receiveBlock(hub: Hub, channel: Channel, from: Elsewhere, id = ""): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const uid = channel.channel_id;
    await lockChannels(hub, [uid]);
    const row = await findRow(hub, uid, from.xchan_hash);
    if (!row) return;
    if (row.abook_shut_out === 1) return changeRow(hub, uid, from.xchan_hash, { shut_out_id: id });
    if (row.abook_pending === 1) await markRequestSeen(hub, uid, from.xchan_hash);
    await changeRow(hub, uid, from.xchan_hash, { abook_shut_out: 1, shut_out_id: id });
    await endRow(hub, row);
    await countConnections(hub, [uid]);
  });
}

/** The block ends. What it has ended does not come back: either side has to ask again. */
export async function receiveUnblock(hub: Hub, channel: Channel, from: Elsewhere): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const uid = channel.channel_id;
    await lockChannels(hub, [uid]);
    await changeRow(hub, uid, from.xchan_hash, { abook_shut_out: 0, shut_out_id: "" });
    await leaveStranger(hub, uid, from.xchan_hash);
    await countConnections(hub, [uid]);
  });
}
