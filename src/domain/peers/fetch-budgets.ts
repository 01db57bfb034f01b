import { sql } from "kysely";
import type { SqlBool } from "kysely";
import { cache } from "../../caches.ts";
import { AskedTooFast, BudgetSpent, NotYet } from "../../fetch/fetch.ts";
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
 * minute, the request fails: for now (AskedTooFast), or until its turn (NotYet), where `later` is told when that is, whoever
 * catches the failure. What is sent to others is not counted.
 */
export function withinBudget(hub: Hub, cause: string, later?: (until: number) => void): Hub {
  const fetch: Fetch = async (url, options) => {
    if (options?.purpose === "delivery") return hub.fetch(url, options);
    const until = hub.config.rateLimits ? turnAt(hub, `${cause} ${new URL(url).host}`) : 0;
    if (until > 0) {
      if (!later) throw new AskedTooFast("This host was asked enough for a minute because of this");
      later(until);
      throw new NotYet(until);
    }
    if (!(await takeOne(hub, cause))) throw new BudgetSpent("Enough was asked for because of this");
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

/** When the last ones of each host went out, at most so many as may in a minute. */
const turns = cache<string, number[]>(10_000);

/** Takes the turn that there is now; else answers the moment of the next one, which nobody has for sure. */
function turnAt(hub: Hub, name: string): number {
  const known = turns(hub).get(name) ?? [];
  const moment = hub.clock().getTime();
  const turn = known.length < mostOfHost ? moment : known[0]! + minute;
  if (turn > moment) return turn;
  turns(hub).set(name, [...known, moment].slice(-mostOfHost));
  return 0;
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
