import type { Hub } from "../../../hub.ts";
import type { Flagged } from "./account-flags.ts";

/**
 * What is written takes its time, and who it is for may be removed meanwhile. Whoever holds them in the transaction that writes knows
 * whether they are there, and a removal waits for its end and finds all of it. SQLite has one writer anyway.
 */

/** Keeps the account as it is until the end of the transaction. Answers its flags, or nothing where there is none. */
export async function holdAccount(hub: Hub, accountId: number): Promise<Flagged | undefined> {
  const account = hub.db.selectFrom("account").select("account_flags").where("account_id", "=", accountId);
  return (hub.engine === "postgres" ? account.forNoKeyUpdate() : account).executeTakeFirst();
}

/** Keeps the channel as it is until the end of the transaction. Answers whether it is there and not removed. */
export async function holdChannel(hub: Hub, channelId: number): Promise<boolean> {
  const channel = hub.db
    .selectFrom("channel")
    .select("channel_id")
    .where("channel_id", "=", channelId)
    .where("channel_removed", "=", 0);
  const found = await (hub.engine === "postgres" ? channel.forNoKeyUpdate() : channel).executeTakeFirst();
  return found !== undefined;
}
