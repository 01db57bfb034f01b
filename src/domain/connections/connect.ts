import { certain, missing, refusal } from "../../errors.ts";
import { inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { addJob } from "../../jobs/queue.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { findChannelByHash } from "../identity/channels/channels.ts";
import { isLimited } from "../identity/channels/limited.ts";
import { countConnections } from "../identity/channels/connection-counts.ts";
import { isActor } from "../identity/xchans/actors.ts";
import { isGuestNetwork } from "../identity/xchans/guest-hash.ts";
import { findXchan } from "../identity/xchans/xchans.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";
import { lockChannels } from "../identity/channels/lock-channels.ts";
import { acceptElsewhere, rejectElsewhere, unfollowElsewhere } from "./answers-elsewhere.ts";
import { daysUntilAskedAgain, inDays } from "./ask-again.ts";
import { chooseOf } from "./follow-choices.ts";
import type { SomeChoices } from "./follow-choices.ts";
import { anew, follows, newFollowId, noFollower } from "./follows.ts";
import { approvesByItself, shareGrants, withdrawGrants } from "./grants.ts";
import { findConnection, findConnectionTo } from "./list.ts";
import { welcome } from "./welcome.ts";
import { markRequestSeen } from "../notifications/seen.ts";
import { notifyAccepted } from "../notifications/notify.ts";
import { notifyConfirmed, notifyIntroduction, notifyNewFollower } from "./notices.ts";
import { addRow, changeRow, deleteRow, endRow, findRow, rowById } from "./rows.ts";
import { sendFollow } from "./sent-follows.ts";
import { zeroDate } from "../../storage/sql.ts";
import type { Abook, Connection } from "./types.ts";
import { isUnwantedRow } from "./unwanted.ts";

/**
 * The channel connects to an identity: asks for its posts and grants it what new connections get. Connecting to
 * somebody who has asked already approves; repeating it is harmless, and changes what is chosen of their posts. Throws
 * too-many when it has asked many of elsewhere in a day.
 */
export async function connect(
  hub: Hub,
  channel: Channel,
  xchan: Pick<Xchan, "xchan_hash">,
  chosen: SomeChoices = {},
): Promise<Connection> {
  const hash = xchan.xchan_hash;
  if (hash === channel.channel_hash) throw refusal("own_channel", { deed: "connect" });
  return inTransaction(hub, async (hub) => {
    await refuseUnreachable(hub, hash);
    await withOther(hub, channel, hash, async (other) => {
      const own = await findRow(hub, channel.channel_id, hash);
      if (own?.abook_blocked === 1) throw refusal("blocked_by_you");
      // Whoever is asked between hubs is asked by a follow that has an id.
      const id = !other && (await isActor(hub, hash)) ? newFollowId(hub) : "";
      if (own?.abook_pending === 1) {
        await settleRequest(hub, channel, own, other);
        if (id !== "" && !follows(own)) await askElsewhere(hub, channel, hash, id);
        return;
      }
      await ask(hub, channel, hash, own, id);
      if (other) await receiveRequest(hub, other, channel);
    });
    const connection = certain(await findConnectionTo(hub, channel.channel_id, hash), "connection");
    await chooseOf(hub, channel, connection, chosen);
    return connection;
  });
}

/** The owner accepts a request; harmless for somebody who is connected already. */
export async function approve(hub: Hub, channel: Channel, abookId: number): Promise<Connection> {
  return inTransaction(hub, async (hub) => {
    await withRow(hub, channel, abookId, async (row, other) => {
      if (row.abook_pending === 1) await settleRequest(hub, channel, row, other);
    });
    return certain(await findConnection(hub, channel.channel_id, abookId), "connection");
  });
}

/** The owner refuses a request: nothing of it stays but what the owner has asked for, and the other side learns it. */
export async function refuse(hub: Hub, channel: Channel, abookId: number): Promise<void> {
  await inTransaction(hub, (hub) =>
    withRow(hub, channel, abookId, async (row, other) => {
      if (row.abook_pending === 0) throw refusal("not_a_request");
      await markRequestSeen(hub, channel.channel_id, row.abook_xchan);
      if (!follows(row)) return endBetween(hub, channel, row, other);
      await rejectElsewhere(hub, row);
      await changeRow(hub, channel.channel_id, row.abook_xchan, noFollower);
    }),
  );
}

/**
 * The owner ends a connection. What it wrote stays, unless `dropItems` asks for the job `drop-items` with the
 * channel's id and the identity's hash.
 */
export async function removeConnection(
  hub: Hub,
  channel: Channel,
  abookId: number,
  options: { dropItems?: boolean } = {},
): Promise<void> {
  await inTransaction(hub, (hub) =>
    withRow(hub, channel, abookId, async (row, other) => {
      if (row.abook_self === 1) throw refusal("not_from_itself");
      await endBetween(hub, channel, row, other);
      if (options.dropItems) await addJob(hub, "drop-items", { uid: channel.channel_id, xchan: row.abook_xchan });
    }),
  );
}

/** Networks that know no requests: a feed cannot be asked, and of some people nobody knows how, as of those who are mere names. */
const muteNetworks: readonly string[] = ["rss", "unknown"];

async function refuseUnreachable(hub: Hub, hash: string): Promise<void> {
  const xchan = await findXchan(hub, { hash });
  if (!xchan || isGuestNetwork(xchan.xchan_network)) throw missing("Identity");
  if (xchan.xchan_deleted === 1) throw refusal("identity_deleted");
  const isName = xchan.xchan_network === "activitypub" && !(await isActor(hub, hash));
  if (isName || muteNetworks.includes(xchan.xchan_network)) throw refusal("network_cannot");
}

/** Finds the other side when it lives on this hub, does the work on both, and counts again on both. */
export async function withOther(
  hub: Hub,
  channel: Channel,
  hash: string,
  work: (other: Channel | undefined) => Promise<void>,
): Promise<void> {
  const other = await findChannelByHash(hub, hash);
  const both = other ? [channel.channel_id, other.channel_id] : [channel.channel_id];
  await lockChannels(hub, both);
  await work(other);
  await countConnections(hub, both);
}

/** The same for a row of the channel, as it is once nobody else can change it. Throws missing. */
async function withRow(
  hub: Hub,
  channel: Channel,
  abookId: number,
  work: (row: Abook, other: Channel | undefined) => Promise<void>,
): Promise<void> {
  const { abook_xchan: hash } = await rowById(hub, channel.channel_id, abookId);
  await withOther(hub, channel, hash, async (other) => work(await rowById(hub, channel.channel_id, abookId), other));
}

function asking(hub: Hub, followId: string) {
  const again = followId === "" ? zeroDate : inDays(hub, daysUntilAskedAgain);
  return { follow_out: "requested", follow_out_id: followId, follow_out_again: again, abook_unconnected: 0 } as const;
}

/** Asked again, a follow that has been sent keeps its id. */
async function ask(hub: Hub, channel: Channel, hash: string, own: Abook | undefined, followId: string): Promise<void> {
  if (own?.follow_out === "accepted" || (own?.follow_out === "requested" && own.follow_out_id !== "")) return;
  const asked = asking(hub, followId);
  if (own) await changeRow(hub, channel.channel_id, hash, { ...asked, ...anew(own) });
  else await addRow(hub, channel, hash, { abook_pending: 0, follow_in: "none", ...asked });
  if (own?.abook_unconnected !== 0) await welcome(hub, channel, hash);
  if (followId !== "") await sendFollow(hub, channel, hash, followId);
}

/** The same of somebody of elsewhere to whom the channel has something already. */
async function askElsewhere(hub: Hub, channel: Channel, hash: string, follow: string): Promise<void> {
  await changeRow(hub, channel.channel_id, hash, asking(hub, follow));
  await sendFollow(hub, channel, hash, follow);
}

/** What the other side does with the request of `from`. Somebody blocked or ignored there is not told anything. */
async function receiveRequest(hub: Hub, to: Channel, from: Channel): Promise<void> {
  const row = await findRow(hub, to.channel_id, from.channel_hash);
  if (isUnwantedRow(row)) return;
  if (!row) return receiveFirst(hub, to, from);
  // A connected row says that this owner wanted the connection once: nobody needs to be asked again.
  if (row.abook_pending === 0 && row.follow_in !== "accepted") {
    await confirm(hub, to, from);
    await notifyConfirmed(hub, to, from);
    await notifyConfirmed(hub, from, to);
  }
}

async function receiveFirst(hub: Hub, to: Channel, from: Channel): Promise<void> {
  // Of those whom the site limits nobody comes in without being asked for, wherever they are (federation contract 13).
  const approved = !(await isLimited(hub, from.xchan_id)) && (await approvesByItself(hub, to.channel_id));
  await addRow(hub, to, from.channel_hash, {
    abook_pending: approved ? 0 : 1,
    follow_out: "none",
    follow_in: "pending",
  });
  if (!approved) return notifyIntroduction(hub, to, from);
  await welcome(hub, to, from.channel_hash);
  await confirm(hub, to, from);
  await notifyNewFollower(hub, to, from);
  await notifyConfirmed(hub, from, to);
}

/** The owner says yes to the request in its row. */
async function settleRequest(hub: Hub, owner: Channel, row: Abook, other: Channel | undefined): Promise<void> {
  const { abook_xchan: hash } = row;
  await acceptElsewhere(hub, row);
  await welcome(hub, owner, hash);
  await changeRow(hub, owner.channel_id, hash, { abook_pending: 0, follow_in: "accepted" });
  await notifyAccepted(hub, owner, hash, row.abook_id);
  const theirs = other && (await findRow(hub, other.channel_id, owner.channel_hash));
  // Whoever has blocked the owner since asking is not told.
  if (!other || !theirs || theirs.abook_blocked === 1) return;
  await confirm(hub, owner, other);
  await notifyConfirmed(hub, other, owner);
}

/** A native connection is mutual: both sides follow each other and know what they may do. */
async function confirm(hub: Hub, one: Channel, other: Channel): Promise<void> {
  const accepted = { abook_pending: 0, follow_out: "accepted", follow_in: "accepted", abook_connected: now(hub) };
  await changeRow(hub, one.channel_id, other.channel_hash, accepted);
  await changeRow(hub, other.channel_id, one.channel_hash, accepted);
  await shareGrants(hub, one, other);
  await shareGrants(hub, other, one);
  await bringPosts(hub, one, other);
  await bringPosts(hub, other, one);
}

/** Nobody wants to begin with an empty page. */
async function bringPosts(hub: Hub, { channel_id: uid }: Channel, { xchan_id: person }: Channel): Promise<void> {
  await addJob(hub, "bring-posts", { uid, person }, { key: `bring-posts ${uid} ${person}` });
}

/**
 * The channel does not want somebody's posts any more. Whoever receives the channel's stays as follower, and `kept` whoever has gone on
 * as somebody else, with what the channel has said of them; otherwise nothing is left of the connection. Throws missing
 * (`not_following`) where nothing was asked for.
 */
export async function unfollow(hub: Hub, channel: Channel, hash: string, { kept = false } = {}): Promise<void> {
  await inTransaction(hub, (hub) =>
    withOther(hub, channel, hash, async (other) => {
      const row = await findRow(hub, channel.channel_id, hash);
      if (!row || row.abook_blocked === 1 || !follows(row)) throw refusal("not_following");
      if (!kept && row.follow_in !== "accepted") return endBetween(hub, channel, row, other);
      await unfollowElsewhere(hub, row);
      await changeRow(hub, channel.channel_id, hash, { follow_out: "none", follow_out_id: "" });
      if (other) await changeRow(hub, other.channel_id, channel.channel_hash, { follow_in: "none" });
    }),
  );
}

/** Nothing connects the two any more, and the other side learns it. Part of a transaction. */
export async function endBetween(hub: Hub, channel: Channel, row: Abook, other: Channel | undefined): Promise<void> {
  await unfollowElsewhere(hub, row);
  await rejectElsewhere(hub, row);
  await deleteRow(hub, channel.channel_id, row.abook_xchan);
  if (other) await hearOfEnd(hub, other, channel);
}

/** It is over for the other side as well; whoever is refused what they have asked for keeps that in their row, with nothing granted. */
async function hearOfEnd(hub: Hub, side: Channel, from: Channel): Promise<void> {
  const row = await findRow(hub, side.channel_id, from.channel_hash);
  if (!row) return;
  if (row.abook_pending === 1) await markRequestSeen(hub, side.channel_id, from.channel_hash);
  const refused = row.follow_out === "requested" || row.follow_out === "rejected";
  if (!refused) return endRow(hub, row);
  await changeRow(hub, side.channel_id, from.channel_hash, { follow_out: "rejected", follow_in: "none" });
  await withdrawGrants(hub, side.channel_id, from.channel_hash);
}
