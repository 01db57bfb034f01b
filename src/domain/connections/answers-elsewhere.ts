import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { addDeed } from "../../jobs/queue.ts";
import type { Abook } from "./types.ts";

/**
 * What somebody of elsewhere is told of what the channel decides about them, each by the row as it is before (federation
 * contract 1.5). Only follows between hubs have ids: nobody else is told anything here. Part of a transaction.
 */

type About<Direction extends "follow_in" | "follow_out"> = Pick<
  Abook,
  "abook_channel" | "abook_xchan" | Direction | `${Direction}_id`
>;

/** Their follow is accepted. */
export async function acceptElsewhere(hub: Hub, row: Omit<About<"follow_in">, "follow_in">): Promise<void> {
  const { abook_channel, abook_xchan: person, follow_in_id: follow } = row;
  if (follow !== "") await addDeed(hub, abook_channel, { deed: "accept", follow, person, stamp: now(hub) });
}

/** Their follow is refused, or ends. */
export async function rejectElsewhere(hub: Hub, row: About<"follow_in">): Promise<void> {
  const { abook_channel, abook_xchan: person, follow_in_id: follow } = row;
  if (row.follow_in === "none" || follow === "") return;
  await addDeed(hub, abook_channel, { deed: "reject", follow, person, stamp: now(hub) });
}

/** The channel's own follow is taken back. */
export async function unfollowElsewhere(hub: Hub, row: About<"follow_out">): Promise<void> {
  const { abook_channel, abook_xchan: person, follow_out_id: follow } = row;
  if ((row.follow_out !== "requested" && row.follow_out !== "accepted") || follow === "") return;
  await addDeed(hub, abook_channel, { deed: "unfollow", follow, person });
}
