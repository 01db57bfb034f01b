import type { Insertable } from "kysely";
import { now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { addJob } from "../../../jobs/queue.ts";
import { inPieces } from "../../../storage/sql.ts";
import type { ListImportTable } from "../../../storage/tables/records.ts";

type About = Pick<Insertable<ListImportTable>, "kind" | "state" | "filename" | "former">;

/** Keeps a list of the channel with its entries, and answers its id. Part of a transaction. */
export async function keepList(
  hub: Hub,
  uid: number,
  about: About,
  entries: readonly { name: string; state: string }[],
): Promise<number> {
  const created = now(hub);
  const { id } = await hub.db
    .insertInto("list_import")
    .values({ uid, ...about, turn: 0, created, updated: created })
    .returning("id")
    .executeTakeFirstOrThrow();
  for (const some of inPieces(entries))
    await hub.db
      .insertInto("list_import_entry")
      .values(some.map((entry) => ({ list_id: id, uid, ...entry })))
      .execute();
  return id;
}

/** Has a list that runs carried out, by nobody who was at it before. Part of a transaction. */
export async function goThroughSoon(hub: Hub, uid: number, list: number): Promise<void> {
  const { turn } = await hub.db
    .updateTable("list_import")
    .set((eb) => ({ turn: eb("turn", "+", 1) }))
    .where("id", "=", list)
    .returning("turn")
    .executeTakeFirstOrThrow();
  await addJob(hub, "go-through-list", { list, turn }, { lane: laneOfLists(uid) });
}

/** Lists of one channel take turns, and leave the other places of the worker to other jobs. */
export function laneOfLists(uid: number): string {
  return `lists of ${uid}`;
}
