import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Hub } from "../../../hub.ts";
import { compiled } from "../../../storage/compiled-query.ts";
import { isOneOf } from "../../../storage/sql.ts";
import type { ColumnName, RowOf } from "../../../storage/row-of.ts";
import { directMark, unlisted } from "../save.ts";

const columns = [
  "item.id",
  "item.allow_cid",
  "item.allow_gid",
  "item.deny_cid",
  "item.deny_gid",
  "item.public_policy",
  "message.mid",
  "message.edited",
  "message.revision",
  "message.obj_type",
  "message.obj",
] as const satisfies readonly ColumnName[];

/** What applications show of a status besides what its item has: for everybody else the page is as narrow as before. */
export type StatusDetails = RowOf<typeof columns> & { unlisted: number; direct: number };

/** That of these items, by id, in one query. */
export async function loadStatusDetails(hub: Hub, ids: readonly number[]): Promise<Map<number, StatusDetails>> {
  if (ids.length === 0) return new Map();
  const rows = await compiled(hub, "details of statuses", { ids: [...ids] }, (slots) =>
    hub.db
      .selectFrom("item")
      .innerJoin("message", "message.id", "item.message_id")
      .select(columns)
      .select([isMarked(unlisted).as("unlisted"), isMarked(directMark).as("direct")])
      .where(isOneOf(hub.engine, sql.ref("item.id"), slots.ids)),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

function isMarked({ cat, k }: { cat: string; k: string }): RawBuilder<number> {
  return sql<number>`case when exists (select 1 from iconfig m where m.message_id = item.message_id and m.uid = 0
    and m.cat = ${sql.lit(cat)} and m.k = ${sql.lit(k)}) then 1 else 0 end`;
}
