import type { Hub } from "../../hub.ts";
import { reportOn } from "../delivery/report.ts";
import type { Reported } from "../delivery/report.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { findOwnWriting } from "./find.ts";
import type { ItemRef } from "./find.ts";
import type { Item } from "./types.ts";

/** To which hubs something went that the channel has written, and what came of it. Throws missing for everything else. */
export async function deliveriesOf(
  hub: Hub,
  channel: Channel,
  ref: ItemRef,
): Promise<{ item: Item; deliveries: Reported[] }> {
  const item = await findOwnWriting(hub, channel, ref);
  return { item, deliveries: await reportOn(hub, `${hub.config.baseUrl}/item/${item.uuid}`) };
}
