import { sql } from "kysely";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import { usualLanguage } from "../../identity/accounts/accounts.ts";
import type { Xchan } from "../../identity/xchans/xchans.ts";
import { no } from "../queries.ts";
import { audienceHere, channelsFollowing } from "./readers.ts";
import type { ReceivedAudience } from "./received.ts";

/**
 * The languages of the accounts here for which something by this author is, what most have chosen first; the hub's own comes last.
 * There is one text of it for all (decision 131).
 */
export async function languagesHere(hub: Hub, author: Xchan, given: ReceivedAudience): Promise<string[]> {
  const { named, followers, isPublic } = await audienceHere(hub, author, given);
  const ids = [...named.union(new Set(given.inboxes))];
  const told = hub.db
    .selectFrom("channel as told")
    .select("told.channel_id")
    .where(isOneOf(hub.engine, sql.ref("told.channel_id"), ids));
  const rows = await hub.db
    .selectFrom("channel")
    .innerJoin("account", "account.account_id", "channel.channel_account_id")
    .select("account.account_language as language")
    .where("channel.channel_id", "in", isPublic || followers ? told.unionAll(channelsFollowing(hub, author)) : told)
    .where("channel.channel_removed", "=", no)
    .where("account.account_language", "<>", sql.lit(""))
    .groupBy("account.account_language")
    .orderBy((eb) => eb.fn.countAll(), "desc")
    .orderBy("account.account_language")
    .execute();
  return [...rows.map(({ language }) => language), usualLanguage];
}
