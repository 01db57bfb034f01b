import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { numberedName } from "./names.ts";

/** The name with the lowest number that is free in the directory. */
export async function freeName(hub: Hub, uid: number, folder: string, name: string): Promise<string> {
  const rows = await hub.db
    .selectFrom("attach")
    .select("filename")
    .where("uid", "=", uid)
    .where("folder", "=", folder)
    .where("latest", "=", sql.lit(1))
    .execute();
  const taken = new Set(rows.map((row) => row.filename));
  let free = name;
  for (let number = 1; taken.has(free); number++) free = numberedName(name, number);
  return free;
}
