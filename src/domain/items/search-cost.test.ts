import { CompiledQuery } from "kysely";
import type { LogEvent } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { onPostgres, openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { newcomer } from "../../../test/support/people.ts";
import type { Channel } from "../identity/channel.ts";
import { postItem } from "./post.ts";
import { searchStatuses } from "./search.ts";

/** A search costs the same whatever others have in private, be it full of the words that are sought. */

const questions = [
  "lantern",
  "lantern lamp",
  '"lantern lamp"',
  '"lamp lantern lamp"',
  "lant*",
  "lantern -lamp",
  "#lights",
  "lantern from:ann",
  "lantern until:2026-02-28",
  "lantern since:2026-01-01",
  "nobodywrites",
];

let hub: TestHub;
let ann: Channel;
let watching: CompiledQuery[] | undefined;

beforeAll(async () => {
  hub = await openTestHub({ onQuery: (event: LogEvent) => void watching?.push(event.query) });
  ann = await newcomer(hub, "ann");
  for (let n = 0; n < 60; n++)
    await postItem(hub, ann, { body: `a lantern ${n % 7 === 0 ? "" : "and a "}lamp #lights` });
  await writeInPrivate(1001, "tshadows wshade wshadow wshade wshadow wshadows");
  await settle();
});
afterAll(() => hub.close());

async function run(text: string): Promise<readonly unknown[]> {
  return (await hub.db.executeQuery(CompiledQuery.raw(text))).rows;
}

/** The planner knows what there is, and nothing waits to be put into the index. */
async function settle(): Promise<void> {
  if (onPostgres)
    for (const step of ["vacuum analyze", "select gin_clean_pending_list('search_words')"]) await run(step);
}

/** Posts that other people have in private. */
async function writeInPrivate(first: number, words: string): Promise<void> {
  const numbers = onPostgres
    ? `select n from generate_series(${first}, ${first + 19_999}) n`
    : `with recursive s(n) as (select ${first} union all select n + 1 from s where n < ${first + 19_999}) select n from s`;
  const found = `e p a7 d202 d2026 d202602 d20260203 ${words}`;
  const date = "'2026-02-03 00:00:00'";
  await run(`insert into message (id, mid, uuid, parent_mid, thr_parent, verb, obj_type, author_id, created, edited, body, plain, words)
    select n, 'm' || n, 'u' || n, 'm' || n, 'm' || n, 'v', 't', 7, ${date}, ${date}, 'text', 'text', '${found}'
      from (${numbers}) s`);
  await run(`insert into item (uid, aid, message_id, parent, thr_parent_id, author_id, owner_id, created, commented, received, changed, item_thread_top, item_wall, item_origin, item_private)
    select 1000 + n % 500, 1, n, n, n, 7, 7, ${date}, ${date}, ${date}, ${date}, 1, n % 2, n % 2, 1 from (${numbers}) s`);
}

async function ask(text: string): Promise<number[]> {
  const found = await searchStatuses(hub, ann, text, { count: 20, skip: 0 });
  return found.map((item) => item.id);
}

/** What asking costs: pages that are looked at, or, where nobody counts them, time. */
async function costOf(text: string): Promise<number> {
  if (!onPostgres) return timeOf(text);
  watching = [];
  await ask(text);
  const statements = watching;
  watching = undefined;
  let pages = 0;
  for (const { sql, parameters } of statements) {
    if (!/^\s*(?:select|with)/i.test(sql)) continue;
    const explain = CompiledQuery.raw(`explain (analyze, buffers, format json) ${sql}`, [...parameters]);
    const [row] = (await hub.db.executeQuery(explain)).rows as { "QUERY PLAN": { Plan: Record<string, number> }[] }[];
    const plan = row!["QUERY PLAN"][0]!.Plan;
    pages += plan["Shared Hit Blocks"]! + plan["Shared Read Blocks"]!;
  }
  return pages;
}

async function timeOf(text: string): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < 40; n++) {
    const start = performance.now();
    await ask(text);
    times.push(performance.now() - start);
  }
  // The quickest one is what it costs when nothing else goes on.
  return Math.min(...times);
}

test("a search touches nothing that others have in private", { timeout: 120_000 }, async () => {
  const before = new Map<string, { found: number[]; cost: number }>();
  for (const text of questions) before.set(text, { found: await ask(text), cost: await costOf(text) });
  await writeInPrivate(21_001, "tlights wlantern wlamp wlantern wlamp wlights");
  await settle();
  for (const text of questions) {
    const { found, cost } = before.get(text)!;
    expect([text, await ask(text)]).toEqual([text, found]);
    const now = await costOf(text);
    // There is one more range of ids to ask for, and clocks are not exact. Reading the 20,000 would cost thousands of pages.
    expect([text, cost, now, now < (onPostgres ? 2 * cost + 200 : 3 * cost + 1)]).toEqual([text, cost, now, true]);
  }
});
