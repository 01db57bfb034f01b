import { sql } from "kysely";
import type { SqlBool } from "kysely";
import { momentIn } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { removeInSteps } from "../../../storage/in-steps.ts";

const day = 24 * 3600 * 1000;
/**
 * Those that never began, or are dismissed, go first; not before what was asked for them counts no more. Followers of a former
 * place who are not told yet wait as long as the channel is there: that place may be gone at any time.
 */
const keptFor = { unseen: 2 * day, over: 30 * day };

/** Removes lists that are over, with their entries. */
export async function trimLists(hub: Hub): Promise<void> {
  const before = (time: number): string => momentIn(hub, -time);
  const old = hub.db
    .selectFrom("list_import")
    .select("list_import.id")
    .where("updated", "<", before(keptFor.unseen))
    .where(
      sql<SqlBool>`(state in ('read', 'dismissed') or (state in ('done', 'stopped') and updated < ${before(keptFor.over)}))`,
    )
    .where(
      sql<SqlBool>`not (state in ('read', 'stopped') and kind = 'followers'
        and exists (select 1 from channel where channel_id = list_import.uid and channel_removed = 0))`,
    );
  const entries = hub.db.selectFrom("list_import_entry").select("list_import_entry.id").where("list_id", "in", old);
  await removeInSteps((most) =>
    hub.db.deleteFrom("list_import_entry").where("id", "in", entries.limit(most)).executeTakeFirst(),
  );
  await removeInSteps((most) => hub.db.deleteFrom("list_import").where("id", "in", old.limit(most)).executeTakeFirst());
}
