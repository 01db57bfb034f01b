import { sql } from "kysely";
import type { SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";
import { addJobWhere } from "../../jobs/queue.ts";

/**
 * Who is let in to more of the channel's threads reads them as they are: what somebody keeps as it was may go (decision 165). Part of
 * the transaction that lets them in; a hub where nobody keeps anything has nothing to do.
 */
export async function planEndOfKeeping(hub: Hub, owner: number): Promise<void> {
  const isKept = sql<SqlBool>`exists (select 1 from message where version < 0)`;
  await addJobWhere(hub, "end-keeping", { owner }, {}, () => isKept);
}
