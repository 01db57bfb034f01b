import type { Hub } from "../../hub.ts";

/**
 * Locks the files of an account for whatever changes them, so that names stay unique, directories hold together and the quota
 * is kept. SQLite has one writer anyway.
 */
export async function lockFiles(hub: Hub, accountId: number): Promise<void> {
  if (hub.engine !== "postgres") return;
  await hub.db
    .selectFrom("account")
    .select("account_id")
    .where("account_id", "=", accountId)
    .forNoKeyUpdate()
    .execute();
}
