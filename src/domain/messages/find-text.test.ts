import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hardlyMore, numbers, openCostHub } from "../../../test/support/cost.ts";
import type { CostHub } from "../../../test/support/cost.ts";
import { befriend, newcomer } from "../../../test/support/people.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { deleteMessage, listMessages, recallMessage, sendMessage } from "./messages.ts";
import { size } from "../../../test/support/size.ts";

/** Searching direct messages (microblog contract 9.6): any part of the text, at the same cost however many messages there are. */

let hub: CostHub;
let ann: Channel;
let bob: Channel;

beforeAll(async () => {
  hub = await openCostHub();
  [ann, bob] = [await newcomer(hub, "ann"), await newcomer(hub, "bob")];
  await befriend(hub, ann, bob);
});
afterAll(() => hub.close());

async function found(who: Channel, search: string, more: { maxId?: number; count?: number } = {}): Promise<number[]> {
  const { messages } = await listMessages(hub, who, { box: "all", search, count: 100, ...more });
  return messages.map((mail) => mail.id);
}

test("a message is found by any part of its text, in any case, and by nothing else", async () => {
  const sign = fc.constantFrom("a", "B", "b", " ", "%", "_", "'", '"', "é", "É", "好", "你", "😀");
  const text = fc.string({ unit: sign, minLength: 1, maxLength: 12 }).filter((one) => one.trim() === one);
  const bodies = fc.sample(text, { numRuns: 40, seed: 7 });
  const sent = new Map<number, string>();
  for (const body of bodies) {
    const { id, body: stored } = await sendMessage(hub, ann, { to: bob.channel_hash, body });
    sent.set(id, stored.toLowerCase());
  }
  const asked = fc.string({ unit: sign, minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(asked, async (search) => {
      const expected = [...sent].filter(([, body]) => body.includes(search.toLowerCase())).map(([id]) => id);
      expect(await found(ann, search)).toEqual(expected.toReversed());
      expect(await found(ann, search, { maxId: expected[0] ?? 1, count: 1 })).toEqual(expected.slice(0, 1));
    }),
    { numRuns: size(60, 1000) },
  );
});

test("what was deleted or taken back is found no more, and only one's own ever is", async () => {
  const { id } = await sendMessage(hub, ann, { to: bob.channel_hash, body: "Marzipan" });
  const eve = await newcomer(hub, "eve");
  expect([await found(ann, "rzip"), (await found(bob, "rzip")).length, await found(eve, "rzip")]).toEqual([
    [id],
    1,
    [],
  ]);
  await recallMessage(hub, ann, id);
  expect([await found(ann, "rzip"), await found(bob, "rzip")]).toEqual([[], []]);
  const again = await sendMessage(hub, ann, { to: bob.channel_hash, body: "Marzipan" });
  await deleteMessage(hub, ann, again.id);
  expect([await found(ann, "rzip"), (await found(bob, "rzip")).length]).toEqual([[], 1]);
});

test("the messages of others, and one's older ones, cost nothing", async () => {
  const write = async (first: number, uid: string) =>
    hub.run(`insert into mail (convid, conv_guid, from_xchan, to_xchan, account_id, channel_id, body, mid, parent_mid, created)
      select 0, 'c', 'x', 'y', 1, ${uid}, 'the weather is agreeable ' || n, 'mail' || n, 'mail' || n, '2026-01-01 00:00:00'
      from ${numbers(first, 10_000)}`);
  const questions = ["agreeable", "nobody says this", "reeab", "ea", "q"];
  const ask = (search: string) => () => listMessages(hub, ann, { box: "all", search, count: 20 });
  await write(1000, String(ann.channel_id));
  await hub.settle();
  const before = new Map<string, number>();
  for (const search of questions) before.set(search, await hub.costOf(ask(search)));
  await write(20_000, "1000 + n % 50");
  await hub.settle();
  for (const [search, cost] of before) {
    const enough = hardlyMore(cost);
    const now = await hub.costOf(ask(search), enough);
    expect([search, cost, now, now < enough]).toEqual([search, cost, now, true]);
  }
});
