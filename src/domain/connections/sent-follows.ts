import { refusal } from "../../errors.ts";
import { momentIn, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { addDeed } from "../../jobs/queue.ts";
import { removeInSteps } from "../../storage/in-steps.ts";
import { fromSqlDate } from "../../storage/sql.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { freeAgain } from "./free-again.ts";

/** So many people of elsewhere one channel asks for their posts within a day (federation contract 13). */
const most = 400;
const day = 24 * 3600 * 1000;

/** When the channel may ask one more, if that is not now. */
export function followsFreeAgain(hub: Hub, uid: number): Promise<string | undefined> {
  return freeAgain(hub, uid, { table: "sent_follow", column: "sent", most, span: day });
}

/** Asks somebody of elsewhere for their posts, by a follow with this id. Part of a transaction. Throws too-many (`too_many_follows`). */
export async function sendFollow(
  hub: Hub,
  { channel_id: uid }: Channel,
  person: string,
  follow: string,
): Promise<void> {
  const free = hub.config.rateLimits ? await followsFreeAgain(hub, uid) : undefined;
  if (free !== undefined) throw refusal("too_many_follows", { most, retryAfter: secondsUntil(hub, free) });
  await hub.db
    .insertInto("sent_follow")
    .values({ uid, sent: now(hub) })
    .execute();
  await addDeed(hub, uid, { deed: "follow", follow, person });
}

function secondsUntil(hub: Hub, moment: string): number {
  return Math.max(1, Math.ceil((fromSqlDate(moment).getTime() - hub.clock().getTime()) / 1000));
}

/** Forgets the follows that count no more. A regular job. */
export async function trimSentFollows(hub: Hub): Promise<void> {
  const old = hub.db.selectFrom("sent_follow").select("id").where("sent", "<=", momentIn(hub, -day));
  await removeInSteps((steps) =>
    hub.db.deleteFrom("sent_follow").where("id", "in", old.limit(steps)).executeTakeFirst(),
  );
}
