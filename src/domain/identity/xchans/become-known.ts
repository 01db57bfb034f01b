import type { Insertable } from "kysely";
import type { Hub } from "../../../hub.ts";
import type { XchanTable } from "../../../storage/tables/identity.ts";

/**
 * Replaces all that was only hearsay about an identity by what is proven; answers nothing where the identity is no hearsay
 * (any more).
 */
export async function becomeKnown(
  hub: Hub,
  columns: Omit<Insertable<XchanTable>, "xchan_created">,
): Promise<{ xchan_id: number } | undefined> {
  return hub.db
    .updateTable("xchan")
    .set({ ...columns, xchan_hearsay: 0 })
    .where("xchan_hash", "=", columns.xchan_hash)
    .where("xchan_hearsay", "=", 1)
    .returning("xchan_id")
    .executeTakeFirst();
}
