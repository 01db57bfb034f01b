import type { Hub } from "../../../hub.ts";

/**
 * Brings what the site shows of the channels of an account in line with whether it limits it: they are treated as people of
 * hubs that it limits (federation contract 13). Part of a transaction.
 */
export async function applyLimit(hub: Hub, accountId: number): Promise<void> {
  const { db } = hub;
  await db
    .updateTable("xchan")
    .set((eb) => ({
      xchan_censored: eb
        .selectFrom("account")
        .select("account_limited")
        .where("account_id", "=", accountId)
        .$asScalar()
        .$notNull(),
    }))
    .where(
      "xchan_hash",
      "in",
      db.selectFrom("channel").select("channel_hash").where("channel_account_id", "=", accountId),
    )
    .execute();
}

/** Does the site keep this identity out of what is public? */
export async function isLimited({ db }: Hub, xchanId: number): Promise<boolean> {
  const row = await db.selectFrom("xchan").select("xchan_censored").where("xchan_id", "=", xchanId).executeTakeFirst();
  return row?.xchan_censored === 1;
}
