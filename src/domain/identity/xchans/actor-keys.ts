import { sql } from "kysely";
import type { Selectable } from "kysely";
import { momentIn, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { removeInSteps } from "../../../storage/in-steps.ts";
import { isOneOf, zeroDate } from "../../../storage/sql.ts";
import type { ActorKeyTable } from "../../../storage/tables/elsewhere.ts";
import type { ForeignKey } from "./foreign-actor.ts";

/** A key of somebody elsewhere: an id, whose it is, and when its document was read. */
export type ActorKey = Pick<Selectable<ActorKeyTable>, "key_id" | "owner" | "kind" | "key" | "fetched">;

/** The key with this id, unless its owner has given it up. */
export async function findActorKey(hub: Hub, id: string): Promise<ActorKey | undefined> {
  return hub.db
    .selectFrom("actor_key")
    .select(["key_id", "owner", "kind", "key", "fetched"])
    .where("key_id", "=", id)
    .where("gone", "=", zeroDate)
    .executeTakeFirst();
}

/** These are the actor's keys now, and no others; the key of another actor stays that one's. Part of a transaction. */
export async function recordActorKeys(hub: Hub, owner: string, keys: readonly ForeignKey[]): Promise<void> {
  const moment = now(hub);
  const others = hub.db.updateTable("actor_key").set({ gone: moment }).where("owner", "=", owner);
  const ids = keys.map(({ id }) => id);
  await others
    .where("gone", "=", zeroDate)
    .where((eb) => eb.not(isOneOf(hub.engine, sql.ref("key_id"), ids, "text")))
    .execute();
  for (const { id, kind, key } of keys) {
    const columns = { kind, key, fetched: moment, gone: zeroDate };
    await hub.db
      .insertInto("actor_key")
      .values({ ...columns, key_id: id, owner })
      .onConflict((conflict) => conflict.column("key_id").doUpdateSet(columns).where("actor_key.owner", "=", owner))
      .execute();
  }
}

const day = 24 * 3600 * 1000;
const keptFor = 90 * day;
/** A key that is used is read again at the first use after so long. */
export const freshFor = 7 * day;

/** Removes keys that their owners gave up 90 days ago, and those that nobody has used for as long. */
export async function trimActorKeys(hub: Hub): Promise<void> {
  const [given, unused] = [momentIn(hub, -keptFor), momentIn(hub, -keptFor - freshFor)];
  const old = hub.db
    .selectFrom("actor_key")
    .select("id")
    .where((eb) => eb.or([eb.and([eb("gone", ">", zeroDate), eb("gone", "<", given)]), eb("fetched", "<", unused)]));
  await removeInSteps((most) => hub.db.deleteFrom("actor_key").where("id", "in", old.limit(most)).executeTakeFirst());
}
