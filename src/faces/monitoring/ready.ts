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
/** A database that does not answer for so long (milliseconds) is away. */
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
  const { promise: away, resolve: giveUp } = Promise.withResolvers<Found>();
  const none = { database: false, migrations: false, blobs: false };
  const timer = setTimeout(() => giveUp(none), patience);
  try {
    return await Promise.race([ask(hub), away]);
  } catch {
    return none;
  } finally {
    clearTimeout(timer);
  }
}

async function ask(hub: Hub): Promise<Found> {
  const migrations = await areTablesReady(hub.db, hub.engine);
  return { database: true, migrations, blobs: await isOwnFolder(hub) };
}
