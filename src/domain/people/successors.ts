import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import { comparableId } from "../identity/xchans/foreign-ids.ts";
import type { AccountDetails } from "./account-details.ts";

/** As whom people who have moved go on, by their xchan_ids: those whom the hub knows, of elsewhere or of its own channels. */
export async function loadSuccessors(
  hub: Hub,
  details: ReadonlyMap<number, AccountDetails>,
): Promise<Map<number, number>> {
  const moved = [...details].flatMap(([id, { movedTo }]) =>
    movedTo === "" ? [] : [[id, comparableId(movedTo)] as const],
  );
  if (moved.length === 0) return new Map();
  const names = [...new Set(moved.map(([, name]) => name))];
  const rows = await hub.db
    .selectFrom("actor")
    .innerJoin("xchan", "xchan.xchan_id", "actor.xchan_id")
    .select(["actor.xchan_id", "compared as name"])
    .where("xchan_deleted", "=", 0)
    .where(isOneOf(hub.engine, sql.ref("compared"), names, "text"))
    .unionAll(
      hub.db
        .selectFrom("xchan")
        .innerJoin("channel", "channel_hash", "xchan_hash")
        .select(["xchan.xchan_id", "xchan_url as name"])
        .where("channel_removed", "=", 0)
        .where(isOneOf(hub.engine, sql.ref("xchan_url"), names, "text")),
    )
    .execute();
  const known = new Map(rows.map(({ name, xchan_id }) => [name, xchan_id]));
  return new Map(
    moved.flatMap(([id, name]) => {
      const successor = known.get(name);
      return successor === undefined || successor === id ? [] : [[id, successor] as const];
    }),
  );
}
