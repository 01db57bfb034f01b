import { certain, missing, refusal } from "../../errors.ts";
import { inTransaction, momentIn, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { addDeed, addJob } from "../../jobs/queue.ts";
import { removeApplications } from "../identity/applications/oauth-clients.ts";
import { findAccountById } from "../identity/accounts/accounts.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { closeChannel, findChannelById, listChannels } from "../identity/channels/channels.ts";
import { countConnections } from "../identity/channels/connection-counts.ts";
import { holdAccount } from "../identity/channels/hold.ts";
import { recordGone } from "../identity/xchans/actors.ts";
import { lockChannels } from "../identity/channels/lock-channels.ts";
import { markRequestsSeen } from "../notifications/seen.ts";
import { actAs } from "../push/subscriptions.ts";
import { zeroDate } from "../../storage/sql.ts";
import { noFollower } from "./follows.ts";
import type { Elsewhere } from "./follows.ts";

/** Until then (milliseconds) those have been told who were written to by a channel, and whom that was is known by its connections. */
const toldWithin = 24 * 3600 * 1000;

/**
 * Removes a channel for good, with its applications, and, by jobs, what it posted and stored and what is nobody else's, then whom it
 * knew and what it had of others; other hubs are told that it is gone. The connections that others have to it are archived (native
 * contract 3.8).
 */
export async function removeChannel(hub: Hub, channelId: number): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const channel = await findChannelById(hub, channelId);
    if (!channel) throw missing("Channel");
    await holdAccount(hub, channel.channel_account_id);
    await lockChannels(hub, [channelId, ...(await ownersConnectedTo(hub, channel.channel_hash))]);
    await closeChannel(hub, channel);
    await removeApplications(hub, channelId);
    await archiveConnectionsTo(hub, channel.channel_hash, now(hub));
    await addDeed(hub, channelId, { deed: "leave", nick: channel.channel_address });
    const gone = { channel: channelId, xchan: channel.xchan_id };
    await addJob(hub, "end-channel", gone);
    await addJob(hub, "forget-channel", gone, { at: momentIn(hub, toldWithin) });
  });
}

/**
 * Removes one of several channels of an account, for the log-in with this token: that one goes on as another channel. Throws conflict
 * for the only one.
 */
export async function removeOneChannel(hub: Hub, channel: Channel, token: string): Promise<void> {
  await inTransaction(hub, async (hub) => {
    await holdAccount(hub, channel.channel_account_id);
    const next = await anotherChannel(hub, channel);
    if (next === undefined) throw refusal("only_channel");
    // Log-ins that act as a channel end with it.
    await actAs(hub, token, next);
    await removeChannel(hub, channel.channel_id);
  });
}

/** Another channel of the account: the usual one, unless that is the one given. */
export async function anotherChannel(hub: Hub, channel: Channel): Promise<number | undefined> {
  const { account_default_channel: usual } = certain(await findAccountById(hub, channel.channel_account_id), "account");
  const others = (await listChannels(hub, channel.channel_account_id))
    .map(({ channel_id }) => channel_id)
    .filter((id) => id !== channel.channel_id);
  return others.find((id) => id === usual) ?? others[0];
}

/**
 * Somebody of elsewhere has removed themselves, or is found no more: the connections that others have to them are archived, as
 * they are to a channel of this hub, until they are found again (`meetPerson`). Answers whether they were known.
 */
export async function loseActor(hub: Hub, hash: string): Promise<boolean> {
  return inTransaction(hub, async (hub) => {
    await lockChannels(hub, await ownersConnectedTo(hub, hash));
    const moment = now(hub);
    const known = await recordGone(hub, hash, moment);
    if (known) await archiveConnectionsTo(hub, hash, moment);
    return known;
  });
}

/**
 * The same by their own word: what they wrote goes as well, and nobody follows them, or is followed by them, any more. Whoever has their
 * address later has to ask.
 */
export async function forgetActor(hub: Hub, { xchan_id: xchan, xchan_hash }: Elsewhere): Promise<void> {
  await inTransaction(hub, async (hub) => {
    if (!(await loseActor(hub, xchan_hash))) return;
    await markRequestsSeen(hub, await ownersConnectedTo(hub, xchan_hash), xchan_hash);
    await hub.db
      .updateTable("abook")
      .set({ ...noFollower, follow_out: "none", follow_out_id: "", follow_out_again: zeroDate })
      .where("abook_xchan", "=", xchan_hash)
      .where("abook_self", "=", 0)
      .execute();
    await addJob(hub, "forget-person", { xchan });
  });
}

async function ownersConnectedTo(hub: Hub, hash: string): Promise<number[]> {
  const rows = await hub.db.selectFrom("abook").select("abook_channel").where("abook_xchan", "=", hash).execute();
  return rows.map((row) => row.abook_channel);
}

/** What its owner has archived before stays as it is. */
async function archiveConnectionsTo(hub: Hub, hash: string, moment: string): Promise<void> {
  const owners = await hub.db
    .updateTable("abook")
    .set({ abook_archived: 1, abook_updated: moment })
    .where("abook_xchan", "=", hash)
    .where("abook_archived", "=", 0)
    .where("abook_self", "=", 0)
    .returning("abook_channel")
    .execute();
  await countConnections(
    hub,
    owners.map((owner) => owner.abook_channel),
  );
}
