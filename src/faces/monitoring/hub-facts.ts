import { storedMoment } from "../../http/dates.ts";
import { backupState } from "../../domain/backups/state.ts";
import { backlogOf } from "../../domain/delivery/backlog.ts";
import type { Backlog } from "../../domain/delivery/backlog.ts";
import type { Hub } from "../../hub.ts";

/** Jobs of one kind in the queue. */
type JobBacklog = { job: string; due: number; oldest: number; dead: number };

/** What the database knows, the same whichever process is asked. */
export type HubFacts = {
  engine: string;
  /** Did it answer? Without it there is nothing else to tell. */
  answers: boolean;
  jobs: readonly JobBacklog[];
  queues: readonly (Backlog & { queue: string })[];
  /** When the last backup was begun that came to its end, in seconds; undefined before the first. */
  lastBackup: number | undefined;
  /** How old the replica is at most; undefined where there is none, or no answer. */
  replicaSeconds: number | undefined;
};

/** Asks the queue of jobs, which no face knows by itself. */
export type JobBacklogs = () => Promise<readonly JobBacklog[]>;

export async function hubFacts(hub: Hub, jobBacklogs: JobBacklogs): Promise<HubFacts> {
  const { engine } = hub;
  try {
    return { engine, answers: true, ...(await backlogs(hub, jobBacklogs)) };
  } catch {
    return { engine, answers: false, jobs: [], queues: [], lastBackup: undefined, replicaSeconds: undefined };
  }
}

async function backlogs(hub: Hub, jobBacklogs: JobBacklogs): Promise<Omit<HubFacts, "engine" | "answers">> {
  const [jobs, outgoing, arrivals, { last }, replicaSeconds] = await Promise.all([
    jobBacklogs(),
    backlogOf(hub, "delivery"),
    backlogOf(hub, "inbox_activity"),
    backupState(hub),
    secondsBehind(hub),
  ]);
  return {
    jobs,
    queues: [
      { queue: "outgoing", ...outgoing },
      { queue: "arrivals", ...arrivals },
    ],
    lastBackup: last === undefined ? undefined : storedMoment(last).getTime() / 1000,
    replicaSeconds,
  };
}

async function secondsBehind({ replica }: Hub): Promise<number | undefined> {
  const milliseconds = await replica?.measure().catch(() => undefined);
  return milliseconds === undefined || milliseconds === Infinity ? undefined : milliseconds / 1000;
}
