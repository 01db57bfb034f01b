import { sql } from "kysely";
import type { Hub } from "../../../hub.ts";
import { countJobs } from "../../../jobs/queue.ts";

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
