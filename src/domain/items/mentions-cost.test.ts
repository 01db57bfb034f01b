import { afterAll, beforeAll, expect, test } from "vitest";
import { numbers, openCostHub } from "../../../test/support/cost.ts";
import type { CostHub } from "../../../test/support/cost.ts";
import { onPostgres } from "../../../test/support/hub.ts";
import { newcomer } from "../../../test/support/people.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { followThread } from "./posting/follow.ts";
import { postItem } from "./posting/post.ts";
import { mentionsTimeline } from "./timelines/timelines.ts";
import type { Item } from "./types.ts";

let hub: CostHub;
let ann: Channel;
let loud: Item;
let quiet: Item;

beforeAll(async () => {
  hub = await openCostHub();
  ann = await newcomer(hub, "ann");
  [loud, quiet] = [await postItem(hub, ann, { body: "Talk to me" }), await postItem(hub, ann, { body: "Leave me" })];
  await followThread(hub, ann, { id: quiet.id }, false);
  await write(loud, 900_000, 200, "answers_me");
  await write(quiet, 910_000, 10, "answers_me");
  await write(loud, 100_000, 10, "item_blocked");
});
afterAll(() => hub.close());

/** Comments of others, each of somebody else: shown ones that answer the post, or such as wait to be let in. */
async function write(top: Item, first: number, many: number, flag: "answers_me" | "item_blocked"): Promise<void> {
  const [rows, date] = [numbers(first, many), "'2026-02-03 00:00:00'"];
  await hub.run(`insert into message (id, mid, uuid, parent_mid, thr_parent, verb, obj_type, author_id, created, edited)
    select n, 'm' || n, 'u' || n, 'p', 'p', 'post', 't', n, ${date}, ${date} from ${rows}`);
  await hub.run(`insert into item (id, uid, aid, message_id, parent, thr_parent_id, author_id, owner_id, created, commented, received,
      changed, ${flag}) select n, ${ann.channel_id}, 1, n, ${top.id}, ${top.id}, n, n, ${date}, ${date}, ${date}, ${date},
      ${flag === "answers_me" ? 1 : 4} from ${rows}`);
  await hub.settle();
}

test("answers cost the same, however many comments of their threads wait to be let in", async () => {
  const ask = () => mentionsTimeline(hub, ann, { count: 20, page: 1 });
  const before = await hub.costOf(ask);
  await write(loud, 200_000, 20_000, "item_blocked");
  const enough = onPostgres ? 2 * before + 200 : 3 * before + 5;
  const now = await hub.costOf(ask, enough);
  expect([before, now, now < enough]).toEqual([before, now, true]);
  const found = await ask();
  expect(found.map((item) => item.parent)).toEqual(Array.from({ length: 20 }, () => loud.id));
});
