import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { unlessMissing } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { blobNames, unusedBlobs } from "../../storage/blobs/names.ts";
import { openSnapshot } from "../../storage/snapshot.ts";
import type { Snapshot } from "../../storage/snapshot.ts";
import { writeWhole } from "../whole-file.ts";
import type { Header } from "./format.ts";
import { joinLines } from "./lines.ts";

export type Counts = { rows: Record<string, number>; blobs: number };

/** Besides what was written, how many blobs rows speak of that are not there. */
export type Written = Counts & { missing: number };

/** Writes database and blobs of a hub to a file that only its owner can read; the file is there when it is whole. */
export async function writeArchive(hub: Hub, header: Header, file: string): Promise<Written> {
  const counts: Written = { rows: {}, blobs: 0, missing: 0 };
  const lines = Readable.from(joinLines(archiveLines(hub, header, counts)));
  await writeWhole(file, (target) => pipeline(lines, createGzip(), target));
  return counts;
}

/** The blobs come after the rows: one that a row names is there before the row is. */
async function* archiveLines(hub: Hub, header: Header, counts: Written): AsyncGenerator<string> {
  yield JSON.stringify(header);
  const snapshot = await openSnapshot(hub.config.database);
  try {
    yield* tableLines(snapshot, counts);
  } finally {
    await snapshot.close();
  }
  for await (const name of blobNames(hub.db)) yield* blobLines(hub, name, counts);
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

/** A blob that was removed since the snapshot is left out, as is its row on the hub itself. */
async function* blobLines(hub: Hub, name: string, counts: Written): AsyncGenerator<string> {
  const bytes: AsyncIterable<Buffer> | undefined = await unlessMissing(hub.blobs.read(name));
  if (!bytes) {
    if ((await unusedBlobs(hub.db, hub.engine, [name])).length === 0) counts.missing++;
    return;
  }
  yield JSON.stringify({ blob: name });
  for await (const piece of bytes) yield JSON.stringify(piece.toString("base64"));
  counts.blobs++;
}
