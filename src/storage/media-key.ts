import type { Database } from "./engine.ts";

/** The key that addresses of remote media are signed with; made with the tables. */
export async function readMediaKey(db: Database): Promise<string> {
  const row = await db.selectFrom("setting").select("v").where("k", "=", "media_key").executeTakeFirstOrThrow();
  return row.v;
}
