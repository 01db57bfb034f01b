import { sql } from "kysely";
import { momentIn } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { fromSqlDate, sqlDate } from "../../storage/sql.ts";
import type { Tables } from "../../storage/tables/index.ts";

/** What a channel may do so often in so many milliseconds, and the column (of a table with `uid`) that says when it has. */
export type SlidingWindow = { table: keyof Tables; column: string; most: number; span: number };

/** When the channel may do it once more, if that is not now. */
export async function freeAgain(
  hub: Hub,
  uid: number,
  { table, column, most, span }: SlidingWindow,
): Promise<string | undefined> {
  const at = sql.ref(column);
  const last = sql<{ moment: string }>`select ${at} as moment from ${sql.table(table)} where uid = ${uid}
    and ${at} > ${momentIn(hub, -span)} order by ${at} desc limit 1 offset ${most - 1}`;
  const [row] = (await last.execute(hub.db)).rows;
  return row && sqlDate(new Date(fromSqlDate(row.moment).getTime() + span));
}
