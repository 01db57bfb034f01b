import { sql } from "kysely";
import type { SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";
import { keyPage } from "../../storage/key-page.ts";
import type { KeyPage, KeyWindow } from "../../storage/key-page.ts";

export type { KeyPage, KeyWindow };

/** The lists of people that a channel has by what connects it with them. */
export type PeopleList = "friends" | "followers" | "incoming" | "outgoing" | "blocked" | "muted";

const approved = "abook_pending = 0 and abook_blocked = 0 and abook_archived = 0";

/** Friends are those whose posts the channel receives, followers those who receive the channel's. */
const conditions: Readonly<Record<PeopleList, string>> = {
  friends: `${approved} and follow_out = 'accepted'`,
  followers: `${approved} and follow_in = 'accepted'`,
  incoming: "abook_pending = 1 and abook_blocked = 0 and abook_ignored = 0 and abook_archived = 0",
  outgoing: `${approved} and follow_out = 'requested'`,
  blocked: "abook_blocked = 1",
  muted: "abook_ignored = 1 and abook_blocked = 0",
};

/** One part of such a list, as numbers of identities, the largest first. */
export async function pageOfPeople(hub: Hub, uid: number, list: PeopleList, window: KeyWindow): Promise<KeyPage> {
  return keyPage(hub, peopleIn(hub, uid, list).select("xchan_id as key"), window);
}

/** The same by nickname, in numbered pages. */
export async function peopleByNick(
  hub: Hub,
  uid: number,
  list: PeopleList,
  { count, page }: { count: number; page: number },
): Promise<number[]> {
  // The sign between nickname and host would come after dots, dashes and digits.
  const nick = sql`case xchan_addr when '' then lower(xchan_name) else replace(lower(xchan_addr), '@', ' ') end`;
  const rows = await peopleIn(hub, uid, list)
    .select("xchan_id")
    .orderBy(nick)
    .orderBy("xchan_id")
    .limit(count)
    .offset((page - 1) * count)
    .execute();
  return rows.map((row) => row.xchan_id);
}

function peopleIn(hub: Hub, uid: number, list: PeopleList) {
  return hub.db
    .selectFrom("abook")
    .innerJoin("xchan", "xchan_hash", "abook_xchan")
    .where("abook_channel", "=", uid)
    .where("abook_self", "=", sql.lit(0))
    .where(sql<SqlBool>`${sql.raw(conditions[list])}`);
}
