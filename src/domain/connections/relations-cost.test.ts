import { afterAll, beforeAll, expect, test } from "vitest";
import { numbers, openCostHub } from "../../../test/support/cost.ts";
import type { CostHub } from "../../../test/support/cost.ts";
import { onPostgres } from "../../../test/support/hub.ts";
import { befriend, newcomer } from "../../../test/support/people.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { noRelation, relationsWith } from "./relations.ts";

let hub: CostHub;
let ann: Channel;
let bob: Channel;

beforeAll(async () => {
  hub = await openCostHub();
  [ann, bob] = [await newcomer(hub, "ann"), await newcomer(hub, "bob")];
  await befriend(hub, ann, bob);
  await connect(10_000, 200);
});
afterAll(() => hub.close());

/** So many more people, all of whom the channel follows. */
async function connect(first: number, many: number): Promise<void> {
  const rows = numbers(first, many);
  await hub.run(
    `insert into xchan (xchan_id, xchan_hash, xchan_created) select n, 'h' || n, '2026-01-01 00:00:00' from ${rows}`,
  );
  await hub.run(`insert into abook (abook_account, abook_channel, abook_xchan, abook_created, abook_updated, follow_out)
    select ${ann.channel_account_id}, ${ann.channel_id}, 'h' || n, '2026-01-01 00:00:00', '2026-01-01 00:00:00', 'accepted' from ${rows}`);
  await hub.settle();
}

test("what connects a channel with a hundred people costs the same among very many connections", async () => {
  const people = [bob.xchan_id, ...Array.from({ length: 99 }, (_, n) => 10_000 + n)];
  const ask = () => relationsWith(hub, ann.channel_id, people);
  const before = await hub.costOf(ask);
  await connect(20_000, 40_000);
  const now = await hub.costOf(ask);
  const found = await ask();
  expect(found.get(bob.xchan_id)).toEqual({ ...noRelation, following: true, followedBy: true });
  expect(found.size).toBe(100);
  // Looking at all connections would take hundreds of times as long on SQLite, and more pages than that on PostgreSQL.
  const enough = onPostgres ? 1000 : 10 * before + 10;
  expect([before, now, now < enough]).toEqual([before, now, true]);
});
