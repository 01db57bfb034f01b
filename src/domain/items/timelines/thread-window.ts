import { sql } from "kysely";
import type { Hub } from "../../../hub.ts";

/** Which comments of a long thread are shown, by the ids that bound a part of it. */

/** So many comments of a thread are on a page. */
export const commentsOfPage = 100;

/** The part before an id, or after one; the newest where neither is given. */
export type ThreadWindow = { before?: number | undefined; after?: number | undefined };

/** The comments of a part, whoever may see them, and the ids before and after which there are others. */
export type ThreadIds = { ids: number[]; older: number | undefined; newer: number | undefined };

type Cut = { at: number; below: number; above: number };

/** The part that a window names. */
export function windowed(hub: Hub, top: number, { before, after }: ThreadWindow): Promise<ThreadIds> {
  if (before === undefined && after !== undefined)
    return cutAt(hub, top, { at: after + 1, below: 0, above: commentsOfPage });
  return cutAt(hub, top, { at: before ?? Number.MAX_SAFE_INTEGER, below: commentsOfPage, above: 0 });
}

/** A comment with what stands around it; the newest part where it is in that. */
export async function around(hub: Hub, top: number, comment: number): Promise<ThreadIds> {
  const newest = await windowed(hub, top, {});
  if (comment === top || newest.older === undefined || newest.ids.includes(comment)) return newest;
  return cutAt(hub, top, { at: comment + 1, below: commentsOfPage / 2, above: commentsOfPage / 2 });
}

/** So many comments below an id and from there on. One more on either side says whether there are others. */
async function cutAt(hub: Hub, top: number, { at, below, above }: Cut): Promise<ThreadIds> {
  const side = (range: ReturnType<typeof sql>, order: "asc" | "desc", most: number) =>
    sql`select id from (select item.id from item where item.parent = ${top} and item.item_thread_top = 0
      and item.item_normal = 1 and item.item_notshown = 0 and ${range}
      order by item.id ${sql.raw(order)} limit 0 + ${most + 1}) as ${sql.raw(order)}_side`;
  const { rows } = await sql<{ id: number }>`${side(sql`item.id < ${at}`, "desc", below)}
    union all ${side(sql`item.id >= ${at}`, "asc", above)}`.execute(hub.db);
  const all = rows.map(({ id }) => Number(id)).toSorted((one, other) => one - other);
  const [under, over] = [all.filter((id) => id < at), all.filter((id) => id >= at)];
  const ids = [...under.slice(Math.max(0, under.length - below)), ...over.slice(0, above)];
  return {
    ids,
    older: under.length > below ? (ids[0] ?? at) : undefined,
    newer: over.length > above ? (ids.at(-1) ?? at - 1) : undefined,
  };
}
