import { randomUUID } from "node:crypto";
import { missing, refusal } from "../../errors.ts";
import { inTransaction, momentIn, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import type { Selectable } from "kysely";
import type { ReportTable } from "../../storage/tables/reports.ts";
import { lockChannels } from "../identity/channels/lock-channels.ts";
import { getSetting } from "../identity/site/site-settings.ts";
import { addDeed, addJob } from "../../jobs/queue.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { observerOf } from "../identity/channels/observer.ts";
import { siteActor } from "../identity/channels/site-actor.ts";
import { findVisibleItem } from "../items/find.ts";
import type { ItemRef } from "../items/find.ts";
import { findKnown } from "../people/known-person.ts";

export const longestReport = 1000;
const mostItems = 20;
const mostPerDay = 20;
const day = 24 * 3600 * 1000;

/** Of whom somebody complains, by hash, and of which of their items. */
export type NewReport = {
  person: string;
  items: readonly ItemRef[];
  comment: string;
  forward: boolean;
  category?: ReportCategory;
  /** Numbers of the rules of the hub that it is against. */
  rules?: readonly number[];
};

export const reportCategories = ["spam", "legal", "violation", "other"] as const;
export type ReportCategory = (typeof reportCategories)[number];

/** A report as the one who made it is shown it. */
export type MadeReport = Selectable<ReportTable>;

/**
 * Tells those who run the hub of somebody, and with `forward` those who run theirs. Nobody else learns of it. Throws missing
 * for people and items that the channel does not see, invalid, too-large, too-many.
 */
export async function report(
  hub: Hub,
  channel: Channel,
  { person, items, comment, forward, category = "other", rules = [] }: NewReport,
): Promise<MadeReport> {
  const words = comment.trim();
  if (words.length > longestReport) throw refusal("report_too_long", { most: longestReport });
  const known = await findKnown(hub, channel.channel_id, { hash: person });
  if (!known) throw missing("Identity");
  if (known.xchan_id === channel.xchan_id) throw refusal("report_of_oneself");
  const messages = await messagesBy(hub, channel, known.xchan_id, items.slice(0, mostItems));
  await checkRules(hub, category, rules);
  return inTransaction(hub, async (hub) => {
    if ((await countToday(hub, channel.xchan_id)) >= mostPerDay)
      throw refusal("reports_too_many", { most: mostPerDay });
    const made = await hub.db
      .insertInto("report")
      .values({
        flag_id: `${hub.config.baseUrl}/activity/${randomUUID()}`,
        reporter_id: channel.xchan_id,
        person_id: known.xchan_id,
        messages: JSON.stringify(messages),
        comment: words,
        forwarded: forward ? 1 : 0,
        created: now(hub),
        category,
        rules: JSON.stringify(rules),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await addJob(hub, "notify-report", { report: made.id });
    if (forward) await addDeed(hub, (await siteActor(hub)).channel_id, { deed: "report", report: made.id });
    return made;
  });
}

const again = 10 * 60 * 1000;

/** The same of a program, which may send again what has arrived: within ten minutes the first report of somebody counts. */
export async function reportOnce(hub: Hub, channel: Channel, given: NewReport): Promise<MadeReport> {
  return inTransaction(hub, async (hub) => {
    await lockChannels(hub, [channel.channel_id]);
    const first = await hub.db
      .selectFrom("report")
      .selectAll()
      .where("reporter_id", "=", channel.xchan_id)
      .where("created", ">", momentIn(hub, -again))
      .where("person_id", "in", (eb) =>
        eb.selectFrom("xchan").select("xchan_id").where("xchan_hash", "=", given.person),
      )
      .orderBy("id")
      .executeTakeFirst();
    return first ?? report(hub, channel, given);
  });
}

async function checkRules(hub: Hub, category: ReportCategory, rules: readonly number[]): Promise<void> {
  if (category === "violation" && rules.length === 0) throw refusal("report_needs_rules");
  const known = rules.length === 0 ? 0 : (await getSetting(hub, "rules")).length;
  if (rules.some((rule) => rule < 1 || rule > known)) throw refusal("report_rule_unknown");
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
