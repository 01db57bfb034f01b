import type { Insertable } from "kysely";
import type { Hub } from "../../hub.ts";
import type { NotifyTable } from "../../storage/tables/items.ts";
import { groupKeyOf } from "./groups.ts";

/** Takes a notice over as it was elsewhere. */
export async function restoreNotice(hub: Hub, notice: Omit<Insertable<NotifyTable>, "group_key">): Promise<void> {
  const { kind, verb = "", actor_id = 0, item_id, created, hash } = notice;
  const thing = kind === "reaction" || kind === "tag" ? item_id : 0;
  const group_key = groupKeyOf({ kind, verb, actor_id, created, hash, thing });
  await hub.db
    .insertInto("notify")
    .values({ ...notice, group_key })
    .execute();
}
