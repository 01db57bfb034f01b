import { momentIn } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import type { JobPayload } from "../../../jobs/kinds.ts";
import { addJob } from "../../../jobs/queue.ts";

/**
 * Whose newest posts are fetched, all or only those that were `missed`; which these are once that is known, and what of it they have
 * pinned.
 */
export type BackFill = JobPayload<"back-fill">;

/** One server is asked only once in so many milliseconds (federation contract 6.6). */
const pause = 5000;

/** Has posts of somebody elsewhere, by their ids, fetched one after the other. */
export async function fetchLater(hub: Hub, payload: BackFill): Promise<void> {
  await fillAfter(hub, pause, payload);
}

/** So long the hub has for what is more urgent. */
const delay = 15 * 60_000;

/** The hub has too much to do: this is for another time. */
export async function putOffBackFill(hub: Hub, payload: BackFill): Promise<void> {
  await fillAfter(hub, delay, payload);
}

async function fillAfter(hub: Hub, milliseconds: number, payload: BackFill): Promise<void> {
  await addJob(hub, "back-fill", payload, { at: momentIn(hub, milliseconds) });
}
