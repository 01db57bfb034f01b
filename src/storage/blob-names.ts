import type { Database } from "./database.ts";

const together = 500;

/** The names of all blobs that rows speak of, some more than once. A table that gains a blob column joins here. */
export async function* blobNames(db: Database): AsyncGenerator<string> {
  let last = 0;
  for (;;) {
    const rows = await db
      .selectFrom("photo")
      .select(["id", "blob"])
      .where("id", ">", last)
      .orderBy("id")
      .limit(together)
      .execute();
    for (const row of rows) yield row.blob;
    if (rows.length < together) return;
    last = rows.at(-1)!.id;
  }
}
