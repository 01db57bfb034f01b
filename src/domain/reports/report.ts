import { randomUUID } from "node:crypto";
import { missing, refusal } from "../../errors.ts";
import { inTransaction, momentIn, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { addDeed } from "../../jobs/queue.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { observerOf } from "../identity/channels/observer.ts";
import { siteActor } from "../identity/site/site-actor.ts";
import { findVisibleItem } from "../items/find.ts";
import type { ItemRef } from "../items/find.ts";
import { findKnown } from "../people/known-person.ts";

export const longestReport = 1000;
const mostItems = 20;
const mostPerDay = 20;
const day = 24 * 3600 * 1000;

/** Of whom somebody complains, by hash, and of which of their items. */
export type NewReport = { person: string; items: readonly ItemRef[]; comment: string; forward: boolean };

/**
 * Tells those who run the hub of somebody, and with `forward` those who run theirs. Nobody else learns of it. Throws missing
 * for people and items that the channel does not see, invalid, too-large, too-many.
 */
export async function report(
  hub: Hub,
  channel: Channel,
  { person, items, comment, forward }: NewReport,
): Promise<void> {
  const words = comment.trim();
  if (words.length > longestReport) throw refusal("report_too_long", { most: longestReport });
  const known = await findKnown(hub, channel.channel_id, { hash: person });
  if (!known) throw missing("Identity");
  if (known.xchan_id === channel.xchan_id) throw refusal("report_of_oneself");
  const messages = await messagesBy(hub, channel, known.xchan_id, items.slice(0, mostItems));
  await inTransaction(hub, async (hub) => {
    if ((await countToday(hub, channel.xchan_id)) >= mostPerDay)
      throw refusal("reports_too_many", { most: mostPerDay });
    const { id } = await hub.db
      .insertInto("report")
      .values({
        flag_id: `${hub.config.baseUrl}/activity/${randomUUID()}`,
        reporter_id: channel.xchan_id,
        person_id: known.xchan_id,
        messages: JSON.stringify(messages),
        comment: words,
        forwarded: forward ? 1 : 0,
        created: now(hub),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    if (forward) await addDeed(hub, (await siteActor(hub)).channel_id, { deed: "report", report: id });
  });
}

async function messagesBy(hub: Hub, channel: Channel, author: number, refs: readonly ItemRef[]): Promise<number[]> {
  const messages: number[] = [];
  for (const ref of refs) {
    const item = await findVisibleItem(hub, observerOf(channel), ref);
    if (item.author_id !== author) throw refusal("report_of_another");
    messages.push(item.message_id);
  }
  return messages;
}

async function countToday(hub: Hub, reporter: number): Promise<number> {
  const { count } = await hub.db
    .selectFrom("report")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("reporter_id", "=", reporter)
    .where("created", ">", momentIn(hub, -day))
    .executeTakeFirstOrThrow();
  return Number(count);
}
