import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import type { File } from "./types.ts";

/** The two paths of an entry: hashes and names from the top level down (native contract 2.12). */
export function pathsIn(folder: File | undefined, hash: string, name: string): Pick<File, "os_path" | "display_path"> {
  if (!folder) return { os_path: hash, display_path: name };
  return { os_path: `${folder.os_path}/${hash}`, display_path: `${folder.display_path}/${name}` };
}

/**
 * Writes both paths of everything below a directory anew, from the names and places that the rows have; of everything the
 * channel has for the empty hash.
 */
export async function writePaths(hub: Hub, uid: number, folder: string): Promise<void> {
  const top =
    folder === ""
      ? sql`select e.hash, e.hash as os_path, e.filename as display_path from attach e
          where e.uid = ${uid} and e.folder = '' and e.latest = 1`
      : sql`select e.hash, e.os_path, e.display_path from attach e
          where e.uid = ${uid} and e.hash = ${folder} and e.latest = 1`;
  // Imported rows could lie in a circle: no path goes through the same directory twice.
  await sql`with recursive below (hash, os_path, display_path) as (${top}
      union all select e.hash, below.os_path || '/' || e.hash, below.display_path || '/' || e.filename
        from attach e join below on e.folder = below.hash
        where e.uid = ${uid} and e.latest = 1 and ${holdsNot(hub)})
    update attach set os_path = below.os_path, display_path = below.display_path from below
    where attach.uid = ${uid} and attach.hash = below.hash`.execute(hub.db);
}

function holdsNot({ engine }: Hub) {
  return engine === "sqlite" ? sql`instr(below.os_path, e.hash) = 0` : sql`strpos(below.os_path, e.hash) = 0`;
}
