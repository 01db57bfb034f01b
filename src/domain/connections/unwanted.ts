import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import { peopleOfHosts } from "./blocked-hosts.ts";
import type { Abook } from "./types.ts";

/**
 * Nothing of those who are ignored is accepted, nor shown where they were looked for; who is blocked is shown nowhere, and nor is
 * who, elsewhere, has blocked the channel.
 */
export type Unwanted = "ignored too" | "only blocked";

/** Is a row of `abook` about somebody whom its channel has blocked, or ignores? `row` is its name in the statement. */
export function isUnwanted(row = "abook", which: Unwanted = "ignored too"): RawBuilder<SqlBool> {
  const flag = (name: keyof Abook) => sql`${sql.ref(`${row}.${name}`)} = 1`;
  const [blocked, ignored, shutOut] = [flag("abook_blocked"), flag("abook_ignored"), flag("abook_shut_out")];
  // Word for word as the index `abook_unwanted` says it, or SQLite looks through all connections.
  const any = sql<SqlBool>`(${blocked} or ${ignored} or ${shutOut})`;
  return which === "only blocked" ? sql<SqlBool>`(${any} and (${blocked} or ${shutOut}))` : any;
}

/** The same of a row that has been read; nobody is unwanted without one. */
export function isUnwantedRow(
  row: { [Name in "abook_blocked" | "abook_ignored"]: Abook[Name] | null } | undefined,
): boolean {
  return row?.abook_blocked === 1 || row?.abook_ignored === 1;
}

/** The people whom the channel has blocked, or ignores, themselves or with their whole host: a query for their ids (`id`). */
export function unwantedBy(
  uid: RawBuilder<unknown> | number,
  which: Unwanted = "ignored too",
): RawBuilder<{ id: number }> {
  return sql<{ id: number }>`select x.xchan_id as id from abook a join xchan x on x.xchan_hash = a.abook_xchan
    where a.abook_channel = ${uid} and ${isUnwanted("a", which)}
    union all ${peopleOfHosts(uid, which === "only blocked" ? "blocked" : "both")}`;
}
