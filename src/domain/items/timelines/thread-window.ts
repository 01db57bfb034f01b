import { sql } from "kysely";
import type { Hub } from "../../../hub.ts";

/** Which comments of a long thread are shown, by the ids that bound a part of it. */

/** So many comments of a thread are on a page. */
export const commentsOfPage = 100;

/** The part before an id, or after one; the newest where neither is given. */
export type ThreadWindow = { before?: number | undefined; after?: number | undefined };

/** Where a part lies, and the comments there with some on either side of it, whoever may see them, by rising ids. */
export type ThreadIds = Cut & { ids: number[] };

type Cut = { at: number; below: number; above: number };

/** Of a part what somebody sees, and the ids before and after which there is more for them. */
export type SeenPart<Row> = { items: Row[]; older: number | undefined; newer: number | undefined };

/** So many more are looked at on either side: they stand in for those that are not seen, and say whether there is more. */
const spare = 10;

/** The part that a window names. */
export function windowed(hub: Hub, top: number, { before, after }: ThreadWindow): Promise<ThreadIds> {
  if (before === undefined && after !== undefined)
    return cutAt(hub, top, { at: after + 1, below: 0, above: commentsOfPage });
  return cutAt(hub, top, { at: before ?? Number.MAX_SAFE_INTEGER, below: commentsOfPage, above: 0 });
}

/** A comment with what stands around it; the newest part where it is in that. */
export async function around(hub: Hub, top: number, comment: number): Promise<ThreadIds> {
  const newest = await windowed(hub, top, {});
  const isThere = newest.ids.slice(-commentsOfPage).includes(comment);
  if (comment === top || isThere || newest.ids.length <= commentsOfPage) return newest;
  return cutAt(hub, top, { at: comment + 1, below: commentsOfPage / 2, above: commentsOfPage / 2 });
}

/** So many comments below an id and from there on, with the spare ones. */
async function cutAt(hub: Hub, top: number, cut: Cut): Promise<ThreadIds> {
  const side = (range: ReturnType<typeof sql>, order: "asc" | "desc", most: number) =>
    sql`select id from (select item.id from item where item.parent = ${top} and item.item_thread_top = 0
      and item.item_normal = 1 and item.item_notshown = 0 and ${range}
      order by item.id ${sql.raw(order)} limit 0 + ${most + spare}) as ${sql.raw(order)}_side`;
  const { rows } = await sql<{ id: number }>`${side(sql`item.id < ${cut.at}`, "desc", cut.below)}
    union all ${side(sql`item.id >= ${cut.at}`, "asc", cut.above)}`.execute(hub.db);
  return { ...cut, ids: rows.map(({ id }) => Number(id)).toSorted((one, other) => one - other) };
}

/** What is shown of a part to whom these rows of it are seen. */
export function seenPart<Row extends { id: number }>(part: ThreadIds, seen: readonly Row[]): SeenPart<Row> {
  const { at, below, above, ids } = part;
  const rising = seen.map(({ id }) => id).toSorted((one, other) => one - other);
  const [under, over] = [rising.filter((id) => id < at), rising.filter((id) => id >= at)];
  const shown = [...under.slice(Math.max(0, under.length - below)), ...over.slice(0, above)];
  // Where all that were looked at are not enough, nobody knows what lies beyond.
  const isOpenBelow = ids.filter((id) => id < at).length === below + spare;
  const isOpenAbove = ids.filter((id) => id >= at).length === above + spare;
  const kept = new Set(shown);
  return {
    items: seen.filter(({ id }) => kept.has(id)),
    older: under.length > below ? (shown[0] ?? at) : isOpenBelow ? ids[0] : undefined,
    newer: over.length > above ? (shown.at(-1) ?? at - 1) : isOpenAbove ? ids.at(-1) : undefined,
  };
}
