import { readdirSync, readFileSync } from "node:fs";
import { tick, timesOf } from "../processes.ts";

/** Milliseconds of processor that these processes and all that they have started have taken so far, those that have ended too. */
export function timeOfAll(...pids: number[]): number {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => read(Number(name)));
  const wanted = new Set(pids);
  for (let before = -1; before !== wanted.size;) {
    before = wanted.size;
    for (const { pid, parent } of all) if (wanted.has(parent)) wanted.add(pid);
  }
  return all.filter(({ pid }) => wanted.has(pid)).reduce((sum, { time }) => sum + time, 0);
}

/** Milliseconds of processor that the whole machine has worked so far. */
export function timeOfMachine(): number {
  const [user, nice, system, , , irq, soft, steal] = readFileSync("/proc/stat", "utf8")
    .split("\n")[0]!
    .split(/ +/)
    .slice(1)
    .map(Number);
  return (user! + nice! + system! + irq! + soft! + steal!) * tick;
}

function read(pid: number): { pid: number; parent: number; time: number }[] {
  try {
    const { parent, own, children } = timesOf(pid);
    return [{ pid, parent, time: own + children }];
  } catch {
    // It has ended since it was listed.
    return [];
  }
}
