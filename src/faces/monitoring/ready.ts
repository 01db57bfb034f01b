import { oncePerHub } from "../../caches.ts";
import { isOwnFolder } from "../../domain/files/own-folder.ts";
import { areTablesReady } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { isStopping } from "../../http/stopping.ts";

/** What a hub needs to answer requests, and whether it is about to stop. */
export type Readiness = { database: boolean; migrations: boolean; blobs: boolean; stopping: boolean };

type Found = Omit<Readiness, "stopping">;

/** Looked at no more often than that (milliseconds), whoever asks: the address is open to everybody. */
const holdsFor = 1000;
/** A database or a blob store that does not answer for so long (milliseconds) is away. */
const patience = 3000;

const last = oncePerHub((): { at: number; found: Promise<Found> | undefined } => ({ at: -Infinity, found: undefined }));

export async function readiness(hub: Hub): Promise<Readiness> {
  const known = last(hub);
  if (!known.found || performance.now() - known.at > holdsFor) {
    known.at = performance.now();
    known.found = look(hub);
  }
  return { ...(await known.found), stopping: isStopping(hub) };
}

export function isReady({ database, migrations, blobs, stopping }: Readiness): boolean {
  return database && migrations && blobs && !stopping;
}

async function look(hub: Hub): Promise<Found> {
  const migrations = await inTime(areTablesReady(hub.db));
  if (migrations === undefined) return { database: false, migrations: false, blobs: false };
  return { database: true, migrations, blobs: (await inTime(isOwnFolder(hub))) ?? false };
}

/** What the work answers, or undefined when it fails or takes too long. */
async function inTime(work: Promise<boolean>): Promise<boolean | undefined> {
  const { promise: late, resolve: giveUp } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => giveUp(undefined), patience);
  try {
    return await Promise.race([work, late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
