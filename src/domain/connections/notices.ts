import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { notify } from "../notifications/notify.ts";
import { findRow } from "./rows.ts";

/** The other side of a connection, of this hub or of elsewhere. */
type Side = Pick<Channel, "xchan_id" | "channel_hash">;

/** Tells `to` that `from` asks for a connection. */
export async function notifyIntroduction(hub: Hub, to: Channel, from: Side): Promise<void> {
  await notify(hub, [{ kind: "request", to, actor: from.xchan_id }]);
}

/** Tells `to`, who approves everybody, that `from` is a new connection. */
export async function notifyNewFollower(hub: Hub, to: Channel, from: Side): Promise<void> {
  await notify(hub, [{ kind: "follower", to, actor: from.xchan_id, connection: await rowOf(hub, to, from) }]);
}

/** Tells `to` that `by` has accepted the connection. */
export async function notifyConfirmed(hub: Hub, to: Channel, by: Side): Promise<void> {
  await notify(hub, [{ kind: "confirmed", to, actor: by.xchan_id, connection: await rowOf(hub, to, by) }]);
}

/** Tells `to` that `by` has refused the connection. */
export async function notifyDeclined(hub: Hub, to: Channel, by: Side): Promise<void> {
  await notify(hub, [{ kind: "declined", to, actor: by.xchan_id, connection: await rowOf(hub, to, by) }]);
}

async function rowOf(hub: Hub, owner: Channel, other: Side): Promise<number> {
  const row = await findRow(hub, owner.channel_id, other.channel_hash);
  return row!.abook_id;
}
