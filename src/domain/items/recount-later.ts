import { cache } from "../../caches.ts";
import { momentIn } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { addJob } from "../../jobs/queue.ts";
import { isLeftOut } from "../delivery/backlog.ts";
import { isHere } from "../identity/xchans/web-url.ts";
import { pollOf } from "./poll.ts";
import type { Item } from "./types.ts";

/** How often something was chosen in a poll of elsewhere its own hub knows, which is asked again (federation contract 4.1). */

const pause = 5 * 60_000;
/** So long after its end a poll may still have come to another count. */
const settled = 24 * 3600_000;

const asked = cache<number, number>(10_000);

/**
 * Somebody looks at these: the counts of polls that may have changed are asked for, of each once in five minutes, unless there is
 * too much to do.
 */
export async function recountLater(hub: Hub, items: readonly Item[]): Promise<void> {
  const now = hub.clock().getTime();
  for (const item of items) {
    const poll = isHere(hub, item.mid) ? undefined : pollOf(item);
    const isOver = poll?.ends !== undefined && poll.ends < momentIn(hub, -settled);
    if (!poll || isOver || (asked(hub).get(item.message_id) ?? 0) > now - pause) continue;
    if (await isLeftOut(hub, "asking again")) return;
    asked(hub).set(item.message_id, now);
    await addRecount(hub, item.message_id);
  }
}

/** Somebody has voted: when the poll is over, they shall find what came of it. Part of a transaction. */
export async function recountAtEnd(hub: Hub, item: Item): Promise<void> {
  const ends = isHere(hub, item.mid) ? undefined : pollOf(item)?.ends;
  if (ends !== undefined) await addRecount(hub, item.message_id, ends);
}

async function addRecount(hub: Hub, message: number, at?: string): Promise<void> {
  const key = `counts of ${message}${at === undefined ? "" : " at its end"}`;
  await addJob(hub, "recount-poll", { message }, at === undefined ? { key } : { key, at });
}
