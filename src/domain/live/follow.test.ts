import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { DatabaseAway } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import { emit } from "./emit.ts";
import { Following } from "./follow.ts";

let hub: TestHub;
beforeAll(async () => {
  hub = await openTestHub();
});
afterAll(() => hub.close());

test("what could not be passed on, as the database was away, is passed on later", async () => {
  const passed: number[] = [];
  let isAway = true;
  let failed = 0;
  const following = await Following.begin(hub, (told) => {
    if (isAway) {
      failed += 1;
      return Promise.reject(new DatabaseAway(new Error("gone")));
    }
    passed.push(...told.map(({ id }) => id));
    return Promise.resolve();
  });
  const before = following.last;
  await inTransaction(hub, (inside) => Promise.resolve(emit(inside, { what: "access", account: 1 })));
  await expect.poll(() => failed).toBeGreaterThan(0);
  expect(following.last).toBe(before);
  isAway = false;
  await inTransaction(hub, (inside) => Promise.resolve(emit(inside, { what: "access", account: 2 })));
  await expect.poll(() => passed).toEqual([before + 1, before + 2]);
  await following.end();
});
