import { sql } from "kysely";
import type { SqlBool } from "kysely";
import { unlessMissing } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import type { Observer } from "../../identity/channels/observer.ts";
import { rowsSeen } from "../../permissions/visible.ts";
import { findShown } from "../find.ts";
import { no, selectStatuses, yes } from "../queries.ts";
import type { StatusItem } from "../columns.ts";

/**
 * The statuses with these ids that the observer may see, in this order, each once; like `findShown` by the observer's
 * own copies where there are any.
 */
export async function findStatuses(hub: Hub, observer: Observer, ids: readonly number[]): Promise<StatusItem[]> {
  return [...(await findNamed(hub, observer, ids)).values()];
}

/** The same by the first id that names each of them. */
export async function findNamed(
  hub: Hub,
  observer: Observer,
  ids: readonly number[],
): Promise<Map<number, StatusItem>> {
  if (ids.length === 0) return new Map();
  const named = await rowsSeen(hub, observer, "statuses by id", { ids: [...ids] }, (given, seen) =>
    selectStatuses(hub)
      .select("item.item_wall")
      .where(isOneOf(hub.engine, sql.ref("item.id"), given.ids))
      .where("item.item_normal", "=", yes)
      .where("item.item_notshown", "=", no)
      .where(seen),
  );
  const me = observer.channelId;
  const mine = named.filter((item) => item.uid === me).map((item) => [item.message_id, item] as const);
  const others = named.filter((item) => item.uid !== me).map((item) => item.message_id);
  const own = new Map([...mine, ...(await ownCopies(hub, me, others))]);
  const byId = new Map(named.map((item) => [item.id, item]));
  const found = new Map<number, StatusItem>();
  const known = new Set<number>();
  for (const id of ids) {
    const item = byId.get(id);
    if (!item || known.has(item.message_id)) continue;
    // Of a copy that is on no wall its owner's word counts too; these are rare.
    const seen =
      own.get(item.message_id) ?? (item.item_wall === 1 ? item : await unlessMissing(findShown(hub, observer, { id })));
    if (!seen) continue;
    known.add(item.message_id);
    found.set(id, seen);
  }
  return found;
}

async function ownCopies(hub: Hub, uid: number, messages: readonly number[]): Promise<Map<number, StatusItem>> {
  if (uid === 0 || messages.length === 0) return new Map();
  const rows = await selectStatuses(hub)
    .where(isOneOf(hub.engine, sql.ref("item.message_id"), messages))
    .where("item.uid", "=", uid)
    // The plus keeps SQLite from reading all that the channel has, by an index with both.
    .where(sql<SqlBool>`+item.item_normal = ${yes} and +item.item_notshown = ${no}`)
    .execute();
  return new Map(rows.map((item) => [item.message_id, item]));
}
