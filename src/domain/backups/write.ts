import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { refusal, unlessMissing } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { blobNames, unusedBlobs } from "../../storage/blobs/names.ts";
import { migrationSteps, newerStep } from "../../storage/database.ts";
import { openSnapshot } from "../../storage/snapshot.ts";
import type { Snapshot } from "../../storage/snapshot.ts";
import { sqlDate } from "../../storage/sql.ts";
import { version as program } from "../../version.ts";
import { setSetting } from "../identity/site/site-settings.ts";
import type { Counts, Header } from "./format.ts";
import { joinLines } from "./lines.ts";
import { seal } from "./seal.ts";

/** Besides what was written, how many blobs rows speak of that are not there. */
export type Written = Counts & { missing: number };

/** The lines that stand for a blob; undefined when it is not there. */
export type TakeBlob = (hub: Hub, name: string) => Promise<AsyncIterable<string> | undefined>;

/**
 * Writes the database of a hub, and of its blobs what `take` makes of them, sealed where the operator has a key. The moment of the last
 * backup that came to its end is kept.
 */
export async function writeBackup(
  hub: Hub,
  { version, created, take }: { version: Header["hubbub_backup"]; created: string; take: TakeBlob },
  put: (bytes: Readable) => Promise<void>,
): Promise<Written> {
  // What it does not know, it would leave out.
  if (await newerStep(hub.db)) throw refusal("database_is_newer");
  const steps = await migrationSteps(hub.db, hub.engine);
  const migration = steps.findLast((step) => step.taken)!.name;
  const header = { hubbub_backup: version, program, created, base_url: hub.config.baseUrl, migration };
  const counts: Written = { rows: {}, blobs: 0, missing: 0 };
  const lines = Readable.from(joinLines(backupLines(hub, header, take, counts)));
  const zipped = createGzip();
  const sealed = await seal(zipped, hub.config.backups.key);
  const putting = put(sealed).catch((error: Error) => {
    lines.destroy(error);
    throw error;
  });
  // Both have to be over before anybody goes on: the snapshot is a connection of its own.
  const ends = await Promise.allSettled([putting, pipeline(lines, zipped)]);
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  await setSetting(hub, "lastBackup", sqlDate(new Date(created)));
  return counts;
}

/** The blobs come after the rows: one that a row names is there before the row is. */
async function* backupLines(hub: Hub, header: Header, take: TakeBlob, counts: Written): AsyncGenerator<string> {
  yield JSON.stringify(header);
  const snapshot = await openSnapshot(hub.config.database);
  try {
    yield* tableLines(snapshot, counts);
  } finally {
    await snapshot.close();
  }
  for await (const name of blobNames(hub.db)) {
    const lines = await take(hub, name);
    if (lines) yield* lines;
    if (lines) counts.blobs++;
    // A blob that was removed since the snapshot is left out, as is its row on the hub itself.
    else if ((await unusedBlobs(hub.db, hub.engine, [name])).length === 0) counts.missing++;
  }
  const { rows, blobs } = counts;
  yield JSON.stringify({ end: true, rows, blobs });
}

async function* tableLines(snapshot: Snapshot, counts: Counts): AsyncGenerator<string> {
  for (const shape of await snapshot.tables()) {
    const { table, columns, lastId } = shape;
    yield JSON.stringify({ table, columns, last_id: lastId });
    let rows = 0;
    for await (const row of snapshot.rows(shape)) {
      yield row;
      rows++;
    }
    counts.rows[table] = rows;
  }
}

/** Takes the bytes of a blob in among the lines. */
export const inside: TakeBlob = async (hub, name) => {
  const bytes: AsyncIterable<Buffer> | undefined = await unlessMissing(hub.blobs.read(name));
  return bytes && bytesAsLines(name, bytes);
};

async function* bytesAsLines(name: string, bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  yield JSON.stringify({ blob: name });
  for await (const piece of bytes) yield JSON.stringify(piece.toString("base64"));
}
