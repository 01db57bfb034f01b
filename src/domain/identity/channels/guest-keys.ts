import { randomBytes } from "node:crypto";
import type { Insertable, Updateable } from "kysely";
import type { Hub } from "../../../hub.ts";
import type { AtokenTable } from "../../../storage/tables/records.ts";

/** A new key for a guest. */
export function newGuestToken(): string {
  return randomBytes(18).toString("base64url");
}

/** Stores the key of a new guest and answers its id; undefined when the channel has a guest of that name. */
export async function addGuestKey(hub: Hub, key: Insertable<AtokenTable>): Promise<number | undefined> {
  const row = await hub.db
    .insertInto("atoken")
    .values(key)
    .onConflict((conflict) => conflict.columns(["atoken_uid", "atoken_name"]).doNothing())
    .returning("atoken_id")
    .executeTakeFirst();
  return row?.atoken_id;
}

/** Changes the key of a guest. */
export async function changeGuestKey(hub: Hub, id: number, changes: Updateable<AtokenTable>): Promise<void> {
  await hub.db.updateTable("atoken").set(changes).where("atoken_id", "=", id).execute();
}

/** Nobody comes in by this key any more. */
export async function deleteGuestKey(hub: Hub, id: number): Promise<void> {
  await hub.db.deleteFrom("atoken").where("atoken_id", "=", id).execute();
}
