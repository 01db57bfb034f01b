import { refusal } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { observerOf } from "../identity/channels/observer.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { may, ownerMay } from "../permissions/may.ts";

/** May the actor change the storage of this channel? Throws denied. */
export async function checkWriting(hub: Hub, actor: Channel, owner: Channel): Promise<void> {
  const allowed =
    actor.channel_id === owner.channel_id
      ? ownerMay(owner, "write_storage")
      : await may(hub, observerOf(actor), "write_storage", owner.channel_id);
  if (!allowed) throw refusal("permission_denied");
}
