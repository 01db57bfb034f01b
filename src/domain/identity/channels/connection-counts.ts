import { sql } from "kysely";
import type { ExpressionBuilder } from "kysely";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import type { Tables } from "../../../storage/tables/index.ts";

/** Counts friends and followers of these channels again; part of the change that moved them. */
export async function countConnections(hub: Hub, channelIds: readonly number[]): Promise<void> {
  if (channelIds.length === 0) return;
  await hub.db
    .updateTable("channel")
    .set((eb) => ({ friends_count: counted(eb, "follow_out"), followers_count: counted(eb, "follow_in") }))
    .where((eb) => isOneOf(hub.engine, eb.ref("channel_id"), channelIds))
    .execute();
}

function counted(eb: ExpressionBuilder<Tables, "channel">, direction: "follow_out" | "follow_in") {
  return eb
    .selectFrom("abook")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .whereRef("abook_channel", "=", "channel_id")
    .where(direction, "=", sql.lit("accepted"))
    .where("abook_self", "=", sql.lit(0))
    .where("abook_pending", "=", sql.lit(0))
    .where("abook_blocked", "=", sql.lit(0))
    .where("abook_archived", "=", sql.lit(0))
    .$asScalar()
    .$castTo<number>();
}
