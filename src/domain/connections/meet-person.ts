import { inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { countConnections } from "../identity/channels/connection-counts.ts";
import { lockChannels } from "../identity/channels/lock-channels.ts";
import type { ForeignActor } from "../identity/xchans/foreign-actor.ts";
import { comparableId } from "../identity/xchans/foreign-ids.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";
import { meetActor } from "../peers/meet-actor.ts";
import { isOneOf, zeroDate } from "../../storage/sql.ts";

/**
 * Takes over what an actor's document says, as `meetActor` does. Where they were not found before, the connections that were archived with
 * that, and that no owner has touched since, are as they were; what has ended by their own word has nothing to go on with.
 */
export async function meetPerson(hub: Hub, described: ForeignActor): Promise<Xchan> {
  return inTransaction(hub, async (hub) => {
    await resumeConnections(hub, described.id);
    return meetActor(hub, described);
  });
}

async function resumeConnections(hub: Hub, id: string): Promise<void> {
  const lost = await hub.db
    .selectFrom("actor")
    .innerJoin("abook", "abook_xchan", "actor_id")
    .select(["abook_id", "abook_channel"])
    .where("compared", "=", comparableId(id))
    .where("gone", ">", zeroDate)
    .where("abook_archived", "=", 1)
    .whereRef("abook_updated", "=", "gone")
    .where((eb) => eb.or([eb("follow_out", "<>", "none"), eb("follow_in", "<>", "none")]))
    .execute();
  if (lost.length === 0) return;
  const channels = lost.map((row) => row.abook_channel);
  await lockChannels(hub, channels);
  const ids = lost.map((row) => row.abook_id);
  await hub.db
    .updateTable("abook")
    .set({ abook_archived: 0, abook_updated: now(hub) })
    .where((eb) => isOneOf(hub.engine, eb.ref("abook_id"), ids))
    .execute();
  await countConnections(hub, channels);
}
