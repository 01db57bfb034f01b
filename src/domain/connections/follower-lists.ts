import { createHash } from "node:crypto";
import { inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import type { JobPayload } from "../../jobs/kinds.ts";
import { addDeed, addJob } from "../../jobs/queue.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { findChannelById } from "../identity/channels/channels.ts";
import { countConnections } from "../identity/channels/connection-counts.ts";
import { lockChannels } from "../identity/channels/lock-channels.ts";
import { follows, loseFollow, newFollowId, receiveAccept } from "./follows.ts";
import type { Elsewhere } from "./follows.ts";
import { findRow } from "./rows.ts";

/**
 * Two hubs compare whom of the one they take for followers of somebody of the other, so that a follow whose end got lost does not
 * stand for ever (federation contract 1.5, FEP-8fcf).
 */

/** Lists that are longer are not compared. */
export const mostCompared = 1000;

/** The ids of those of a host who follow the channel; undefined where they are too many. */
export async function followersAt(hub: Hub, uid: number, host: string): Promise<string[] | undefined> {
  const rows = await hub.db
    .selectFrom("actor")
    .innerJoin("abook", "abook_xchan", "actor_id")
    .select("actor_id")
    .where("actor.host", "=", host)
    .where("abook_channel", "=", uid)
    .where("follow_in", "=", "accepted")
    .where("abook_pending", "=", 0)
    .where("abook_blocked", "=", 0)
    .where("abook_archived", "=", 0)
    .limit(mostCompared + 1)
    .execute();
  return rows.length > mostCompared ? undefined : rows.map(({ actor_id }) => actor_id);
}

/** The nicks of the channels here that follow somebody of elsewhere; undefined where they are too many. */
export async function followersHereOf(hub: Hub, hash: string): Promise<{ id: number; nick: string }[] | undefined> {
  const rows = await hub.db
    .selectFrom("abook")
    .innerJoin("channel", "channel_id", "abook_channel")
    .select(["channel_id as id", "channel_address as nick"])
    .where("abook_xchan", "=", hash)
    .where("follow_out", "=", "accepted")
    .where("channel_removed", "=", 0)
    .limit(mostCompared + 1)
    .execute();
  return rows.length > mostCompared ? undefined : rows;
}

/** The same for the same ids in any order: the exclusive or of their hashes, in hex. */
export function digestOf(ids: readonly string[]): string {
  const sum = Buffer.alloc(32);
  for (const id of ids) {
    const hash = createHash("sha256").update(id).digest();
    for (const [at, byte] of hash.entries()) sum[at]! ^= byte;
  }
  return sum.toString("hex");
}

/** What an actor says about its followers here: by which list, where it is read in part, and the digest of that part. */
export type SaidOfFollowers = JobPayload<"compare-followers">;

/** Has the list of somebody elsewhere compared with what is known here. */
export async function compareLater(hub: Hub, said: SaidOfFollowers): Promise<void> {
  await inTransaction(hub, (hub) => addJob(hub, "compare-followers", said, { key: `followers ${said.actor}` }));
}

/**
 * Brings what channels here take for follows of somebody of elsewhere in line with what that one's hub says (`listed`, by nick). Who is not
 * listed follows no more, and says so; who is listed and has asked is let in; who is listed and does not follow takes it back.
 */
export async function settleFollowers(hub: Hub, person: Elsewhere, listed: ReadonlySet<string>): Promise<void> {
  const known = (await followersHereOf(hub, person.xchan_hash)) ?? [];
  for (const { id, nick } of known) if (!listed.has(nick)) await endFollow(hub, id, person);
  const names = new Set(known.map(({ nick }) => nick));
  for (const nick of listed) if (!names.has(nick)) await takeBack(hub, nick, person);
}

async function endFollow(hub: Hub, uid: number, { xchan_hash: hash }: Elsewhere): Promise<void> {
  await inTransaction(hub, async (hub) => {
    await lockChannels(hub, [uid]);
    const row = await findRow(hub, uid, hash);
    if (row?.follow_out !== "accepted") return;
    await sendUndo(hub, uid, hash, row.follow_out_id);
    await loseFollow(hub, row);
    await countConnections(hub, [uid]);
  });
}

async function takeBack(hub: Hub, nick: string, person: Elsewhere): Promise<void> {
  const channel = await channelNamed(hub, nick);
  if (!channel) return;
  const row = await findRow(hub, channel.channel_id, person.xchan_hash);
  if (row && follows(row)) return void (await receiveAccept(hub, channel, person));
  await sendUndo(hub, channel.channel_id, person.xchan_hash, row?.follow_out_id ?? "");
}

/** Also where nobody knows any more by which follow it began. */
async function sendUndo(hub: Hub, uid: number, person: string, id: string): Promise<void> {
  const follow = id === "" ? newFollowId(hub) : id;
  await addDeed(hub, uid, { deed: "unfollow", follow, person, stamp: now(hub).slice(0, 10) });
}

async function channelNamed(hub: Hub, nick: string): Promise<Channel | undefined> {
  const row = await hub.db
    .selectFrom("channel")
    .select("channel_id")
    .where("channel_address", "=", nick)
    .where("channel_removed", "=", 0)
    .executeTakeFirst();
  return row && findChannelById(hub, row.channel_id);
}
