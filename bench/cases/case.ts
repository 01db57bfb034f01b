import type { Resident, World } from "../dataset.ts";
import { password } from "../dataset/people.ts";
import type { Call } from "../load/main.ts";

/** The same question to the hub and to the floor. */
export type Pair = { hub: Call; floor: Call };

export type Bar = { text: string; met(figures: { ratio: number; rps: number; p99: number }): boolean };

/** One request that the bench measures. */
export type Case = {
  name: string;
  /** The floor's name for it. */
  floor: string;
  answer: "json" | "html" | "xml";
  /** In place of the floor stands another question to the hub. */
  itself?: true;
  /** It changes something, so two answers to it are never the same. */
  writes: boolean;
  /** With `--scale` it is also measured on ten times the messages. */
  scales?: true;
  /** Milliseconds between requests on a single connection, where the time of one answer is what counts. */
  pause?: number;
  bar?: Bar;
  pairs(world: World): Pair[];
};

export const halfOfFloor: Bar = { text: "at least half of the floor", met: ({ ratio }) => ratio >= 0.5 };

/** A case that reads; the questions are made from the data set. */
export function reading(
  name: string,
  pairs: Case["pairs"],
  more: Partial<Pick<Case, "floor" | "answer" | "bar" | "scales" | "itself">> = {},
): Case {
  return { name, floor: name, answer: "json", writes: false, pairs, ...more };
}

/** One question for each resident. */
export function byResident(
  floor: string,
  hubPath: (who: Resident, n: number, world: World) => string,
  floorQuery: (who: Resident, n: number, world: World) => string,
): Case["pairs"] {
  return (world) =>
    world.residents.map((who, n) => pair(floor, who, hubPath(who, n, world), floorQuery(who, n, world)));
}

/** A question of somebody who is logged in, and the floor's. */
export function pair(floor: string, who: Resident, path: string, query: string): Pair {
  return {
    hub: { method: "GET", path, login: `${who.nick}:${password}` },
    floor: { method: "GET", path: `/${floor}?${query}` },
  };
}

/** Somebody else than this resident: always the same one. */
export function another(world: World, n: number): Resident {
  return world.residents[(n * 7 + 3) % world.residents.length]!;
}
