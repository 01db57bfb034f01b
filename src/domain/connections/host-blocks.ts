import { missing, refusal } from "../../errors.ts";
import { inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { countConnections } from "../identity/channels/connection-counts.ts";
import { lockChannels } from "../identity/channels/lock-channels.ts";
import { isHere } from "../identity/xchans/web-url.ts";
import { markRequestSeen } from "../notifications/seen.ts";
import { readHost } from "../peers/hosts.ts";
import { rejectElsewhere } from "./answers-elsewhere.ts";
import type { HostBlockKind } from "./blocked-hosts.ts";
import { follows, noFollower } from "./follows.ts";
import { changeRow, deleteRow } from "./rows.ts";
import type { Abook } from "./types.ts";

/** Blocks or mutes a host; what was said of it before is replaced. Nobody is told, except those who followed. Throws invalid. */
export async function blockHost(hub: Hub, channel: Channel, name: string, kind: HostBlockKind): Promise<void> {
  const host = readHost(name);
  if (isHere(hub, `https://${host}/`) || isHere(hub, `http://${host}/`)) throw refusal("own_host");
  const uid = channel.channel_id;
  await inTransaction(hub, async (hub) => {
    await lockChannels(hub, [uid]);
    await hub.db
      .insertInto("host_block")
      .values({ uid, host, kind, created: now(hub) })
      .onConflict((conflict) => conflict.columns(["uid", "host"]).doUpdateSet({ kind }))
      .execute();
    if (kind === "block") for (const row of await followersFrom(hub, uid, host)) await endFollow(hub, row);
    await countConnections(hub, [uid]);
  });
}

/** The host is like others again; who followed from there has to ask again. Throws missing. */
export async function unblockHost(hub: Hub, channel: Channel, name: string): Promise<void> {
  const removed = await hub.db
    .deleteFrom("host_block")
    .where("uid", "=", channel.channel_id)
    .where("host", "=", readHost(name))
    .executeTakeFirst();
  if (removed.numDeletedRows === 0n) throw missing("Block");
}

async function followersFrom(hub: Hub, uid: number, host: string): Promise<Abook[]> {
  return hub.db
    .selectFrom("abook")
    .innerJoin("actor", "actor.actor_id", "abook_xchan")
    .selectAll("abook")
    .where("abook_channel", "=", uid)
    .where("follow_in", "!=", "none")
    .where((eb) => eb.or([eb("host", "=", host), eb.and([eb("host", ">", `${host}:`), eb("host", "<", `${host};`)])]))
    .execute();
}

async function endFollow(hub: Hub, row: Abook): Promise<void> {
  const { abook_channel: uid, abook_xchan: hash } = row;
  await rejectElsewhere(hub, row);
  if (row.abook_pending === 1) await markRequestSeen(hub, uid, hash);
  if (follows(row)) await changeRow(hub, uid, hash, noFollower);
  else await deleteRow(hub, uid, hash);
}
