import { sql } from "kysely";
import { missing, refusal } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { countConnections } from "../identity/channels/connection-counts.ts";
import { isGuestNetwork } from "../identity/xchans/guest-hash.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";
import { lockChannels } from "../identity/channels/lock-channels.ts";
import { isActor } from "../identity/xchans/actors.ts";
import { markRequestSeen } from "../notifications/seen.ts";
import { isOneOf } from "../../storage/sql.ts";
import { rejectElsewhere } from "./answers-elsewhere.ts";
import { follows, noFollower } from "./follows.ts";
import { leaveGroups } from "./memberships.ts";
import { addRow, changeRow, findRow, leaveStranger, stranger } from "./rows.ts";
import type { Abook } from "./types.ts";

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
    const row = await findRow(hub, uid, hash);
    if (row) await blockRow(hub, row);
    else await addRow(hub, channel, hash, { ...stranger, abook_blocked: 1 });
    await countConnections(hub, [uid]);
  });
}

/**
 * The same for somebody of whom the channel knows something already. Somebody of elsewhere receives nothing from now on and
 * would have to ask again; what the channel asked for stays (federation contract 1.5). Part of a transaction.
 */
export async function blockRow(hub: Hub, row: Abook): Promise<void> {
  const { abook_channel: uid, abook_xchan: hash } = row;
  const elsewhere = row.abook_unconnected === 0 && (await isActor(hub, hash));
  if (!elsewhere) return changeRow(hub, uid, hash, { abook_blocked: 1 });
  if (row.abook_pending === 1) await markRequestSeen(hub, uid, hash);
  await rejectElsewhere(hub, row);
  const unconnected = follows(row) ? 0 : 1;
  if (unconnected) await leaveGroups(hub, uid, hash);
  await changeRow(hub, uid, hash, { ...noFollower, abook_blocked: 1, abook_unconnected: unconnected });
}

/** Those of these people whom the channel blocks, by their hashes. */
export async function blockedAmong(hub: Hub, uid: number, hashes: readonly string[]): Promise<Set<string>> {
  const rows = await hub.db
    .selectFrom("abook")
    .select("abook_xchan")
    .where("abook_channel", "=", uid)
    .where("abook_blocked", "=", 1)
    .where(isOneOf(hub.engine, sql.ref("abook_xchan"), hashes))
    .execute();
  return new Set(rows.map(({ abook_xchan }) => abook_xchan));
}

/** The block ends, and everything of the channel's own is as it was before; harmless for somebody who is not blocked. */
export async function unblock(hub: Hub, channel: Channel, hash: string): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const uid = channel.channel_id;
    await lockChannels(hub, [uid]);
    const row = await findRow(hub, uid, hash);
    if (!row || row.abook_blocked === 0) return;
    await changeRow(hub, uid, hash, { abook_blocked: 0 });
    await leaveStranger(hub, uid, hash);
    await countConnections(hub, [uid]);
  });
}
