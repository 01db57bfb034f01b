import type { Hub } from "../../hub.ts";
import type { JobPayload } from "../../jobs/kinds.ts";
import { dropKnown } from "../connections/drop-known.ts";
import { forgetPerson } from "../items/posting/forget-person.ts";
import { dropThreadsOfOthers } from "../items/posting/trim.ts";
import { emptyCloud } from "./empty.ts";

/**
 * Drops the rest of a channel that is gone, when everybody has been told: what others wrote and it had a copy of, whom it knew, its
 * groups and settings, and whatever was still being written when it went. A job; may run twice.
 */
export async function forgetChannel(hub: Hub, { channel, xchan }: JobPayload<"forget-channel">): Promise<void> {
  await forgetPerson(hub, xchan);
  await emptyCloud(hub, channel);
  await dropThreadsOfOthers(hub, channel);
  await dropKnown(hub, channel);
}
