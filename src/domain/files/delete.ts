import { sql } from "kysely";
import type { SqlBool } from "kysely";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import { releaseBlobs } from "./blobs.ts";
import { keepAudience } from "./message-files.ts";
import { touchFolder } from "./touch.ts";
import type { File } from "./types.ts";

/** The newest revisions of an entry and of everything below it, the entry first. */
export async function filesBelow(hub: Hub, file: File): Promise<File[]> {
  if (file.is_dir === 0) return [file];
  const start = hub.engine === "postgres" ? sql`${file.hash}::text collate "C"` : sql`${file.hash}`;
  // The cross join is an ordinary one that SQLite works off in this order.
  const beneath = sql`with recursive beneath (hash) as (select ${start}
    union select entry.hash from beneath cross join attach entry
      where entry.uid = ${file.uid} and entry.folder = beneath.hash and entry.latest = 1)
    select hash from beneath`;
  const rows = await hub.db
    .selectFrom("attach")
    .selectAll()
    .where("uid", "=", file.uid)
    .where("latest", "=", sql.lit(1))
    .where(sql<SqlBool>`hash in (${beneath})`)
    .orderBy("id")
    .execute();
  return [file, ...rows.filter((row) => row.hash !== file.hash)];
}

/**
 * Removes the records of these entries with all their revisions, and lets their bytes go. Photos and items that belong to
 * them are the caller's business (domain/cloud), and so is what lies in a directory: see `filesBelow`.
 */
export async function deleteFiles(hub: Hub, files: readonly File[]): Promise<void> {
  await inTransaction(hub, async (hub) => {
    for (const [uid, some] of Map.groupBy(files, (file) => file.uid)) {
      const hashes = new Set(some.map((file) => file.hash));
      const gone = await hub.db
        .deleteFrom("attach")
        .where("uid", "=", uid)
        .where(isOneOf(hub.engine, sql.ref("hash"), [...hashes]))
        .returning(["blob"])
        .execute();
      await keepAudience(hub, uid, [...hashes]);
      await releaseBlobs(
        hub,
        gone.map((row) => row.blob),
      );
      const above = new Set(some.map((file) => file.folder).filter((folder) => !hashes.has(folder)));
      for (const folder of above) await touchFolder(hub, uid, folder);
    }
  });
}
