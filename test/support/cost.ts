import { CompiledQuery } from "kysely";
import type { LogEvent } from "kysely";
import { onPostgres, openTestHub } from "./hub.ts";
import type { TestHub } from "./hub.ts";

/** A hub on which it can be told what asking costs, to compare before and after there is more of what must not matter. */
export type CostHub = TestHub & {
  run(statement: string): Promise<void>;
  /** The planner knows what there is, and nothing waits to be put into an index. */
  settle(): Promise<void>;
  /**
   * Pages that are looked at, or, where nobody counts them, the time in ms of the quickest of many times; of more of them
   * while that is not less than `enough`, because a busy machine makes everything slow for a while.
   */
  costOf(ask: () => Promise<unknown>, enough?: number): Promise<number>;
};

export async function openCostHub(): Promise<CostHub> {
  let watching: CompiledQuery[] | undefined;
  const hub = await openTestHub({ onQuery: (event: LogEvent) => void watching?.push(event.query) });
  const run = async (statement: string) => void (await hub.db.executeQuery(CompiledQuery.raw(statement)));
  return Object.assign(hub, {
    run,
    async settle() {
      if (!onPostgres) return;
      for (const step of ["vacuum analyze", "select gin_clean_pending_list('search_words')"]) await run(step);
      await run("select gin_clean_pending_list('mail_search')");
    },
    async costOf(ask: () => Promise<unknown>, enough = Infinity) {
      if (!onPostgres) return timeOf(ask, enough);
      watching = [];
      await ask();
      const statements = watching;
      watching = undefined;
      let pages = 0;
      for (const statement of statements) pages += await pagesOf(hub, statement);
      return pages;
    },
  });
}

/**
 * What something may cost after there is more of what must not matter: less than this. Clocks are not exact, and trees
 * become higher; reading 20,000 rows more would cost thousands of pages.
 */
export function hardlyMore(cost: number): number {
  return onPostgres ? 2 * cost + 200 : 3 * cost + 1;
}

/** So many numbers from this one on, as a table `s` with the column `n`. */
export function numbers(first: number, many: number): string {
  const last = first + many - 1;
  return onPostgres
    ? `(select n from generate_series(${first}, ${last}) n) s`
    : `(with recursive s(n) as (select ${first} union all select n + 1 from s where n < ${last}) select n from s) s`;
}

async function timeOf(ask: () => Promise<unknown>, enough: number): Promise<number> {
  // The quickest one is what it costs when nothing else goes on.
  let quickest = Infinity;
  for (let n = 0; n < 40 || (n < 400 && quickest >= enough); n++) {
    const start = performance.now();
    await ask();
    quickest = Math.min(quickest, performance.now() - start);
  }
  return quickest;
}

async function pagesOf(hub: TestHub, { sql, parameters }: CompiledQuery): Promise<number> {
  if (!/^\s*(?:\(?select|with)/i.test(sql)) return 0;
  const explain = CompiledQuery.raw(`explain (analyze, buffers, format json) ${sql}`, [...parameters]);
  const [row] = (await hub.db.executeQuery(explain)).rows as { "QUERY PLAN": { Plan: Record<string, number> }[] }[];
  const plan = row!["QUERY PLAN"][0]!.Plan;
  return plan["Shared Hit Blocks"]! + plan["Shared Read Blocks"]!;
}
