import { momentIn, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { addDeed } from "../../jobs/queue.ts";
import { haveLeft } from "./sent-to.ts";
import type { Item } from "./types.ts";

/**
 * Whoever elsewhere got the item hears that it is another now; `stamp` tells this change from others. With `namesMore` it names
 * people who may be elsewhere and have not got it. Part of the transaction that changes it.
 */
export async function changeElsewhere(
  hub: Hub,
  { message_id, uid }: Pick<Item, "message_id" | "uid">,
  { stamp, namesMore = false }: { stamp: string; namesMore?: boolean },
): Promise<void> {
  if (!namesMore && !(await haveLeft(hub, [message_id]))) return;
  await addDeed(hub, uid, { deed: "change", message: message_id, stamp });
}

const betweenCounts = 60_000;

/** The same of a poll whose votes are counted anew, once a minute at most (federation contract 4.3). */
export async function recountElsewhere(hub: Hub, { message_id, uid }: Pick<Item, "message_id" | "uid">): Promise<void> {
  if (!(await haveLeft(hub, [message_id]))) return;
  const at = momentIn(hub, betweenCounts);
  const key = `recount ${message_id}`;
  await addDeed(hub, uid, { deed: "change", message: message_id, stamp: `votes ${now(hub)}` }, { at, key, lane: key });
}
