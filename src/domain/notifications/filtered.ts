import { sql } from "kysely";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import { setConfigs } from "../identity/channels/channel-config.ts";
import { families } from "../identity/channels/channel-settings.ts";
import { emitToChannels } from "../live/emit.ts";

/** What becomes of notices that a policy has kept apart: the channel lets the people be heard who did it, or does not. */

/**
 * Lets people be heard, each by the id of any notice of theirs that is kept apart: all of those stand among the others from now on, and
 * nothing of theirs is kept apart any more, whatever the policy says. Answers how many people there were.
 */
export async function acceptRequests(hub: Hub, uid: number, ids: readonly number[]): Promise<number> {
  return inTransaction(hub, async (hub) => {
    const actors = await actorsOf(hub, uid, ids);
    if (actors.length === 0) return 0;
    const stored = { filtered: 0, listed: 1, seen: 0 };
    await hub.db
      .updateTable("notify")
      .set(stored)
      .where(filteredOf(hub, uid, actors))
      .execute();
    await letIn(hub, uid, actors);
    await emitToChannels(hub, "notices", [uid]);
    await emitToChannels(hub, "merged", [uid]);
    return actors.length;
  });
}

/** Removes what was kept apart of people; what they do next is kept apart again. Answers how many people there were. */
export async function dismissRequests(hub: Hub, uid: number, ids: readonly number[]): Promise<number> {
  return inTransaction(hub, async (hub) => {
    const actors = await actorsOf(hub, uid, ids);
    if (actors.length > 0)
      await hub.db
        .deleteFrom("notify")
        .where(filteredOf(hub, uid, actors))
        .execute();
    return actors.length;
  });
}

async function letIn(hub: Hub, uid: number, actors: readonly number[]): Promise<void> {
  const people = await hub.db
    .selectFrom("xchan")
    .select("xchan_hash")
    .where(isOneOf(hub.engine, sql.ref("xchan_id"), actors))
    .execute();
  await setConfigs(hub, uid, families.letIn, Object.fromEntries(people.map(({ xchan_hash }) => [xchan_hash, "1"])));
}

async function actorsOf(hub: Hub, uid: number, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await hub.db
    .selectFrom("notify")
    .select("actor_id")
    .distinct()
    .where("uid", "=", uid)
    .where("filtered", "=", sql.lit(1))
    .where(isOneOf(hub.engine, sql.ref("id"), ids))
    .execute();
  return rows.map(({ actor_id }) => actor_id);
}

function filteredOf({ engine }: Hub, uid: number, actors: readonly number[]) {
  return sql<boolean>`uid = ${uid} and filtered = 1 and ${isOneOf(engine, sql.ref("actor_id"), actors)}`;
}
