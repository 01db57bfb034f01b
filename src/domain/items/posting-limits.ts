import { sql } from "kysely";
import { refusal } from "../../errors.ts";
import { inTransaction, momentIn } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { fromSqlDate } from "../../storage/sql.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { getSettings, setSetting, siteTable } from "../identity/site/site-settings.ts";

/** The spans of time that have a limit. */
export const postingSpans = ["day", "week", "month"] as const;
type Span = (typeof postingSpans)[number];

/** How many posts a channel may begin in a day, a week and a month of thirty days; 0 is as many as it likes. */
export type PostingLimits = Record<Span, number>;

const days: Readonly<Record<Span, number>> = { day: 1, week: 7, month: 30 };

const settings = { day: "postsPerDay", week: "postsPerWeek", month: "postsPerMonth" } as const;

/** Where the settings of the site are kept that hold them. */
export const postingLimitKeys: readonly string[] = postingSpans.map((span) => siteTable[settings[span]].k);

/** The limits of the site; off unless the administrator sets them. */
export async function postingLimits(hub: Hub): Promise<PostingLimits> {
  const found = await getSettings(hub, Object.values(settings));
  return { day: found.postsPerDay, week: found.postsPerWeek, month: found.postsPerMonth };
}

/** The limits in what is kept under `postingLimitKeys`. */
export function postingLimitsIn(kept: ReadonlyMap<string, string>): PostingLimits {
  const limit = (span: Span): number => siteTable[settings[span]].read(kept.get(siteTable[settings[span]].k));
  return { day: limit("day"), week: limit("week"), month: limit("month") };
}

/** Sets limits of the site; those that are left out stay. */
export async function setPostingLimits(hub: Hub, limits: Partial<PostingLimits>): Promise<void> {
  await inTransaction(hub, async (hub) => {
    for (const span of postingSpans) {
      const most = limits[span];
      if (most !== undefined) await setSetting(hub, settings[span], most);
    }
  });
}

/** Throws too-many when the channel has begun as many posts as it may; answers to others are not counted. */
export async function refuseTooManyPosts(hub: Hub, author: Channel, limits: PostingLimits): Promise<void> {
  for (const span of postingSpans) {
    const most = limits[span];
    const first = most === 0 ? undefined : await firstOf(hub, author, span, most);
    if (first !== undefined) throw refusal("posting_limit", { span, most, retryAfter: secondsLeft(hub, first, span) });
  }
}

/** The date of the post that must be older before there may be another one; undefined while there are fewer. */
async function firstOf(hub: Hub, author: Channel, span: Span, most: number): Promise<string | undefined> {
  const begin = momentIn(hub, -days[span] * 86_400_000);
  const row = await hub.db
    .selectFrom("item")
    .select("created")
    .where("uid", "=", author.channel_id)
    .where("item_normal", "=", sql.lit(1))
    .where("item_wall", "=", sql.lit(1))
    .where("item_thread_top", "=", sql.lit(1))
    .where("author_id", "=", author.xchan_id)
    .where("created", ">", begin)
    .orderBy("created", "desc")
    .limit(1)
    .offset(most - 1)
    .executeTakeFirst();
  return row?.created;
}

function secondsLeft(hub: Hub, first: string, span: Span): number {
  const over = fromSqlDate(first).getTime() + days[span] * 86_400_000;
  return Math.max(1, Math.ceil((over - hub.clock().getTime()) / 1000));
}
