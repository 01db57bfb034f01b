import { momentIn } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { fromSqlDate, sqlDate } from "../../../storage/sql.ts";

/** How often others are asked who somebody is for the lists of one channel (decision 60). */
const [most, span] = [30, 600 * 1000];

/** When others may be asked once more, if that is not now. */
export async function looksFreeAgain(hub: Hub, uid: number): Promise<string | undefined> {
  const row = await hub.db
    .selectFrom("list_import_entry")
    .select("looked")
    .where("uid", "=", uid)
    .where("looked", ">", momentIn(hub, -span))
    .orderBy("looked", "desc")
    .offset(most - 1)
    .limit(1)
    .executeTakeFirst();
  return row && sqlDate(new Date(fromSqlDate(row.looked).getTime() + span));
}
