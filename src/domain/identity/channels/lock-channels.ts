import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";

/**
 * Those who change what belongs to these channels take turns until the end of their transactions, always in the same
 * order. SQLite has one writer anyway.
 */
export async function lockChannels(hub: Hub, channelIds: readonly number[]): Promise<void> {
  if (hub.engine !== "postgres") return;
  await hub.db
    .selectFrom("channel")
    .select("channel_id")
    .where((eb) => isOneOf(hub.engine, eb.ref("channel_id"), channelIds))
    .orderBy("channel_id")
    .forNoKeyUpdate()
    .execute();
}
