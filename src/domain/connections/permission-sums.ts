import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { compiled } from "../../storage/compiled-query.ts";
import { isOneOf } from "../../storage/sql.ts";
import { isPermissionName, permissionBits, permissionNames } from "../identity/channels/roles.ts";
import type { PermissionSums } from "./types.ts";

/** The sum of the bits of the rows that grant something. */
export function permissionBitsOf(rows: readonly { k: string; v: string }[]): number {
  const granted = rows.filter((row) => row.v === "1" && isPermissionName(row.k)).map((row) => row.k);
  return permissionNames.filter((name) => granted.includes(name)).reduce((sum, name) => sum + permissionBits[name], 0);
}

/** Adds both bit sets to the rows themselves, in one query for the whole page. */
export async function addPermissions<Row extends { abook_xchan: string }>(
  hub: Hub,
  uid: number,
  rows: readonly Row[],
): Promise<(Row & PermissionSums)[]> {
  const sums = await readSums(
    hub,
    uid,
    rows.map((row) => row.abook_xchan),
  );
  // Copying rows of seventy columns would cost as much as reading them.
  return rows.map((row) =>
    Object.assign(row, {
      abook_my_perms: sums.get(`my_perms ${row.abook_xchan}`) ?? 0,
      abook_their_perms: sums.get(`their_perms ${row.abook_xchan}`) ?? 0,
    }),
  );
}

async function readSums(hub: Hub, uid: number, hashes: readonly string[]): Promise<Map<string, number>> {
  if (hashes.length === 0) return new Map();
  const rows = await compiled(hub, "permission sums", { uid, hashes }, (slots) =>
    hub.db
      .selectFrom("abconfig")
      .select(["xchan", "cat", sql<number>`sum(${bitOfKey})`.as("bits")])
      .where("chan", "=", slots.uid)
      .where((eb) => isOneOf(hub.engine, eb.ref("xchan"), slots.hashes, "text"))
      .where("cat", "in", sql<string>`('my_perms', 'their_perms')`)
      .where("v", "=", sql.lit("1"))
      .groupBy(["xchan", "cat"]),
  );
  return new Map(rows.map((row) => [`${row.cat} ${row.xchan}`, row.bits]));
}

const cases = permissionNames.map((name) => sql`when ${sql.lit(name)} then ${sql.lit(permissionBits[name])}`);
const bitOfKey = sql<number>`case k ${sql.join(cases, sql` `)} else 0 end`;
