import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { holdDeliveries } from "../../domain/delivery/operate.ts";
import { releaseJobs } from "../../jobs/queue.ts";
import type { BlobStore } from "../../storage/blobs/store.ts";
import { migrate, migrationSteps } from "../../storage/database.ts";
import type { Database, Engine } from "../../storage/engine.ts";
import { migrationsFor } from "../../storage/migrations/index.ts";
import { dropTables, emptyTable, insertRows, raiseLastId } from "../../storage/reload.ts";
import type { TableShape } from "../../storage/snapshot.ts";
import { CommandError } from "../error-message.ts";
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
  /** The tables that are there now. */
  before: readonly TableShape[];
  /** Gets the name of each blob that was not there before. */
  kept: string[];
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
  const counts = await readParts(lines, {
    table: (part, counts) => takeTable(target, lines, part, counts),
    blob: (name, counts) => takeBlob(target, lines, name, counts),
  });
  for (const { table, lastId } of target.before) {
    if (lastId !== undefined && counts.rows[table] !== undefined) await raiseLastId(db, engine, table, lastId);
  }
  await migrate(db, engine);
  await releaseJobs({ db });
  await holdDeliveries({ db });
  return counts;
}

async function refuseNewer({ db, engine }: Target, header: Header): Promise<void> {
  const known = await migrationSteps(db, engine);
  if (!known.some((step) => step.name === header.migration)) refuseProgram(header);
}

function refuseProgram(header: Header): never {
  throw new CommandError(
    `The backup was made by Hubbub ${header.program}, which is newer than this one: update first.`,
  );
}

type TablePart = Extract<Part, { table: string }>;

/** What is done with the parts of a backup; each answers the line that ends its part. */
type Takers = {
  table: (part: TablePart, counts: Counts) => Promise<string>;
  blob: (name: string, counts: Counts) => Promise<string>;
};

/** Reads the parts to the end of the backup, and checks that all of them were there. */
async function readParts(lines: Lines, take: Takers): Promise<Counts> {
  const counts: Counts = { rows: {}, blobs: 0 };
  let line = await nextLine(lines);
  for (;;) {
    const part: Part = readPart(line);
    if ("end" in part) {
      checkCounts(counts, part);
      await checkEnd(lines);
      return counts;
    }
    // The line that ends one part is the first of the next one.
    line = "table" in part ? await take.table(part, counts) : await take.blob(part.blob, counts);
  }
}

async function takeTable({ db, engine }: Target, lines: Lines, part: TablePart, counts: Counts): Promise<string> {
  let rows: string[] = [];
  let count = 0;
  const write = async (): Promise<void> => {
    if (rows.length > 0) await insertRows(db, engine, part, rows);
    rows = [];
  };
  await emptyTable(db, part.table);
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

async function takeBlob({ blobs, kept }: Target, lines: Lines, name: string, counts: Counts): Promise<string> {
  const pieces = piecesOf(lines);
  const staged = await blobs.stage(Readable.from(pieces.bytes()), Infinity);
  if ((await blobs.size(name)) === undefined) kept.push(name);
  await blobs.keep(staged, name);
  counts.blobs++;
  return pieces.after();
}

/** The bytes of a blob, and the line that comes after them. */
function piecesOf(lines: Lines): { bytes(): AsyncGenerator<Buffer>; after(): string } {
  let after = "";
  return {
    async *bytes() {
      for (;;) {
        after = await nextLine(lines);
        if (!after.startsWith('"')) return;
        yield Buffer.from(parseLine(after) as string, "base64");
      }
    },
    after: () => after,
  };
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new CommandError(`The backup is damaged: it has a line that begins with ${line.slice(0, 40)}.`);
  }
}

/** Reads a backup to its end and answers what is in it; nothing is changed. */
export async function verifyArchive({ header, lines }: Archive): Promise<Counts> {
  if (!(header.migration in migrationsFor("sqlite"))) refuseProgram(header);
  return readParts(lines, {
    table: (part, counts) => countRows(lines, part, counts),
    blob: (_, counts) => countBlob(lines, counts),
  });
}

async function countBlob(lines: Lines, counts: Counts): Promise<string> {
  const pieces = piecesOf(lines);
  for await (const _piece of pieces.bytes());
  counts.blobs++;
  return pieces.after();
}

async function countRows(lines: Lines, { table, columns }: TablePart, counts: Counts): Promise<string> {
  for (let count = 0; ; count++) {
    const line = await nextLine(lines);
    if (!line.startsWith("[")) {
      counts.rows[table] = count;
      return line;
    }
    if ((parseLine(line) as unknown[]).length !== columns.length)
      throw new CommandError(`The backup is damaged: a row of ${table} does not have its ${columns.length} columns.`);
  }
}

/** The checksum of the whole stands behind its last line. */
async function checkEnd(lines: Lines): Promise<void> {
  const { done } = await lines.next().catch(damaged);
  if (!done) throw new CommandError("The backup is damaged: something follows its end.");
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
