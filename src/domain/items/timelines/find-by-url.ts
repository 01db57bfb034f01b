import { sql } from "kysely";
import type { SqlBool } from "kysely";
import { unlessMissing } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import type { Observer } from "../../identity/channels/observer.ts";
import { findVisibleItem } from "../find.ts";
import type { ItemRef } from "../find.ts";
import type { Item } from "../types.ts";

/** The status with this permalink or message id, if the observer may see it; other hubs are not asked. */
export async function findByUrl(hub: Hub, observer: Observer, url: string): Promise<Item | undefined> {
  for (const ref of await refsOf(hub, url)) {
    const item = await unlessMissing(findVisibleItem(hub, observer, ref));
    if (item?.item_notshown === 0) return item;
  }
  return undefined;
}

async function refsOf(hub: Hub, url: string): Promise<ItemRef[]> {
  const linked = await hub.db
    .selectFrom("message")
    .select("mid")
    .where("plink", "=", url)
    .where(sql<SqlBool>`plink <> mid`)
    .orderBy("id")
    .limit(10)
    .execute();
  const [, uuid] =
    new RegExp(`^${RegExp.escape(hub.config.baseUrl)}/(?:item|display)/([0-9a-f-]{36})$`).exec(url) ?? [];
  return [{ mid: url }, ...(uuid === undefined ? [] : [{ uuid }]), ...linked.map(({ mid }) => ({ mid }))];
}
