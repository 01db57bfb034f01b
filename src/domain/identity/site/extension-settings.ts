import type { Hub } from "../../../hub.ts";

/** Settings of the site that extensions keep for themselves; their keys begin with x/NAME/, as no key of the hub's own does. */

function keyOf(extension: string, key: string): string {
  return `x/${extension}/${key}`;
}

export async function extensionSetting(hub: Hub, extension: string, key: string): Promise<string | undefined> {
  const row = await hub.db.selectFrom("setting").select("v").where("k", "=", keyOf(extension, key)).executeTakeFirst();
  return row?.v;
}

/** All that an extension keeps, by key. */
export async function extensionSettings(hub: Hub, extension: string): Promise<Map<string, string>> {
  const start = keyOf(extension, "");
  const rows = await hub.db.selectFrom("setting").selectAll().where("k", "like", `${start}%`).orderBy("k").execute();
  return new Map(rows.map(({ k, v }) => [k.slice(start.length), v]));
}

export async function setExtensionSetting(hub: Hub, extension: string, key: string, v: string): Promise<void> {
  await hub.db
    .insertInto("setting")
    .values({ k: keyOf(extension, key), v })
    .onConflict((conflict) => conflict.column("k").doUpdateSet({ v }))
    .execute();
}

/** Removes one; harmless when there is none. */
export async function removeExtensionSetting(hub: Hub, extension: string, key: string): Promise<void> {
  await hub.db.deleteFrom("setting").where("k", "=", keyOf(extension, key)).execute();
}
