import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import type { File } from "./types.ts";

/** The two paths of an entry: hashes and names from the top level down. */
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
      ? sql`select entry.hash, entry.hash as os_path, entry.filename as display_path from attach entry
          where entry.uid = ${uid} and entry.folder = '' and entry.latest = 1`
      : sql`select entry.hash, entry.os_path, entry.display_path from attach entry
          where entry.uid = ${uid} and entry.hash = ${folder} and entry.latest = 1`;
  // Imported rows could lie in a circle: no path goes through the same directory twice.
  await sql`with recursive beneath (hash, os_path, display_path) as (${top}
      union all select entry.hash, beneath.os_path || '/' || entry.hash, beneath.display_path || '/' || entry.filename
        from beneath cross join attach entry
        where entry.uid = ${uid} and entry.folder = beneath.hash and entry.latest = 1 and ${holdsNot(hub)})
    update attach set os_path = beneath.os_path, display_path = beneath.display_path from beneath
    where attach.uid = ${uid} and attach.hash = beneath.hash`.execute(hub.db);
}

function holdsNot({ engine }: Hub) {
  return engine === "sqlite"
    ? sql`instr(beneath.os_path, entry.hash) = 0`
    : sql`strpos(beneath.os_path, entry.hash) = 0`;
}
