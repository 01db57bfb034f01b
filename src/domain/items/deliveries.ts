import type { Hub } from "../../hub.ts";
import { reportOn } from "../delivery/report.ts";
import type { Reported } from "../delivery/report.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { consentOf } from "./consents.ts";
import type { Consent } from "./consents.ts";
import { findOwnWriting } from "./find.ts";
import type { ItemRef } from "./find.ts";
import type { Item } from "./types.ts";

/**
 * To which hubs something went that the channel has written, what came of it, and whether those whom it concerns elsewhere let it
 * stand, if they want to be asked. Throws missing for everything else.
 */
export async function deliveriesOf(
  hub: Hub,
  channel: Channel,
  ref: ItemRef,
): Promise<{ item: Item; deliveries: Reported[]; consent: Consent["state"] | undefined }> {
  const item = await findOwnWriting(hub, channel, ref);
  const deliveries = await reportOn(hub, `${hub.config.baseUrl}/item/${item.uuid}`);
  return { item, deliveries, consent: (await consentOf(hub, item.message_id))?.state };
}
