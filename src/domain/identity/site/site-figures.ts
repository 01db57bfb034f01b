import { sql } from "kysely";
import { oncePerHub } from "../../../caches.ts";
import type { Hub } from "../../../hub.ts";
import { countJobs } from "../../../jobs/queue.ts";
import { sqlDate } from "../../../storage/sql.ts";

/** What administrators see of the size of the site. */
export type SiteFigures = { accounts: number; channels: number; waitingJobs: number; deadJobs: number };

/** What an administrator wants to see at a glance. */
export async function siteFigures(hub: Hub): Promise<SiteFigures> {
  const [accounts, channels, jobs] = await Promise.all([
    hub.db
      .selectFrom("account")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow(),
    hub.db
      .selectFrom("channel")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("channel_removed", "=", sql.lit(0))
      .where("channel_system", "=", sql.lit(0))
      .executeTakeFirstOrThrow(),
    countJobs(hub),
  ]);
  return {
    accounts: Number(accounts.count),
    channels: Number(channels.count),
    waitingJobs: jobs.waiting,
    deadJobs: jobs.dead,
  };
}

/** What other servers are told of the size of the site. */
export type UsageFigures = {
  channels: number;
  activeMonth: number;
  activeHalfyear: number;
  posts: number;
  peers: number;
};

/** How long these figures are told before they are counted again, in milliseconds. */
const lasting = 10 * 60_000;

const usage = oncePerHub((): { figures?: UsageFigures; until: number } => ({ until: 0 }));

/**
 * What the hub tells anybody about its size: channels, how many of them have posted or whose accounts have logged in within 30 and
 * 180 days, their public posts, and the other hubs that it knows.
 */
export async function usageFigures(hub: Hub): Promise<UsageFigures> {
  const known = usage(hub);
  const moment = hub.clock().getTime();
  if (known.figures && known.until > moment) return known.figures;
  const figures = await countUsage(hub, moment);
  Object.assign(known, { figures, until: moment + lasting });
  return figures;
}

async function countUsage(hub: Hub, moment: number): Promise<UsageFigures> {
  const since = (days: number) => {
    const date = sqlDate(new Date(moment - days * 24 * 3600_000));
    return sql<number>`coalesce(sum(case when account_lastlog >= ${date} or channel_lastpost >= ${date} then 1 else 0 end), 0)`;
  };
  const row = await hub.db
    .selectFrom("channel")
    .innerJoin("account", "account_id", "channel_account_id")
    .innerJoin("xchan", "xchan_hash", "channel_hash")
    .select((eb) => eb.fn.countAll<number>().as("channels"))
    .select([since(30).as("month"), since(180).as("halfyear")])
    .select(sql<number>`coalesce(sum(statuses_count), 0)`.as("posts"))
    .select(sql<number>`(select count(*) from peer)`.as("peers"))
    .where("channel_removed", "=", sql.lit(0))
    .where("account_flags", "=", sql.lit(0))
    .executeTakeFirstOrThrow();
  return {
    channels: Number(row.channels),
    activeMonth: Number(row.month),
    activeHalfyear: Number(row.halfyear),
    posts: Number(row.posts),
    peers: Number(row.peers),
  };
}
