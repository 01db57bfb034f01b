import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Overloaded } from "../errors.ts";
import { Line } from "./line.ts";

/** Who is begun when, and who is sent away: two places, and a patience of a second. */

let hasTime: boolean;
let line: Line;
let said: string[];

beforeEach(() => {
  vi.useFakeTimers();
  hasTime = false;
  said = [];
  line = new Line(2, 1000, () => hasTime);
});
afterEach(() => vi.useRealTimers());

/** Somebody who comes, and leaves once `leave` is called. */
function come(name: string): { leave: () => void } {
  const one = { leave: (): void => undefined };
  void line.enter().then(
    (leave) => {
      said.push(`${name} begins`);
      one.leave = leave;
    },
    (error: unknown) => said.push(`${name} ${error instanceof Overloaded ? "is sent away" : String(error)}`),
  );
  return one;
}

const after = (milliseconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(milliseconds);

test("whoever finds no place waits, and is begun in the order of arrival", async () => {
  const first = come("1");
  come("2");
  const third = come("3");
  come("4");
  await after(0);
  expect(said).toEqual(["1 begins", "2 begins"]);
  first.leave();
  await after(0);
  expect(said.splice(2)).toEqual(["3 begins"]);
  third.leave();
  await after(0);
  expect(said.splice(2)).toEqual(["4 begins"]);
});

test("nobody waits while there is time for more", async () => {
  hasTime = true;
  for (const name of ["1", "2", "3", "4"]) come(name);
  await after(0);
  expect(said).toHaveLength(4);
});

test("those who wait are begun once there is time, also where nobody comes or leaves", async () => {
  for (const name of ["1", "2", "3", "4"]) come(name);
  await after(500);
  expect(said).toHaveLength(2);
  hasTime = true;
  await after(20);
  expect(said.slice(2)).toEqual(["3 begins", "4 begins"]);
  expect(vi.getTimerCount()).toBe(0);
});

test("nobody waits for longer than the patience", async () => {
  for (const name of ["1", "2", "3"]) come(name);
  await after(990);
  expect(said).toHaveLength(2);
  await after(40);
  expect(said.slice(2)).toEqual(["3 is sent away"]);
  expect(vi.getTimerCount()).toBe(0);
});

test("once somebody has waited in vain, whoever comes is sent away at once, until the others have had their turn", async () => {
  const first = come("1");
  const second = come("2");
  come("3");
  await after(400);
  come("4");
  await after(620);
  expect(said.splice(2)).toEqual(["3 is sent away"]);
  come("5");
  await after(0);
  expect(said.splice(2)).toEqual(["5 is sent away"]);
  first.leave();
  await after(0);
  expect(said.splice(2)).toEqual(["4 begins"]);
  come("6");
  second.leave();
  await after(0);
  expect(said.splice(2)).toEqual(["6 begins"]);
});

test("it is open again when the first one has waited for half of the time at most", async () => {
  const first = come("1");
  come("2");
  come("3");
  await after(700);
  come("4");
  await after(320);
  expect(said.splice(2)).toEqual(["3 is sent away"]);
  come("5");
  first.leave();
  await after(0);
  expect(said.splice(2)).toEqual(["4 begins"]);
});

test("whoever takes very long takes no place from others", async () => {
  come("1");
  come("2");
  await after(4990);
  come("3");
  await after(0);
  expect(said).toHaveLength(2);
  await after(40);
  expect(said.slice(2)).toEqual(["3 begins"]);
});
