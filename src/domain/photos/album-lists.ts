import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { listNames } from "../groups/lists.ts";
import { hasLists, listsOf } from "../files/lists.ts";
import type { File, Lists } from "../files/types.ts";

/**
 * The four lists of a file and of the directories above it that name somebody, the file's first, each once: whoever
 * sees the file is admitted by all of them.
 */
export async function listsAbove(hub: Hub, file: File): Promise<Lists[]> {
  // Imported rows could lie in a circle, so directories are taken once.
  const above = sql<string>`(with recursive above (hash, folder) as (
    select d.hash, d.folder from attach d where d.uid = ${file.uid} and d.hash = ${file.folder} and d.is_dir = 1
    union select d.hash, d.folder from attach d join above on d.hash = above.folder
      where d.uid = ${file.uid} and d.is_dir = 1)
    select hash from above)`;
  const folders =
    file.folder === ""
      ? []
      : await hub.db
          .selectFrom("attach")
          .select(listNames)
          .where("uid", "=", file.uid)
          .where("is_dir", "=", sql.lit(1))
          .where("hash", "in", above)
          .execute();
  const named = [listsOf(file), ...folders].filter(hasLists);
  return [...new Map(named.map((lists) => [JSON.stringify(listsOf(lists)), lists])).values()];
}
