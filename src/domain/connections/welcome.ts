import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { writeGrants } from "./grants.ts";
import { joinDefaultGroup } from "./memberships.ts";

/** A new connection gets its grants and its place in the default group. */
export async function welcome(hub: Hub, owner: Channel, hash: string): Promise<void> {
  await writeGrants(hub, owner, hash);
  await joinDefaultGroup(hub, owner.channel_id, hash);
}
