import { inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import type { LongStep, Piece } from "../../jobs/long-step.ts";
import { addJob } from "../../jobs/queue.ts";
import { oldShares } from "../items/sharing.ts";
import { oldProfiles } from "../people/profile-texts.ts";
import { oldMessages } from "../search/index-words.ts";

/** Changes that migrations begin and jobs go on with. A name stays, because jobs that wait have it. */
const longSteps: Readonly<Record<string, LongStep>> = {
  "index-words": oldMessages,
  "lay-out-profiles": oldProfiles,
  "old-shares": oldShares,
};

/** After so many pieces other jobs have their turn. */
const piecesInOneRun = 40;

/** How far a long step is: the share of its rows, from 0 to 1, by their ids. */
export type Progress = { name: string; share: number; begun: string };

/**
 * Begins a long step, from this id or from where its rows begin, or goes on with it from the mark that the last piece has
 * left. A piece and its mark are committed together, so whatever kills the process, none is missing and none is done twice; nor
 * is it by two processes.
 */
export async function takeLongStep(hub: Hub, name: string, first?: number): Promise<void> {
  const step = longSteps[name];
  if (!step) throw new Error(`There is no long step named ${name}`);
  await begin(hub, name, step, first);
  let from = await markOf(hub, name);
  for (let pieces = 1; from !== undefined; pieces++) {
    const piece = await step.piece(hub, from);
    const isTurnOver = pieces >= piecesInOneRun;
    const taken = await take(hub, name, from, piece, isTurnOver);
    if (taken && isTurnOver) return;
    // Another process was faster, or knows that it is over.
    from = taken ? piece.next : await markOf(hub, name);
  }
}

async function begin(hub: Hub, name: string, step: LongStep, given: number | undefined): Promise<void> {
  if ((await markOf(hub, name)) !== undefined) return;
  const range = await step.range(hub);
  if (!range) return;
  const first = given ?? range.first;
  await hub.db
    .insertInto("long_step")
    .values({ name, first_id: first, next_id: first, last_id: range.last, begun: now(hub) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function markOf(hub: Pick<Hub, "db">, name: string): Promise<number | undefined> {
  const row = await hub.db.selectFrom("long_step").select("next_id").where("name", "=", name).executeTakeFirst();
  return row?.next_id;
}

/** Does a piece, unless somebody else has done it. Where the turn is over, the rest is another job. */
async function take(hub: Hub, name: string, from: number, piece: Piece, isTurnOver: boolean): Promise<boolean> {
  return inTransaction(hub, async (hub) => {
    if (!(await moveMark(hub, name, from, piece.next))) return false;
    await piece.write(hub);
    if (piece.next === undefined) hub.log.info("The long step {name} is done", { name });
    else if (isTurnOver) {
      hub.log.info("The long step {name} has come to {next}", { name, next: piece.next });
      await addJob(hub, "take-long-step", { step: name }, { key: `take-long-step ${name} ${piece.next}` });
    }
    return true;
  });
}

/** The row is everybody's lock: whoever comes second waits, and finds another mark than theirs. */
async function moveMark(hub: Hub, name: string, from: number, next: number | undefined): Promise<boolean> {
  if (next === undefined) {
    const gone = await hub.db.deleteFrom("long_step").where("name", "=", name).where("next_id", "=", from).execute();
    return gone.some(({ numDeletedRows }) => numDeletedRows > 0n);
  }
  const moved = await hub.db
    .updateTable("long_step")
    .set({ next_id: next })
    .where("name", "=", name)
    .where("next_id", "=", from)
    .executeTakeFirstOrThrow();
  return moved.numUpdatedRows > 0n;
}

/** The long steps that have begun and not come to their end. */
export async function longStepsUnderWay(hub: Pick<Hub, "db">): Promise<Progress[]> {
  const rows = await hub.db.selectFrom("long_step").selectAll().orderBy("name").execute();
  return rows.map(({ name, first_id, next_id, last_id, begun }) => {
    const share = first_id === last_id ? 1 : (next_id - first_id) / (last_id - first_id);
    return { name, share: Math.min(1, Math.max(0, share)), begun };
  });
}
