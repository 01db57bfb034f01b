import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import type { FileKind, ReadList } from "./read-list.ts";

const conditions: Readonly<Record<Exclude<FileKind, "hosts">, RawBuilder<SqlBool>>> = {
  follow: sql`abook_blocked = 0 and follow_out in ('requested', 'accepted')`,
  block: sql`abook_blocked = 1`,
  mute: sql`abook_ignored = 1`,
};

/** Those of the names, in small letters, for which the channel has nothing left to do. */
export async function namesThatAreSo(
  hub: Hub,
  uid: number,
  { kind, names }: Pick<ReadList, "kind" | "names">,
): Promise<Set<string>> {
  const asked = names.map((name) => name.toLowerCase());
  if (kind === "hosts") {
    const rows = await hub.db
      .selectFrom("host_block")
      .select("host")
      .where("uid", "=", uid)
      .where("kind", "=", "block")
      .where((eb) => isOneOf(hub.engine, eb.ref("host"), asked))
      .execute();
    return new Set(rows.map((row) => row.host));
  }
  const address = sql<string>`lower(xchan_addr)`;
  const rows = await hub.db
    // SQLite keeps the order of a cross join: from the addresses to what the channel says of them, however many it knows.
    .selectFrom("xchan")
    .crossJoin("abook")
    .select(address.as("address"))
    .whereRef("abook_xchan", "=", "xchan_hash")
    .where("abook_channel", "=", uid)
    .where("xchan_deleted", "=", 0)
    .where(conditions[kind])
    .where(isOneOf(hub.engine, address, asked))
    .execute();
  return new Set(rows.map((row) => row.address));
}
