import { missing, refusal } from "../../errors.ts";
import { inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { addJob } from "../../jobs/queue.ts";
import type { JobPayload } from "../../jobs/kinds.ts";
import { zeroDate } from "../../storage/sql.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { lockChannels } from "../identity/channels/lock-channels.ts";
import { isGuestNetwork } from "../identity/xchans/guest-hash.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";
import { addRow, changeRow, findRow, leaveStranger, stranger } from "./rows.ts";

type Somebody = Pick<Xchan, "xchan_hash" | "xchan_network">;

/**
 * Nothing of theirs is accepted or shown to the channel; what it shows them stays as it is. Of a stranger it notes that and nothing
 * more, in a row that is no connection. `until`, in the stored form, ends it; left out, it has no end, whatever was said before.
 * Nobody is told.
 */
export async function mute(
  hub: Hub,
  channel: Channel,
  { xchan_hash: hash, xchan_network }: Somebody,
  { until = zeroDate }: { until?: string } = {},
): Promise<void> {
  if (hash === channel.channel_hash) throw refusal("own_channel", { deed: "mute" });
  if (isGuestNetwork(xchan_network)) throw missing("Identity");
  await inTransaction(hub, async (hub) => {
    const uid = channel.channel_id;
    await lockChannels(hub, [uid]);
    const muted = { abook_ignored: 1, mute_ends: until } as const;
    if (await findRow(hub, uid, hash)) await changeRow(hub, uid, hash, muted);
    else await addRow(hub, channel, hash, { ...stranger, ...muted });
    if (until !== zeroDate) await addJob(hub, "end-mute", { channel: uid, person: hash }, { at: until });
  });
}

/** Ends it; harmless for somebody who is not muted. */
export async function unmute(hub: Hub, { channel_id: uid }: Channel, hash: string): Promise<void> {
  await inTransaction(hub, async (hub) => {
    await lockChannels(hub, [uid]);
    await endMute(hub, uid, hash);
  });
}

/** Ends a mute that has come to its end, and not one that was begun anew since. A job. */
export async function endMuteInTime(hub: Hub, { channel: uid, person: hash }: JobPayload<"end-mute">): Promise<void> {
  await inTransaction(hub, async (hub) => {
    await lockChannels(hub, [uid]);
    const row = await findRow(hub, uid, hash);
    if (row && row.mute_ends !== zeroDate && row.mute_ends <= now(hub)) await endMute(hub, uid, hash);
  });
}

async function endMute(hub: Hub, uid: number, hash: string): Promise<void> {
  await changeRow(hub, uid, hash, { abook_ignored: 0, mute_ends: zeroDate });
  await leaveStranger(hub, uid, hash);
}
