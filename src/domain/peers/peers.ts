import type { Selectable } from "kysely";
import { momentIn, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { trimActorKeys } from "../identity/xchans/actor-keys.ts";
import type { PeerTable } from "../../storage/tables/elsewhere.ts";
import { trimFetchBudgets } from "./fetch-budgets.ts";

export type Peer = Selectable<PeerTable>;

/** The hub has heard of another one, or from it. Part of the transaction that says so. */
export async function recordPeer(hub: Hub, host: string): Promise<void> {
  const moment = now(hub);
  await hub.db
    .insertInto("peer")
    .values({ host, first_contact: moment, last_contact: moment })
    .onConflict((conflict) => conflict.column("host").doUpdateSet({ last_contact: moment }))
    .execute();
}

/** Another hub by its host. */
export async function findPeer(hub: Hub, host: string): Promise<Peer | undefined> {
  return hub.db.selectFrom("peer").selectAll().where("host", "=", host).executeTakeFirst();
}

const keptFor = 365 * 24 * 3600 * 1000;

/** Removes hubs of whom nothing has been heard for a year and nobody is known, keys that were given up, and what was asked for long ago; a scheduled job. */
export async function trimPeers(hub: Hub): Promise<void> {
  await trimActorKeys(hub);
  await trimFetchBudgets(hub);
  const oldest = momentIn(hub, -keptFor);
  await hub.db
    .deleteFrom("peer")
    .where("last_contact", "<", oldest)
    .where((eb) => eb.not(eb.exists(eb.selectFrom("actor").select("id").whereRef("actor.host", "=", "peer.host"))))
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom("delivery").select("id").whereRef("delivery.host", "=", "peer.host"))),
    )
    .execute();
}
