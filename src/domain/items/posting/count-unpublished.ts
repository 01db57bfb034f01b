import type { Hub } from "../../../hub.ts";
import { compiled } from "../../../storage/compiled-query.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { isWaiting } from "./delayed.ts";

/** How many sketches a channel has, and how many of its posts wait for their date; by one query, since forms show both. */
export async function countUnpublished(hub: Hub, channel: Channel): Promise<{ sketches: number; delayed: number }> {
  const { channel_id, xchan_id } = channel;
  const [counts] = await compiled(hub, "count unpublished", { channel_id, xchan_id }, (slots) =>
    hub.db.selectNoFrom((x) => [
      x
        .selectFrom("sketch")
        .select((of) => of.fn.countAll<number>().as("count"))
        .where("uid", "=", slots.channel_id)
        .as("sketches"),
      x
        .selectFrom("item")
        .select((of) => of.fn.countAll<number>().as("count"))
        .where(isWaiting(slots))
        .as("delayed"),
    ]),
  );
  return { sketches: Number(counts!.sketches), delayed: Number(counts!.delayed) };
}
