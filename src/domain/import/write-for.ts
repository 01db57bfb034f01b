import { refusal } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { holdChannel } from "../identity/channels/hold.ts";

/** Writes something that an import brings for its channel. Throws what ends the import, and writes nothing, where that is removed. */
export async function writeFor<T>(
  hub: Hub,
  { channel_id: id }: Pick<Channel, "channel_id">,
  write: (hub: Hub) => Promise<T>,
): Promise<T> {
  return inTransaction(hub, async (hub) => {
    if (!(await holdChannel(hub, id))) throw refusal("channel_removed_meanwhile");
    return write(hub);
  });
}
