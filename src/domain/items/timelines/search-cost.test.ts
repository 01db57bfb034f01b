import { observerOf } from "../../identity/channels/observer.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hardlyMore, numbers, openCostHub } from "../../../../test/support/cost.ts";
import type { CostHub } from "../../../../test/support/cost.ts";
import { newcomer } from "../../../../test/support/people.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { postItem } from "../posting/post.ts";
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

let hub: CostHub;
let ann: Channel;

beforeAll(async () => {
  hub = await openCostHub();
  ann = await newcomer(hub, "ann");
  for (let n = 0; n < 60; n++)
    await postItem(hub, ann, { body: `a lantern ${n % 7 === 0 ? "" : "and a "}lamp #lights` });
  await writeInPrivate(1001, "tshadows wshade wshadow wshade wshadow wshadows");
  await hub.settle();
});
afterAll(() => hub.close());

/** Posts that other people have in private. */
async function writeInPrivate(first: number, words: string): Promise<void> {
  const rows = numbers(first, 20_000);
  const found = `e p a7 d202 d2026 d202602 d20260203 ${words}`;
  const date = "'2026-02-03 00:00:00'";
  await hub.run(`insert into message (id, mid, uuid, parent_mid, thr_parent, verb, obj_type, author_id, created, edited, body, plain, words)
    select n, 'm' || n, 'u' || n, 'm' || n, 'm' || n, 'v', 't', 7, ${date}, ${date}, 'text', 'text', '${found}'
      from ${rows}`);
  await hub.run(`insert into item (uid, aid, message_id, parent, thr_parent_id, author_id, owner_id, created, commented, received, changed, item_thread_top, item_wall, item_origin, item_private)
    select 1000 + n % 500, 1, n, n, n, 7, 7, ${date}, ${date}, ${date}, ${date}, 1, n % 2, n % 2, 1 from ${rows}`);
}

async function ask(text: string): Promise<number[]> {
  const found = await searchStatuses(hub, observerOf(ann), text, { count: 20, skip: 0 });
  return found.map((item) => item.id);
}

test("a search touches nothing that others have in private", async () => {
  const before = new Map<string, { found: number[]; cost: number }>();
  for (const text of questions) before.set(text, { found: await ask(text), cost: await hub.costOf(() => ask(text)) });
  await writeInPrivate(21_001, "tlights wlantern wlamp wlantern wlamp wlights");
  await hub.settle();
  for (const text of questions) {
    const { found, cost } = before.get(text)!;
    expect([text, await ask(text)]).toEqual([text, found]);
    const enough = hardlyMore(cost);
    const now = await hub.costOf(() => ask(text), enough);
    // There is one more range of ids to ask for.
    expect([text, cost, now, now < enough]).toEqual([text, cost, now, true]);
  }
});
