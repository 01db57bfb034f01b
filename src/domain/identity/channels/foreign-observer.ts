import type { Hub } from "../../../hub.ts";
import { zeroDate } from "../../../storage/sql.ts";
import { comparableId } from "../xchans/foreign-ids.ts";
import { nobodyHere, observerElsewhere } from "./observer.ts";
import type { Observer } from "./observer.ts";

/**
 * Somebody of elsewhere as one who looks. Nobody where they have not been met or are gone, and for the actor of a whole server:
 * everybody there reads in its name (federation contract 8.3).
 */
export async function findForeignObserver(hub: Hub, actorId: string): Promise<Observer> {
  const row = await hub.db
    .selectFrom("actor")
    .innerJoin("xchan", "xchan.xchan_id", "actor.xchan_id")
    .select(["xchan.xchan_id", "xchan_hash", "xchan_network"])
    .where("compared", "=", comparableId(actorId))
    .where("gone", "=", zeroDate)
    .where("xchan_deleted", "=", 0)
    .where("type", "!=", "Application")
    .executeTakeFirst();
  return row ? observerElsewhere(row) : nobodyHere(hub);
}
