import { setTimeout as sleep } from "node:timers/promises";
import type { Need, World } from "./world.ts";

/** What goes wrong, from beginning to end: each answers when its cause is gone. */

/** A little less than an hour: by more than that, signatures of other servers are refused whatever the hub does. */
const nearlyAnHour = 3590;

export type FaultName = "processes" | "postgres" | "s3" | "disk" | "clock" | "names" | "promotion";
/** What was done to the hub, from when and until when; moments in milliseconds. */
export type Fault = { name: string; from: number; over: number };

type Step = { name: string; work: (world: World) => Promise<void> };

/** What each fault needs besides a hub and PostgreSQL. */
export const needs: Readonly<Partial<Record<FaultName, readonly Need[]>>> = {
  s3: ["s3"],
  disk: ["disk"],
  promotion: ["replica"],
};

/** `seconds` are those for which things are away, or gone. */
type Steps = (world: World, seconds: Record<"away" | "gone", number>) => Step[];

export const faults: Readonly<Record<FaultName, Steps>> = {
  processes: (world) =>
    world.pids().map((pid, at) => ({
      name: `process ${at + 1} killed`,
      work: () => Promise.resolve(void process.kill(pid, "SIGKILL")),
    })),
  postgres: (_, { away }) => [
    { name: `PostgreSQL away for ${away} s`, work: ({ primary }) => primary.restart(away * 1000) },
  ],
  s3: (_, { gone }) => [
    {
      name: `S3 away for ${gone} s`,
      async work({ s3 }) {
        await s3!.kill();
        await sleep(gone * 1000);
        await s3!.startAgain();
      },
    },
    {
      name: `S3 hangs for ${gone} s`,
      async work({ s3 }) {
        s3!.hang();
        await sleep(gone * 1000);
        s3!.goOn();
      },
    },
  ],
  disk: (_, { gone }) => [
    {
      name: `no room on the disk of the database for ${gone} s`,
      async work({ disk }) {
        disk!.fill();
        await sleep(gone * 1000);
        disk!.makeRoom();
      },
    },
  ],
  // What is wrong is the time itself, so nothing is over while it is: each move is a fault that is over at once.
  clock: () =>
    (
      [
        ["an hour ahead", nearlyAnHour],
        ["right", 0],
        ["an hour behind", -nearlyAnHour],
        ["right again", 0],
      ] as const
    ).map(([where, seconds]) => ({
      name: `the clock is ${where}`,
      work: ({ conditions }) => Promise.resolve(conditions.set({ seconds })),
    })),
  names: (_, { gone }) => [
    {
      name: `no names are looked up for ${gone} s`,
      async work({ conditions }) {
        conditions.set({ names: false });
        await sleep(gone * 1000);
        conditions.set({ names: true });
      },
    },
  ],
  promotion: () => [{ name: "the primary killed, its replica promoted", work: (world) => world.promote() }],
};

export const faultNames = Object.keys(faults) as FaultName[];
