import { certain, HubError } from "../../errors.ts";
import { inTransaction, momentIn } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import type { JobPayload } from "../../jobs/kinds.ts";
import { addJob, addJobs } from "../../jobs/queue.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { findChannelById } from "../identity/channels/channels.ts";
import { claimJoining } from "../identity/xchans/actors.ts";
import { findXchan } from "../identity/xchans/xchans.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";
import { copyAbconfig } from "./abconfig.ts";
import { connect, unfollow } from "./connect.ts";
import { copyMemberships } from "./memberships.ts";
import { changeRow, findRow } from "./rows.ts";
import type { Abook } from "./types.ts";

/**
 * Somebody has gone on as `to`, and both have said so: everybody here who reads them reads that one from now on (federation
 * contract 11). Nobody is followed in this way more than once a week.
 */
export async function followMoved(hub: Hub, from: Xchan, to: Xchan): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const readers = await hub.db
      .selectFrom("abook")
      .innerJoin("channel", "channel_id", "abook_channel")
      .select("channel_id")
      .where("abook_xchan", "=", from.xchan_hash)
      .where("follow_out", "in", ["requested", "accepted"])
      .where("abook_blocked", "=", 0)
      .where("abook_ignored", "=", 0)
      .where("abook_archived", "=", 0)
      .where("channel_removed", "=", 0)
      .where("channel_moved", "=", "")
      .execute();
    if (readers.length === 0 || !(await claimJoining(hub, to.xchan_id))) return;
    const [person, successor] = [from.xchan_hash, to.xchan_hash];
    await addJobs(
      hub,
      "follow-moved",
      readers.map(({ channel_id: channel }) => ({ channel, person, successor })),
    );
  });
}

/** One of them does; a job. Nothing happens where the successor is not to be connected with. */
export async function followSuccessor(
  hub: Hub,
  { channel: id, person, successor }: JobPayload<"follow-moved">,
): Promise<void> {
  const channel = await findChannelById(hub, id);
  const xchan = await findXchan(hub, { hash: successor });
  if (!channel || !xchan || channel.channel_hash === successor) return;
  try {
    await inTransaction(hub, async (hub) => {
      await takePlace(hub, channel, person, xchan);
      await unfollow(hub, channel, person, { kept: true });
    });
  } catch (error) {
    if (!(error instanceof HubError) || error.kind === "unavailable") throw error;
    if (error.kind === "too-many") await laterOn(hub, { channel: id, person, successor }, error.retryAfter);
  }
}

/**
 * The channel connects with the successor, who has the person's place in its groups and lists, and is granted and wanted what that one
 * was. Part of a transaction. Throws what `connect` throws.
 */
export async function takePlace(hub: Hub, channel: Channel, person: string, { xchan_hash }: Xchan): Promise<void> {
  const id = channel.channel_id;
  const [former, before] = [await findRow(hub, id, person), await findRow(hub, id, xchan_hash)];
  await connect(hub, channel, { xchan_hash });
  await copyMemberships(hub, id, person, xchan_hash);
  await addJob(hub, "name-successor", { channel: id, person, successor: xchan_hash });
  // Lists may name whoever is shown a profile.
  if (former) await changeRow(hub, id, xchan_hash, { abook_profile: former.abook_profile });
  // Of whom the channel has chosen itself already, that holds.
  if (former && !(before && isChosen(before))) await treatAlike(hub, channel, former, xchan_hash);
}

function isChosen({ abook_pending, abook_unconnected }: Abook): boolean {
  return abook_pending === 0 && abook_unconnected === 0;
}

/** Nobody gets by moving what they were not granted, nor into streams from which they were kept. */
async function treatAlike(hub: Hub, channel: Channel, former: Abook, successor: string): Promise<void> {
  const { abook_closeness, abook_hidden, abook_incl, abook_excl } = former;
  const uid = channel.channel_id;
  await changeRow(hub, uid, successor, { abook_closeness, abook_hidden, abook_incl, abook_excl });
  await copyAbconfig(hub, channel, former, certain(await findRow(hub, uid, successor), "connection"));
}

/** Whoever follows many today follows this one when they may again. */
async function laterOn(hub: Hub, payload: JobPayload<"follow-moved">, seconds = 3600): Promise<void> {
  await inTransaction(hub, (hub) => addJob(hub, "follow-moved", payload, { at: momentIn(hub, seconds * 1000) }));
}
