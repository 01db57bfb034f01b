import { sql } from "kysely";
import type { SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import type { Observer } from "../identity/channels/channel.ts";

/** Those of these channels of which the observer sees a profile that hides the connections. */
export async function channelsHiding(hub: Hub, observer: Observer, uids: readonly number[]): Promise<Set<number>> {
  if (uids.length === 0) return new Set();
  const assigned = sql`select 1 from abook a join profile q on q.uid = a.abook_channel and q.profile_guid = a.abook_profile
    where a.abook_channel = profile.uid and a.abook_xchan = ${observer?.hash ?? ""}
    and a.abook_pending = 0 and a.abook_self = 0`;
  const rows = await hub.db
    .selectFrom("profile")
    .select("uid")
    .where(isOneOf(hub.engine, sql.ref("profile.uid"), uids))
    .where("hide_friends", "=", 1)
    .where(sql<SqlBool>`(exists (${assigned} and q.profile_guid = profile.profile_guid)
      or (profile.is_default = 1 and not exists (${assigned})))`)
    .execute();
  return new Set(rows.map((row) => row.uid));
}
