import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestHub } from "../../../../test/support/hub.ts";
import type { TestHub } from "../../../../test/support/hub.ts";
import { HubError } from "../../../errors.ts";
import { openHub } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { allowance, isWithin } from "../../../http/allowances.ts";
import { rateLimits } from "../../../http/rate-limits.ts";
import { countByNetwork } from "../accounts/count-by-network.ts";
import { countAttempt, refuseTooMany } from "../accounts/log-in-attempts.ts";
import { shareCounts, startSharing, untold } from "./shared-counts.ts";
import { sweepTallies } from "./tallies.ts";

/** Several processes of one hub refuse what one would: hubs on one database, each with a memory of its own. */

const processes = 3;
let first: TestHub;
let hubs: Hub[];
beforeAll(async () => {
  first = await openTestHub({ env: { HUBBUB_RATE_LIMITS: "on" } });
  const { config, clock, makeKeys, log, threads } = first;
  const more = Array.from({ length: processes - 1 }, () => openHub(config, { clock, makeKeys, log, threads }));
  hubs = [first, ...(await Promise.all(more))];
});
afterAll(async () => {
  for (const hub of hubs.toReversed()) await hub.close();
});

/** How many of those there are that all take with the same right. */
async function allowed(works: readonly Promise<unknown>[]): Promise<number> {
  const ends = await Promise.allSettled(works);
  const refused = ends.flatMap((end) => (end.status === "rejected" ? [end.reason as unknown] : []));
  expect(refused.filter((error) => !(error instanceof HubError && error.kind === "too-many"))).toEqual([]);
  return ends.length - refused.length;
}

describe("what is counted at once", () => {
  test("as many wrong passwords are taken by all as by one, whatever comes together", async () => {
    const tries = Array.from({ length: 130 }, (_, n) => countAttempt(hubs[n % processes]!, "eva", "192.0.2.1"));
    expect(await allowed(tries)).toBe(100);
    for (const hub of hubs)
      await expect(countAttempt(hub, "eva", "192.0.2.1")).rejects.toMatchObject({ retryAfter: 600 });
    for (const hub of hubs)
      await expect(refuseTooMany(hub, "eva", "192.0.2.1")).rejects.toMatchObject({ kind: "too-many" });
  });

  test("what one takes back is there for the others, which look again before they refuse", async () => {
    const [one, other] = hubs as [Hub, Hub];
    const counted = await Promise.all(Array.from({ length: 100 }, () => countAttempt(one, "fay", "192.0.2.2")));
    await expect(countAttempt(other, "fay", "192.0.2.2")).rejects.toMatchObject({ kind: "too-many" });
    for (const attempt of counted) await attempt.takeBack();
    first.advance(1);
    await refuseTooMany(other, "fay", "192.0.2.2");
    await countAttempt(other, "fay", "192.0.2.2");
  });

  test("those who guess at one account wait, whichever process they come to", async () => {
    const guess = (n: number) => countAttempt(hubs[n % processes]!, `guess ${n}`, `198.51.100.${n}`, "codes 7", 10);
    expect(await allowed(Array.from({ length: 20 }, (_, n) => guess(n)))).toBe(10);
    await expect(guess(21)).rejects.toMatchObject({ retryAfter: 1 });
    first.advance(1);
    await guess(22);
    await expect(guess(23)).rejects.toMatchObject({ retryAfter: 2 });
  });

  test("nobody signs up more often in several", async () => {
    const ask = (n: number) => countByNetwork(hubs[n % processes]!, "sign_ups_limited", "192.0.2.3", 5);
    expect(await allowed(Array.from({ length: 12 }, (_, n) => ask(n)))).toBe(5);
  });
});

describe("what requests count", () => {
  test("all together answer no more than the limit, what each keeps to itself, and what comes between two times", async () => {
    let run = 0;
    const limit = 120;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: processes * 8 - 1 }), { minLength: 200, maxLength: 400 }),
        async (steps) => {
          const who = `203.0.113.${++run}`;
          first.advance(60);
          let answered = 0;
          for (const step of steps) {
            const at = step % processes;
            const hub = hubs[at]!;
            // Each process tells the others now and then, at moments of its own.
            if (step < processes) await shareCounts(hub);
            else answered += await allowed([Promise.try(() => rateLimits(hub).count("document", who))]);
          }
          for (const hub of hubs) await shareCounts(hub);
          expect(answered).toBeGreaterThanOrEqual(Math.min(limit, steps.filter((step) => step >= processes).length));
          expect(answered).toBeLessThanOrEqual(limit + mostLate(steps) + (processes - 1) * untold(limit));
        },
      ),
      { numRuns: 12 },
    );
  });

  /** How many come to a process between two times at which it hears of the others, at the most, for all of them but one. */
  function mostLate(steps: readonly number[]): number {
    const longest = Array.from({ length: processes }, (_, at) => {
      let [most, since] = [0, 0];
      for (const step of steps.filter((step) => step % processes === at)) {
        since = step < processes ? 0 : since + 1;
        most = Math.max(most, since);
      }
      return most;
    });
    return longest.reduce((sum, most) => sum + most, 0);
  }

  test("what flows back does so once for all of them", async () => {
    const take = allowance({ of: "tries", perMinute: 60, burst: 60 });
    const taken = async (): Promise<number> => {
      let count = 0;
      for (let round = 0; round < 100; round++) {
        const hub = hubs[round % processes]!;
        if (isWithin(take, hub, "far.example")) count++;
        await shareCounts(hub);
      }
      return count;
    };
    expect(await taken()).toBeLessThanOrEqual(60 + processes * (1 + untold(60)));
    expect(await taken()).toBe(0);
    first.advance(30);
    const again = await taken();
    expect(again).toBeGreaterThanOrEqual(30 - processes * (1 + untold(60)));
    expect(again).toBeLessThanOrEqual(30);
  });

  test("little is written of nobody, and a process that ends tells the rest", async () => {
    const before = await rows();
    const [one, other] = hubs as [Hub, Hub];
    const end = startSharing(one);
    for (let n = 0; n < 400; n++) rateLimits(one).count("read", 77);
    await shareCounts(one);
    expect(await rows()).toBe(before);
    for (let n = 0; n < 100; n++) rateLimits(one).count("read", 77);
    await end();
    expect(await rows()).toBe(before + 1);
    for (let n = 0; n < 401; n++) rateLimits(other).count("read", 77);
    await shareCounts(other);
    expect(rateLimits(other).rate("read", 77)?.remaining).toBe(20_000 - 901);
  });

  test("nobody is named, and what is over is forgotten", async () => {
    const all = await first.db.selectFrom("tally").select("key").execute();
    expect(all.filter(({ key }) => !/^[\w-]{22}$/.test(key))).toEqual([]);
    first.advance(2 * 24 * 3600);
    await sweepTallies(first);
    expect(await rows()).toBe(0);
  });

  async function rows(): Promise<number> {
    return (await first.db.selectFrom("tally").select("key").execute()).length;
  }
});
