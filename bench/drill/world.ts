import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { migrate, openDatabase } from "../../src/storage/database.ts";
import { childrenOf, openPlace, serve } from "../../test/support/command.ts";
import type { Place, Serving } from "../../test/support/command.ts";
import { findPrograms } from "../../test/support/find-postgres.ts";
import { freePort } from "../../test/support/free-port.ts";
import { makeChannel } from "../../test/support/hub.ts";
import { startCluster, startReplica } from "../../test/support/postgres.ts";
import type { Cluster } from "../../test/support/postgres.ts";
import { startS3Server } from "../../test/support/s3-server.ts";
import type { S3Server } from "../../test/support/s3-server.ts";
import { openTcpProxy } from "../../test/support/tcp-proxy.ts";
import { openDisk } from "./disk.ts";
import type { Disk } from "./disk.ts";
import { startElsewhere } from "./elsewhere.ts";
import type { Elsewhere } from "./elsewhere.ts";
import { openConditions } from "./conditions.ts";
import type { Conditions } from "./conditions.ts";

/** What a drill needs besides a hub and its PostgreSQL. */
export type Need = "s3" | "disk" | "replica";

/** A hub of several processes that serves, and all that may go away under it. */
export type World = {
  place: Place;
  elsewhere: Elsewhere;
  primary: Cluster;
  conditions: Conditions;
  /** The blobs are there. */
  s3?: S3Server;
  /** The database is there. */
  disk?: Disk;
  /** The processes that serve, by their numbers in the system. */
  pids(): number[];
  /** The primary ends as if killed, its replica becomes one, and the address of the database leads there. */
  promote(): Promise<void>;
  /** Ends the hub, and leaves everything else. */
  end(): Promise<void>;
  close(): Promise<void>;
};

// What was acknowledged is in its log, so that it may be killed; only the machine must not go away.
const settings = { max_connections: 100, fsync: "off", wal_level: "replica", max_wal_senders: 4 };

export async function openWorld(processes: number, needs: readonly Need[]): Promise<World> {
  const programs = findPrograms();
  if (programs === undefined) throw new Error("The drill restarts a PostgreSQL, and needs its programs here.");
  const undo: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const step of undo.toReversed()) await step();
  };
  try {
    const folder = mkdtempSync(join(tmpdir(), "hubbub-drill-"));
    undo.push(() => rmSync(folder, { recursive: true, force: true }));
    // What a replica does not have is not acknowledged.
    const sure = needs.includes("replica") ? { synchronous_standby_names: "*" } : {};
    const primary = await startCluster(programs, { ...settings, ...sure });
    undo.push(() => primary.stop());
    const replica = needs.includes("replica") ? await startReplica(programs, primary.url, settings) : undefined;
    if (replica) undo.push(() => replica.stop());
    const disk = needs.includes("disk") ? await openDisk(primary.url) : undefined;
    if (disk) undo.push(() => disk.close());
    const proxy = await openTcpProxy(portOf(primary.url));
    undo.push(() => proxy.close());
    const database = new URL(disk?.url ?? primary.url);
    database.port = String(proxy.port);
    const s3 = needs.includes("s3") ? await startS3Server() : undefined;
    if (s3) undo.push(() => s3.stop());
    const elsewhere = await startElsewhere();
    undo.push(() => elsewhere.stop());
    const conditions = openConditions(folder);
    const place = await placeOn(database.href, folder, {
      ...conditions.env,
      HUBBUB_PROCESSES: String(processes),
      ...(s3 && { HUBBUB_BLOBS_URL: (await s3.bucket()).url }),
    });
    const serving = await begin(place, elsewhere, processes);
    undo.push(() => serving.stop());
    return {
      place,
      elsewhere,
      primary,
      conditions,
      ...(s3 && { s3 }),
      ...(disk && { disk }),
      pids: () => childrenOf(serving.child.pid!),
      async promote() {
        await primary.stop();
        await run(replica!.url, "select pg_promote()");
        proxy.leadTo(portOf(replica!.url));
      },
      end: async () => void (await serving.stop()),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

async function placeOn(database: string, folder: string, more: Place["env"]): Promise<Place> {
  const db = openDatabase({ engine: "postgres", url: database });
  await migrate(db, "postgres");
  await db.destroy();
  const port = String(await freePort());
  const address = `http://127.0.0.1:${port}`;
  const env = {
    HUBBUB_BASE_URL: address,
    HUBBUB_PORT: port,
    HUBBUB_DATA: folder,
    HUBBUB_DATABASE_URL: database,
    HUBBUB_ALLOW_PRIVATE: "on",
    HUBBUB_RATE_LIMITS: "off",
    HUBBUB_LOG_LEVEL: "off",
    ...more,
  };
  return { env, folder, url: address, remove: () => Promise.resolve() };
}

/** The hub, with a channel that somebody elsewhere follows. */
async function begin(place: Place, elsewhere: Elsewhere, processes: number): Promise<Serving> {
  const hub = await openPlace(place);
  await elsewhere.befriend(hub, await makeChannel(hub, "anna", { role: "feed" }));
  await hub.close();
  const serving = await serve(place);
  for (let attempt = 0; !(await isReady(place, serving, processes)); attempt++) {
    if (attempt > 600) throw new Error("The hub does not get ready.");
    await sleep(100);
  }
  return serving;
}

async function isReady({ url }: Place, { child }: Serving, processes: number): Promise<boolean> {
  return childrenOf(child.pid!).length >= processes && (await fetch(`${url}/ready`)).ok;
}
