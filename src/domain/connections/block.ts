import { missing, refusal } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { countConnections } from "../identity/channels/connection-counts.ts";
import { isGuestNetwork } from "../identity/xchans/guest-hash.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";
import { lockChannels } from "../identity/channels/lock-channels.ts";
import { addRow, changeRow, deleteRow, findRow } from "./rows.ts";

type Somebody = Pick<Xchan, "xchan_hash" | "xchan_network">;

/**
 * The channel blocks somebody: nothing goes in either direction, whatever else it says of them. Of a stranger it notes
 * that and nothing more, in a row that is no connection. Nobody is told; repeating it is harmless.
 */
export async function block(hub: Hub, channel: Channel, { xchan_hash: hash, xchan_network }: Somebody): Promise<void> {
  if (hash === channel.channel_hash) throw refusal("own_channel", { deed: "block" });
  if (isGuestNetwork(xchan_network)) throw missing("Identity");
  await inTransaction(hub, async (hub) => {
    const uid = channel.channel_id;
    await lockChannels(hub, [uid]);
    if (await findRow(hub, uid, hash)) await changeRow(hub, uid, hash, { abook_blocked: 1 });
    else await addRow(hub, channel, hash, { ...stranger, abook_blocked: 1, abook_unconnected: 1 });
    await countConnections(hub, [uid]);
  });
}

const stranger = { abook_pending: 0, follow_out: "none", follow_in: "none" } as const;

/** The block ends, and everything is as it was before; harmless for somebody who is not blocked. */
export async function unblock(hub: Hub, channel: Channel, hash: string): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const uid = channel.channel_id;
    await lockChannels(hub, [uid]);
    const row = await findRow(hub, uid, hash);
    if (!row || row.abook_blocked === 0) return;
    if (row.abook_unconnected === 1) await deleteRow(hub, uid, hash);
    else await changeRow(hub, uid, hash, { abook_blocked: 0 });
    await countConnections(hub, [uid]);
  });
}
