import { sql } from "kysely";
import type { SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";
import { isInOrder } from "../identity/accounts/accounts.ts";
import { actorIdOf } from "../identity/channels/observer.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { blocksHostOf } from "./blocked-hosts.ts";

/**
 * The nick of the channel that follows the observer, or has asked to, by the Follow with this id (federation contract 3). To everybody
 * else there is none: undefined, also where the channel follows no more, has blocked them, or is gone.
 */
export async function followById(hub: Hub, observer: Observer, id: string): Promise<string | undefined> {
  const actor = actorIdOf(observer);
  if (actor === undefined) return undefined;
  const row = await hub.db
    .selectFrom("abook")
    .innerJoin("channel", "channel_id", "abook_channel")
    .innerJoin("account", "account_id", "channel_account_id")
    .select(["channel_address", "account_flags", "account_expires"])
    .where("follow_out_id", "=", id)
    .where(sql<SqlBool>`follow_out_id <> ''`)
    .where("follow_out", "in", ["requested", "accepted"])
    .where("abook_xchan", "=", observer.hash)
    .where("abook_blocked", "=", 0)
    .where("channel_removed", "=", 0)
    .where(({ not }) => not(blocksHostOf(sql.ref("abook_channel"), actor)))
    .executeTakeFirst();
  return row && isInOrder(hub, row) ? row.channel_address : undefined;
}
