import { expect, test } from "vitest";
import { Connections } from "./connections.ts";
import { Failures } from "./failures.ts";
import { reachOf } from "./reach.ts";

/** What the hub remembers of other servers stays within bounds, however many there are: the oldest goes. */

const clock = (): Date => new Date("2026-03-01T12:00:00Z");

test("of 20,000 failures the next one takes the place of the oldest", () => {
  const failures = new Failures(clock);
  const failure = { status: 404 };
  const isKnown = (n: number): boolean => failures.of(`https://far.example/${n}`, false) !== undefined;
  for (let n = 0; n <= 20_000; n++) failures.record(`https://far.example/${n}`, failure);
  expect([0, 1, 20_000].map(isKnown)).toEqual([false, true, true]);
});

test("of 10,000 names whose addresses are known likewise", async () => {
  const lookedUp: string[] = [];
  const connections = new Connections(clock, (name) => {
    lookedUp.push(name);
    return Promise.resolve([{ address: "192.0.2.1", family: 4 }]);
  });
  const find = (n: number) => connections.lineTo(new URL(`https://h${n}.example/`), reachOf(true));
  for (let n = 0; n <= 10_000; n++) await find(n);
  lookedUp.length = 0;
  for (const n of [10_000, 1, 0]) await find(n);
  expect(lookedUp).toEqual(["h0.example"]);
  connections.close();
});
