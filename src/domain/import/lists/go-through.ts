import { inTransaction, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { addJob } from "../../../jobs/queue.ts";
import type { JobPayload } from "../../../jobs/kinds.ts";
import { zeroDate } from "../../../storage/sql.ts";
import { stillActs } from "../../identity/accounts/still-acts.ts";
import { findChannelById } from "../../identity/channels/channels.ts";
import type { Scout } from "../../peers/scout.ts";
import { carryOut } from "./carry-out.ts";
import type { WaitingEntry } from "./carry-out.ts";
import { laneOfLists } from "./keep-list.ts";
import { storedKind } from "./read-list.ts";

/** How long one turn of the job lasts (milliseconds), before other jobs have theirs. */
const turnLength = 5000;

/**
 * Carries out the entries of a list, one after the other; a job, which goes on later where others are to be left in peace. Run again
 * it does nothing twice: each entry is settled with its deed, and a turn that is over is nobody's any more.
 */
export async function goThroughList(
  hub: Hub,
  payload: JobPayload<"go-through-list">,
  look: Scout["lookUp"],
): Promise<void> {
  const until = performance.now() + turnLength;
  for (;;) {
    const list = await listInTurn(hub, payload);
    if (!list) return;
    const { uid, former } = list;
    const kind = storedKind(list.kind);
    const channel = await findChannelById(hub, uid);
    if (!channel || !(await stillActs(hub, channel))) return end(hub, list.id, "stopped");
    const entry = await nextEntry(hub, list.id);
    if (!entry) return end(hub, list.id, "done");
    if (entry.next_at > now(hub)) return goOn(hub, payload, uid, entry.next_at);
    const outcome = await carryOut(hub, channel, { ...entry, list: list.id, kind, former }, look);
    if (outcome !== "settled") return goOn(hub, payload, uid, outcome.notBefore);
    if (performance.now() > until) return goOn(hub, payload, uid, now(hub));
  }
}

async function listInTurn(hub: Hub, { list, turn }: JobPayload<"go-through-list">) {
  return hub.db
    .selectFrom("list_import")
    .select(["id", "uid", "kind", "former"])
    .where("id", "=", list)
    .where("turn", "=", turn)
    .where("state", "=", "running")
    .executeTakeFirst();
}

/** The entry that is next, those that are tried again after all others. */
export async function nextEntry(hub: Hub, list: number): Promise<WaitingEntry | undefined> {
  return hub.db
    .selectFrom("list_import_entry")
    .select(["id", "name", "tries", "next_at"])
    .where("list_id", "=", list)
    .where("state", "=", "waiting")
    .orderBy("next_at")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
}

async function end(hub: Hub, list: number, state: "done" | "stopped"): Promise<void> {
  await hub.db
    .updateTable("list_import")
    .set({ state, updated: now(hub), goes_on: zeroDate })
    .where("id", "=", list)
    .where("state", "=", "running")
    .execute();
}

async function goOn(hub: Hub, { list, turn }: JobPayload<"go-through-list">, uid: number, at: string): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const { numUpdatedRows } = await hub.db
      .updateTable("list_import")
      .set({ turn: turn + 1, updated: now(hub), goes_on: at })
      .where("id", "=", list)
      .where("turn", "=", turn)
      .where("state", "=", "running")
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return;
    await addJob(hub, "go-through-list", { list, turn: turn + 1 }, { at, lane: laneOfLists(uid) });
  });
}
