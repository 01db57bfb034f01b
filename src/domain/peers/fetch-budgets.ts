import { setTimeout } from "node:timers/promises";
import { sql } from "kysely";
import type { SqlBool } from "kysely";
import { cache } from "../../caches.ts";
import { AskedTooFast, BudgetSpent } from "../../fetch/fetch.ts";
import type { Fetch } from "../../fetch/fetch.ts";
import { causedBy, momentIn, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { removeInSteps } from "../../storage/in-steps.ts";

/** So much of other servers is asked for because of one activity or one look-up, and of one host in a minute (federation contract 10). */
export const mostFetches = 200;
export const mostOfHost = 20;
const minute = 60_000;

/**
 * The hub for what one thing causes: requests to other servers count together with those of the jobs that come of it, whichever
 * process they run in. Where there were enough, none goes out any more (BudgetSpent). Where one host was asked enough for a
 * minute, the request waits for its turn if `waiting` is given, which ends that; else it fails (AskedTooFast). What is sent to others
 * is not counted.
 */
export function withinBudget(hub: Hub, cause: string, waiting?: AbortSignal): Hub {
  const fetch: Fetch = async (url, options) => {
    if (options?.purpose === "delivery") return hub.fetch(url, options);
    if (!(await takeOne(hub, cause))) throw new BudgetSpent("Enough was asked for because of this");
    const wait = hub.config.rateLimits ? turnAt(hub, `${cause} ${new URL(url).host}`, waiting !== undefined) : 0;
    if (wait > 0) await setTimeout(wait, undefined, { ref: false, ...(waiting && { signal: waiting }) });
    return hub.fetch(url, options);
  };
  return { ...causedBy(hub, cause), fetch };
}

/** Answers whether there was one left. */
async function takeOne(hub: Hub, cause: string): Promise<boolean> {
  const taken = await hub.db
    .insertInto("fetch_budget")
    .values({ cause, asked: 1, created: now(hub) })
    .onConflict((conflict) =>
      conflict
        .column("cause")
        .doUpdateSet({ asked: sql`fetch_budget.asked + 1` })
        .where(sql<SqlBool>`fetch_budget.asked < ${mostFetches}`),
    )
    .returning("asked")
    .executeTakeFirst();
  return taken !== undefined;
}

/** When the last ones of each host went out, or will, at most so many as may in a minute. */
const turns = cache<string, number[]>(10_000);

/** Takes the next turn, and answers how many milliseconds it is away. Throws where nobody waits for it. */
function turnAt(hub: Hub, name: string, waits: boolean): number {
  const known = turns(hub).get(name) ?? [];
  const moment = hub.clock().getTime();
  const turn = known.length < mostOfHost ? moment : Math.max(moment, known[0]! + minute);
  if (turn > moment && !waits) throw new AskedTooFast("This host was asked enough for a minute because of this");
  turns(hub).set(name, [...known, turn].slice(-mostOfHost));
  return turn - moment;
}

/** By then nothing comes of it any more. */
const keptFor = 7 * 24 * 3600 * 1000;

/** Forgets what was asked for a week ago. Part of a regular job. */
export async function trimFetchBudgets(hub: Hub): Promise<void> {
  const old = hub.db.selectFrom("fetch_budget").select("cause").where("created", "<", momentIn(hub, -keptFor));
  await removeInSteps((steps) =>
    hub.db.deleteFrom("fetch_budget").where("cause", "in", old.limit(steps)).executeTakeFirst(),
  );
}
