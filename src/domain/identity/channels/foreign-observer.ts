import { sql } from "kysely";
import type { SqlBool } from "kysely";
import type { Hub } from "../../../hub.ts";
import { compiled } from "../../../storage/compiled-query.ts";
import { zeroDate } from "../../../storage/sql.ts";
import { comparableId } from "../xchans/foreign-ids.ts";
import { nobodyHere, observerElsewhere } from "./observer.ts";
import type { Observer } from "./observer.ts";

/**
 * Somebody of elsewhere as one who looks. Nobody where they have not been met or are gone, and for the actor of a whole server, by its type
 * or because its host names it so: everybody there reads in its name (federation contract 8.3).
 */
export async function findForeignObserver(hub: Hub, actorId: string): Promise<Observer> {
  const [row] = await compiled(hub, "observer of elsewhere", { id: comparableId(actorId) }, (slots) =>
    hub.db
      .selectFrom("actor")
      .innerJoin("xchan", "xchan.xchan_id", "actor.xchan_id")
      .select(["xchan.xchan_id", "xchan_hash", "xchan_network"])
      .where("compared", "=", slots.id)
      .where("gone", "=", sql.lit(zeroDate))
      .where("xchan_deleted", "=", sql.lit(0))
      .where("type", "!=", sql.lit("Application"))
      .where(sql<SqlBool>`not exists (select 1 from peer where peer.host = actor.host and application = compared)`),
  );
  return row ? observerElsewhere(row) : nobodyHere(hub);
}
