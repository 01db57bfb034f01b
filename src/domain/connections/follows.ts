import { randomUUID } from "node:crypto";
import { inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { addJob } from "../../jobs/queue.ts";
import { recordOf } from "../../record-of.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { countConnections } from "../identity/channels/connection-counts.ts";
import { findChannelById } from "../identity/channels/channels.ts";
import { lockChannels } from "../identity/channels/lock-channels.ts";
import { permissionNames } from "../identity/channels/roles.ts";
import type { PermissionName } from "../identity/channels/roles.ts";
import { letsFollowersAnswer } from "../identity/xchans/followers-answer.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";
import { markRequestSeen } from "../notifications/seen.ts";
import { treatmentOf } from "../peers/site-blocks.ts";
import { acceptElsewhere } from "./answers-elsewhere.ts";
import { approvesByItself, withdrawGrants, writeGrantRows } from "./grants.ts";
import { hasBlockedHostOf } from "./blocked-hosts.ts";
import { welcome } from "./welcome.ts";
import { notifyConfirmed, notifyDeclined, notifyIntroduction, notifyNewFollower } from "./notices.ts";
import { addRow, changeRow, endRow, findRow } from "./rows.ts";
import type { Abook } from "./types.ts";
import { isUnwantedRow } from "./unwanted.ts";

/**
 * The other half of connections with people of elsewhere: what they ask, answer and take back (federation contract 1.5). Unlike
 * a connection within the hub, which is mutual, each direction stands for itself. Everything may come twice.
 */

/** Somebody of elsewhere who has been met. */
export type Elsewhere = Pick<Xchan, "xchan_id" | "xchan_hash">;

/** What a follow comes to: it is accepted, it waits for the owner, or it is met with silence. */
export type FollowOutcome = "accepted" | "waiting" | "silent";

/** Names a follow that the channel sends. */
export function newFollowId({ config }: Hub): string {
  return `${config.baseUrl}/follow/${randomUUID()}`;
}

/** Is the channel reading this person, or has asked to? */
export function follows({ follow_out }: Pick<Abook, "follow_out">): boolean {
  return follow_out === "requested" || follow_out === "accepted";
}

/** What was put away when it ended begins anew, and is out again. */
export function anew({ follow_out, follow_in }: Pick<Abook, "follow_out" | "follow_in">): { abook_archived?: 0 } {
  return follow_out === "none" && follow_in === "none" ? { abook_archived: 0 } : {};
}

/** Which channel has asked this person by the follow with this id? */
export async function followAsked(hub: Hub, from: Elsewhere, id: string): Promise<Channel | undefined> {
  return ownerOf(hub, from, "follow_out_id", id);
}

/** Whom has this person asked by their follow with this id? */
export async function followHeard(hub: Hub, from: Elsewhere, id: string): Promise<Channel | undefined> {
  return ownerOf(hub, from, "follow_in_id", id);
}

/** Whom has this person blocked by the Block with this id? */
export async function blockHeard(hub: Hub, from: Elsewhere, id: string): Promise<Channel | undefined> {
  return ownerOf(hub, from, "shut_out_id", id);
}

async function ownerOf(
  hub: Hub,
  { xchan_hash }: Elsewhere,
  column: "follow_out_id" | "follow_in_id" | "shut_out_id",
  id: string,
): Promise<Channel | undefined> {
  const row = await hub.db
    .selectFrom("abook")
    .select("abook_channel")
    .where("abook_xchan", "=", xchan_hash)
    .where(column, "=", id)
    .executeTakeFirst();
  return row && findChannelById(hub, row.abook_channel);
}

/** Somebody asks to receive what the channel posts; `id` is that of their Follow. What is accepted, they are told. */
export async function receiveFollow(hub: Hub, to: Channel, from: Elsewhere, id: string): Promise<FollowOutcome> {
  return withRow(hub, to, from, async (hub, row) => {
    const outcome = await takeFollow(hub, to, from, id, row);
    if (outcome === "accepted")
      await acceptElsewhere(hub, { abook_channel: to.channel_id, abook_xchan: from.xchan_hash, follow_in_id: id });
    return outcome;
  });
}

async function takeFollow(
  hub: Hub,
  to: Channel,
  from: Elsewhere,
  id: string,
  row: Abook | undefined,
): Promise<FollowOutcome> {
  const isUnwanted = isUnwantedRow(row) || (await hasBlockedHostOf(hub, to.channel_id, from.xchan_hash));
  if (to.channel_moved !== "" || isUnwanted) return "silent";
  if (row?.follow_in === "accepted") {
    // They have lost what they knew, and ask again.
    await change(hub, to, from, { follow_in_id: id });
    return "accepted";
  }
  // The owner wanted this connection: nobody needs to be asked again.
  const wanted = row !== undefined && follows(row);
  const accepted = wanted || (!(await isLimited(hub, from)) && (await approvesByItself(hub, to.channel_id)));
  const state = {
    follow_in: accepted ? "accepted" : "pending",
    follow_in_id: id,
    abook_pending: accepted ? 0 : 1,
    abook_unconnected: 0,
    // Whoever asks does not block the channel, also where nobody could tell which block they took back.
    abook_shut_out: 0,
    ...(row && anew(row)),
  } as const;
  if (row) await change(hub, to, from, state);
  else await addRow(hub, to, from.xchan_hash, { follow_out: "none", ...state });
  if (row?.abook_pending === 1) return accepted ? settle(hub, to, from) : "waiting";
  if (!accepted) {
    await notifyIntroduction(hub, to, sideOf(from));
    return "waiting";
  }
  if (!wanted) await welcome(hub, to, from.xchan_hash);
  await notifyNewFollower(hub, to, sideOf(from));
  return "accepted";
}

/**
 * They accept the channel's follow, named by its id, or by them and the channel alone. Answers whether that changed anything:
 * what was never asked for, or was taken back, does not.
 */
export async function receiveAccept(hub: Hub, channel: Channel, from: Elsewhere, id?: string): Promise<boolean> {
  return withRow(hub, channel, from, async (hub, row) => {
    if (!row || row.abook_blocked === 1 || row.follow_out !== "requested" || !names(row, id)) return false;
    await change(hub, channel, from, { follow_out: "accepted", abook_connected: now(hub), abook_shut_out: 0 });
    await writeGrantRows(hub, channel.channel_id, from.xchan_hash, await grantsOf(hub, from), "their_perms");
    await notifyConfirmed(hub, channel, sideOf(from));
    // Nobody wants to begin with an empty page.
    await addJob(hub, "back-fill", { person: from.xchan_id }, { key: `back-fill ${from.xchan_id}` });
    return true;
  });
}

/** They refuse the channel's follow, or end it after they had accepted it. Answers whether that changed anything. */
export async function receiveReject(hub: Hub, channel: Channel, from: Elsewhere, id?: string): Promise<boolean> {
  return withRow(hub, channel, from, async (hub, row) => {
    if (!row || row.abook_blocked === 1 || !follows(row) || !names(row, id)) return false;
    await loseFollow(hub, row);
    if (row.follow_out === "requested") await notifyDeclined(hub, channel, sideOf(from));
    return true;
  });
}

/** They let the channel follow them no more, or never did. Part of a transaction. */
export async function loseFollow(hub: Hub, row: Abook): Promise<void> {
  const { abook_channel: uid, abook_xchan: person } = row;
  if (row.follow_out === "accepted" && row.follow_in === "none") return endRow(hub, row);
  await changeRow(hub, uid, person, { follow_out: "rejected" });
  await withdrawGrants(hub, uid, person);
}

/** They take back their follow, named by its id, or by them and the channel alone. Answers whether that changed anything. */
export async function receiveUndo(hub: Hub, channel: Channel, from: Elsewhere, id?: string): Promise<boolean> {
  return withRow(hub, channel, from, async (hub, row) => {
    if (!row || row.follow_in === "none" || (id !== undefined && row.follow_in_id !== id)) return false;
    if (row.abook_pending === 1) await markRequestSeen(hub, channel.channel_id, from.xchan_hash);
    if (follows(row)) await change(hub, channel, from, noFollower);
    else await endRow(hub, row);
    return true;
  });
}

/** Nobody receives the channel's posts, or waits to. */
export const noFollower = { follow_in: "none", follow_in_id: "", abook_pending: 0 } as const;

/** What an answer to a follow allows the channel; nobody elsewhere says more. */
const granted: readonly PermissionName[] = ["view_stream", "post_like", "post_mail"];

/** That, and answers unless their document keeps them from followers. */
async function grantsOf(hub: Hub, from: Elsewhere): Promise<Record<PermissionName, 0 | 1>> {
  const answers = await letsFollowersAnswer(hub, from.xchan_hash);
  return recordOf(permissionNames, (name) => (granted.includes(name) || (name === "post_comments" && answers) ? 1 : 0));
}

/** Does the answer mean the follow that the channel sent last? */
function names({ follow_out_id }: Abook, id: string | undefined): boolean {
  return id === undefined || id === follow_out_id;
}

function sideOf({ xchan_id, xchan_hash }: Elsewhere) {
  return { xchan_id, channel_hash: xchan_hash };
}

/** Does the work on what the channel has about somebody, alone with it, and counts again. */
async function withRow<T>(
  hub: Hub,
  channel: Channel,
  from: Elsewhere,
  work: (hub: Hub, row: Abook | undefined) => Promise<T>,
): Promise<T> {
  return inTransaction(hub, async (hub) => {
    await lockChannels(hub, [channel.channel_id]);
    const result = await work(hub, await findRow(hub, channel.channel_id, from.xchan_hash));
    await countConnections(hub, [channel.channel_id]);
    return result;
  });
}

/** Of those hubs nobody follows without being asked for (federation contract 13). */
async function isLimited(hub: Hub, { xchan_hash: id }: Elsewhere): Promise<boolean> {
  return (await treatmentOf(hub, new URL(id).host)).level !== "none";
}

function change(hub: Hub, channel: Channel, from: Elsewhere, values: Partial<Abook>): Promise<void> {
  return changeRow(hub, channel.channel_id, from.xchan_hash, values);
}

/** The role has changed since they asked: now nobody waits. */
async function settle(hub: Hub, to: Channel, from: Elsewhere): Promise<"accepted"> {
  await markRequestSeen(hub, to.channel_id, from.xchan_hash);
  await welcome(hub, to, from.xchan_hash);
  return "accepted";
}
