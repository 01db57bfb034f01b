import type { Selectable } from "kysely";
import { now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import type { ConfigTable } from "../../../storage/tables/identity.ts";

export type ConfigRow = Selectable<ConfigTable>;

/** One setting of a channel. */
export async function getConfig(hub: Hub, uid: number, cat: string, k: string): Promise<string | undefined> {
  const row = await hub.db
    .selectFrom("config")
    .select("v")
    .where("uid", "=", uid)
    .where("cat", "=", cat)
    .where("k", "=", k)
    .executeTakeFirst();
  return row?.v;
}

/** All settings of one family, by key. */
export async function getConfigs(hub: Hub, uid: number, cat: string): Promise<Map<string, string>> {
  const rows = await hub.db
    .selectFrom("config")
    .select(["k", "v"])
    .where("uid", "=", uid)
    .where("cat", "=", cat)
    .execute();
  return new Map(rows.map((row) => [row.k, row.v]));
}

/** Writes one setting. */
export async function setConfig(hub: Hub, uid: number, cat: string, k: string, v: string): Promise<void> {
  await setConfigs(hub, uid, cat, { [k]: v });
}

/** Writes several settings of one family. */
export async function setConfigs(
  hub: Hub,
  uid: number,
  cat: string,
  values: Record<string, string | number>,
): Promise<void> {
  const updated = now(hub);
  await hub.db
    .insertInto("config")
    .values(Object.entries(values).map(([k, v]) => ({ uid, cat, k, v: String(v), updated })))
    .onConflict((conflict) =>
      conflict
        .columns(["uid", "cat", "k"])
        .doUpdateSet((eb) => ({ v: eb.ref("excluded.v"), updated: eb.ref("excluded.updated") })),
    )
    .execute();
}

/** Removes one setting; harmless when there is none. */
export async function removeConfig(hub: Hub, uid: number, cat: string, k: string): Promise<void> {
  await hub.db.deleteFrom("config").where("uid", "=", uid).where("cat", "=", cat).where("k", "=", k).execute();
}

/** All settings of a channel, or those of one family, by id: what exports carry. */
export async function listConfig(hub: Hub, uid: number, cat?: string): Promise<ConfigRow[]> {
  const all = hub.db.selectFrom("config").selectAll().where("uid", "=", uid).orderBy("id");
  return (cat === undefined ? all : all.where("cat", "=", cat)).execute();
}
