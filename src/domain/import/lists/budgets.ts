import { momentIn } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { fromSqlDate, sqlDate } from "../../../storage/sql.ts";

/** How often others are asked for the lists of one channel (federation contract 13, decision 60). */
const budgets = {
  looked: { most: 30, seconds: 600 },
  followed: { most: 400, seconds: 24 * 3600 },
} as const;

/** When others may be asked once more, if that is not now. */
export async function freeAgain(hub: Hub, uid: number, what: keyof typeof budgets): Promise<string | undefined> {
  const { most, seconds } = budgets[what];
  const since = momentIn(hub, -seconds * 1000);
  const row = await hub.db
    .selectFrom("list_import_entry")
    .select(`${what} as at`)
    .where("uid", "=", uid)
    .where(what, ">", since)
    .orderBy(what, "desc")
    .offset(most - 1)
    .limit(1)
    .executeTakeFirst();
  return row && sqlDate(new Date(fromSqlDate(row.at).getTime() + seconds * 1000));
}
