import { sql } from "kysely";
import type { Database, Engine } from "./database.ts";
import { isOneOf } from "./sql.ts";

/** Tables with a column `blob` that names bytes in the blob store. A table that gains one joins here. */
const tables = ["photo", "attach"] as const;

const together = 500;

/** The names of all blobs that rows speak of, some more than once. */
export async function* blobNames(db: Database): AsyncGenerator<string> {
  for (const table of tables) {
    let last = 0;
    for (;;) {
      const rows = await db
        .selectFrom(table)
        .select(["id", "blob"])
        .where("id", ">", last)
        .orderBy("id")
        .limit(together)
        .execute();
      for (const row of rows) if (row.blob !== "") yield row.blob;
      if (rows.length < together) break;
      last = rows.at(-1)!.id;
    }
  }
}

/** Those of these names that no row speaks of. */
export async function unusedBlobs(db: Database, engine: Engine, names: readonly string[]): Promise<string[]> {
  const used = new Set<string>();
  for (const table of tables) {
    const rows = await db
      .selectFrom(table)
      .select("blob")
      .where(isOneOf(engine, sql.ref("blob"), names))
      .where("blob", "<>", sql.lit(""))
      .execute();
    for (const row of rows) used.add(row.blob);
  }
  return names.filter((name) => !used.has(name));
}
