import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { BlobStore } from "../../storage/blobs.ts";
import { migrate, migrationSteps } from "../../storage/database.ts";
import type { Database, Engine } from "../../storage/database.ts";
import { dropTables, insertRows, raiseLastId } from "../../storage/reload.ts";
import type { TableShape } from "../../storage/snapshot.ts";
import { zeroDate } from "../../storage/sql.ts";
import { CommandError } from "../sentence.ts";
import { readHeader, readPart } from "./format.ts";
import type { Header, Part } from "./format.ts";
import { linesOf } from "./lines.ts";
import type { Counts } from "./write.ts";

/** Rows of one table are written so many at a time. */
const together = 500;

type Target = {
  db: Database;
  engine: Engine;
  blobs: BlobStore;
  /** The tables that are there now. */ before: readonly TableShape[];
};

type Lines = AsyncGenerator<string, undefined>;

export type Archive = { header: Header; lines: Lines };

/** Opens a backup and reads what it is. */
export async function openArchive(file: string): Promise<Archive> {
  const source = createReadStream(file);
  const unzipped = createGunzip();
  source.on("error", (error) => unzipped.destroy(error));
  const lines = linesOf(source.pipe(unzipped));
  return { header: readHeader((await lines.next().catch(notReadable)).value), lines };
}

function notReadable(error: NodeJS.ErrnoException): never {
  if (error.code?.startsWith("Z_")) throw new CommandError("This is not a backup of a hub.");
  throw error;
}

/**
 * Puts what the backup holds in the place of everything that is there; part of a transaction. The blobs are in place
 * before it ends, so that a hub whose restore was cut off is what it was before.
 */
export async function restoreArchive(target: Target, { header, lines }: Archive): Promise<Counts> {
  const { db, engine } = target;
  await refuseNewer(target, header);
  await dropTables(db, target.before);
  await migrate(db, engine, header.migration);
  const counts = await takeParts(target, lines);
  for (const { table, lastId } of target.before) {
    if (lastId !== undefined && counts.rows[table] !== undefined) await raiseLastId(db, engine, table, lastId);
  }
  await migrate(db, engine);
  // Whoever was working on a job at the time of the backup is not working on it here.
  await db.updateTable("job").set({ leased_until: zeroDate }).execute();
  return counts;
}

async function refuseNewer({ db, engine }: Target, header: Header): Promise<void> {
  const known = await migrationSteps(db, engine);
  if (known.some((step) => step.name === header.migration)) return;
  throw new CommandError(
    `The backup was made by Hubbub ${header.program}, which is newer than this one: update first.`,
  );
}

async function takeParts(target: Target, lines: Lines): Promise<Counts> {
  const counts: Counts = { rows: {}, blobs: 0 };
  let line = await nextLine(lines);
  for (;;) {
    const part: Part = readPart(line);
    if ("end" in part) {
      checkCounts(counts, part);
      return counts;
    }
    // The line that ends one part is the first of the next one.
    if ("table" in part) line = await takeTable(target, lines, part, counts);
    else line = await takeBlob(target, lines, part.blob, counts);
  }
}

type TablePart = Extract<Part, { table: string }>;

async function takeTable({ db, engine }: Target, lines: Lines, part: TablePart, counts: Counts): Promise<string> {
  let rows: string[] = [];
  let count = 0;
  const write = async (): Promise<void> => {
    if (rows.length > 0) await insertRows(db, engine, part, rows);
    rows = [];
  };
  for (;;) {
    const line = await nextLine(lines);
    if (!line.startsWith("[")) {
      await write();
      if (part.last_id !== undefined) await raiseLastId(db, engine, part.table, part.last_id);
      counts.rows[part.table] = count;
      return line;
    }
    rows.push(line);
    count++;
    if (rows.length === together) await write();
  }
}

async function takeBlob({ blobs }: Target, lines: Lines, name: string, counts: Counts): Promise<string> {
  let after = "";
  const pieces = async function* (): AsyncGenerator<Buffer> {
    for (;;) {
      after = await nextLine(lines);
      if (!after.startsWith('"')) return;
      yield Buffer.from(JSON.parse(after) as string, "base64");
    }
  };
  await blobs.keep(await blobs.stage(Readable.from(pieces()), Infinity), name);
  counts.blobs++;
  return after;
}

async function nextLine(lines: Lines): Promise<string> {
  const { value, done } = await lines.next().catch(damaged);
  if (done) throw new CommandError("The backup is not whole: its end is missing.");
  return value;
}

function damaged(error: NodeJS.ErrnoException): never {
  if (!error.code?.startsWith("Z_")) throw error;
  throw new CommandError(`The backup is not whole, or damaged: ${error.message}.`);
}

function checkCounts(found: Counts, expected: Counts): void {
  const same = Object.entries(expected.rows).every(([table, rows]) => found.rows[table] === rows);
  if (!same || found.blobs !== expected.blobs)
    throw new CommandError("The backup is damaged: rows or files are missing.");
}
