import { hash } from "node:crypto";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Hub } from "../../../hub.ts";
import { removeInSteps } from "../../../storage/in-steps.ts";
import { inPieces } from "../../../storage/sql.ts";
import type { TallyTable } from "../../../storage/tables/throttles.ts";

/** What all processes of a hub have counted together (`tally`); whom it is about cannot be read from it. */

/** The key of what is called so: names hold addresses of people, so the table has no more than their digests. */
export function keyOf(hub: Hub, name: string): string {
  return hash("sha256", `${hub.mediaKey}\0tally\0${name}`, "base64url").slice(0, 22);
}

export type Added = Pick<TallyTable, "key" | "count" | "ends_at">;

/** Adds to counts that each end at a time; one that ends later than the one that is there takes its place. Answers the sums. */
export function addToWindows(hub: Hub, rows: readonly Added[]): Promise<Added[]> {
  return add(hub, rows, {
    count: sql`case when tally.ends_at < excluded.ends_at then excluded.count when tally.ends_at = excluded.ends_at
      then tally.count + excluded.count else tally.count end`,
    ends_at: sql`case when tally.ends_at < excluded.ends_at then excluded.ends_at else tally.ends_at end`,
  });
}

/** Puts the times at which all is as if nothing had been taken off, by as much as these are after `now`. Answers the new ones. */
export function addToBuckets(hub: Hub, rows: readonly Added[], now: number): Promise<Added[]> {
  return add(hub, rows, {
    ends_at: sql`case when tally.ends_at < ${now} then excluded.ends_at else tally.ends_at + excluded.ends_at - ${now} end`,
  });
}

async function add(
  hub: Hub,
  rows: readonly Added[],
  sums: { count?: RawBuilder<number>; ends_at: RawBuilder<number> },
): Promise<Added[]> {
  const added: Added[] = [];
  for (const some of likePieces(rows))
    added.push(
      ...(await hub.db
        .insertInto("tally")
        .values(some.map((row) => ({ ...row, last_at: 0 })))
        .onConflict((conflict) => conflict.column("key").doUpdateSet(sums))
        .returning(["key", "count", "ends_at"])
        .execute()),
    );
  return added;
}

/** In one order, so that two processes never wait for each other; in pieces of few lengths, so that there are few statements. */
function likePieces<T extends { key: string }>(rows: readonly T[]): T[][] {
  const sorted = rows.toSorted((one, other) => (one.key < other.key ? -1 : 1));
  return inPieces(sorted).flatMap((piece) => {
    const pieces: T[][] = [];
    for (let at = 0; at < piece.length;) {
      const length = 2 ** Math.floor(Math.log2(piece.length - at));
      pieces.push(piece.slice(at, at + length));
      at += length;
    }
    return pieces;
  });
}

/** Forgets what has ended. */
export async function sweepTallies(hub: Hub): Promise<void> {
  const old = hub.db.selectFrom("tally").select("key").where("ends_at", "<", hub.clock().getTime());
  await removeInSteps((most) => hub.db.deleteFrom("tally").where("key", "in", old.limit(most)).executeTakeFirst());
}
