import type { Hub } from "../../../hub.ts";
import { addJob } from "../../../jobs/queue.ts";
import { sqlDate } from "../../../storage/sql.ts";

/** One server is asked only once in so many milliseconds (federation contract 6.6). */
const pause = 5000;

/** Has posts of somebody elsewhere, by their ids, fetched one after the other; none if there are none. */
export async function fetchLater(hub: Hub, person: number, posts: string[]): Promise<void> {
  if (posts.length === 0) return;
  await addJob(hub, "back-fill", { person, posts }, { at: sqlDate(new Date(hub.clock().getTime() + pause)) });
}
