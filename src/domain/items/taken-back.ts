import type { Hub } from "../../hub.ts";
import { momentIn, now } from "../../hub.ts";
import { comparableId } from "../identity/xchans/foreign-ids.ts";

/** What was taken back before it came: it is not taken when it comes late (federation contract 4.3). */

const keptFor = 24 * 3600 * 1000;

/** Remembers that somebody took back what they did. Part of a transaction. */
export async function rememberTakenBack(hub: Hub, id: string): Promise<void> {
  const moment = now(hub);
  await hub.db
    .insertInto("taken_back")
    .values({ id: comparableId(id), moment })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ moment }))
    .execute();
}

/** Has it been taken back in the last 24 hours? */
export async function isTakenBack(hub: Hub, id: string): Promise<boolean> {
  const row = await hub.db
    .selectFrom("taken_back")
    .select("id")
    .where("id", "=", comparableId(id))
    .where("moment", ">=", oldest(hub))
    .executeTakeFirst();
  return row !== undefined;
}

/** Forgets what nobody asks for any more. */
export async function trimTakenBack(hub: Hub): Promise<void> {
  await hub.db.deleteFrom("taken_back").where("moment", "<", oldest(hub)).execute();
}

function oldest(hub: Hub): string {
  return momentIn(hub, -keptFor);
}
