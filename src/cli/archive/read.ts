import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { digestOf } from "../../domain/backups/back-up.ts";
import { readHeader, readPart } from "../../domain/backups/format.ts";
import type { Counts, Header, Part } from "../../domain/backups/format.ts";
import { linesOf } from "../../domain/backups/lines.ts";
import { sealMark, unseal } from "../../domain/backups/seal.ts";
import { holdDeliveries } from "../../domain/delivery/operate.ts";
import { detailOf, unlessMissing } from "../../errors.ts";
import { releaseJobs } from "../../jobs/queue.ts";
import type { BlobStore } from "../../storage/blobs/store.ts";
import { migrate, migrationSteps } from "../../storage/database.ts";
import type { Database, Engine } from "../../storage/engine.ts";
import { dropTables, emptyTable, insertRows, raiseLastId } from "../../storage/reload.ts";
import type { TableShape } from "../../storage/snapshot.ts";
import { sizeIn } from "../../storage/places/place.ts";
import type { Place } from "../../storage/places/place.ts";
import { CommandError } from "../error-message.ts";
import { locate } from "./locate.ts";

/** Rows of one table are written so many at a time. */
const together = 500;

type Target = {
  db: Database;
  engine: Engine;
  /** Without one, bytes are only read. */
  blobs: BlobStore | undefined;
  /** The tables that are there now. */
  before: readonly TableShape[];
  /** Gets the name of each blob that was not there before. */
  kept: string[];
  /** Sees each row before it is written. */
  see?: (part: TablePart, row: string) => void;
};

type Lines = AsyncGenerator<string, undefined>;

/** A backup that is being read; the bytes of some of its blobs may lie beside it. */
export type Archive = {
  /** Where it is, as it is said. */
  from: string;
  /** The bytes of its file. */
  size: number;
  header: Header;
  lines: Lines;
  place: Place;
  identities: readonly string[];
};

/** Opens the backup that `from` names and reads what it is; `identities` are the private halves of the keys that it may be sealed with. */
export async function openArchive(from: string, identities: readonly string[]): Promise<Archive> {
  const { place, name, shown } = await locate(from);
  const bytes = await opened(await place.read(name), await isSealed(place, name), identities);
  const unzipped = createGunzip();
  bytes.on("error", (error) => unzipped.destroy(error));
  const lines = linesOf(bytes.pipe(unzipped));
  const header = readHeader((await lines.next().catch(notReadable)).value);
  if (!header) throw new CommandError("This is not a backup of a hub, or one of a newer program.");
  return { from: shown, size: await sizeIn(place, name), header, lines, place, identities };
}

async function isSealed(place: Place, name: string): Promise<boolean> {
  let start = "";
  for await (const chunk of (await place.read(name)) as AsyncIterable<Buffer>) {
    start += chunk.toString("latin1");
    if (start.length >= sealMark.length) break;
  }
  return start.startsWith(sealMark);
}

async function opened(bytes: Readable, sealed: boolean, identities: readonly string[]): Promise<Readable> {
  if (!sealed) return bytes;
  if (identities.length === 0)
    throw new CommandError("The backup is sealed: name the file with the private half of its key (--identity).");
  return unseal(bytes, identities).catch(() => {
    throw new CommandError("The backup is sealed with another key than those that were given, or damaged.");
  });
}

function notReadable(error: NodeJS.ErrnoException): never {
  if (error.code?.startsWith("Z_")) throw new CommandError("This is not a backup of a hub.");
  throw error;
}

/**
 * Puts what the backup holds in the place of everything that is there; part of a transaction. The blobs are in place
 * before it ends, so that a hub whose restore was cut off is what it was before.
 */
export async function restoreArchive(target: Target, archive: Archive): Promise<Counts> {
  const { db, engine } = target;
  const counts = await loadArchive(target, archive);
  await migrate(db, engine);
  await releaseJobs({ db });
  await holdDeliveries({ db });
  return counts;
}

/** The same, with the tables as they were. */
export async function loadArchive(target: Target, archive: Archive): Promise<Counts> {
  const { db, engine } = target;
  const { header, lines } = archive;
  await refuseNewer(target, header);
  await dropTables(db, target.before);
  await migrate(db, engine, header.migration);
  const counts = await readParts(lines, {
    table: (part, counts) => takeTable(target, lines, part, counts),
    blob: (name, counts) => takeBlob(target, lines, name, counts),
    kept: (part, counts) => takeKept(target, archive, part, counts),
  });
  for (const { table, lastId } of target.before) {
    if (lastId !== undefined && counts.rows[table] !== undefined) await raiseLastId(db, engine, table, lastId);
  }
  return counts;
}

async function refuseNewer({ db, engine }: Target, header: Header): Promise<void> {
  const known = await migrationSteps(db, engine);
  if (!known.some((step) => step.name === header.migration))
    throw new CommandError(
      `The backup was made by Hubbub ${header.program}, which is newer than this one: update first.`,
    );
}

export type TablePart = Extract<Part, { table: string }>;
type KeptPart = Extract<Part, { kept: string }>;

/** What is done with the parts of a backup; each answers the line that ends its part. */
type Takers = {
  table: (part: TablePart, counts: Counts) => Promise<string>;
  blob: (name: string, counts: Counts) => Promise<string>;
  kept: (part: KeptPart, counts: Counts) => Promise<string>;
};

/** Reads the parts to the end of the backup, and checks that all of them were there. */
async function readParts(lines: Lines, take: Takers): Promise<Counts> {
  const counts: Counts = { rows: {}, blobs: 0 };
  let line = await nextLine(lines);
  for (;;) {
    const part: Part = readPart(line) ?? damagedLine(line);
    if ("end" in part) {
      checkCounts(counts, part);
      await checkEnd(lines);
      return counts;
    }
    // The line that ends one part is the first of the next one.
    if ("table" in part) line = await take.table(part, counts);
    else if ("kept" in part) line = await take.kept(part, counts);
    else line = await take.blob(part.blob, counts);
  }
}

async function takeTable({ db, engine, see }: Target, lines: Lines, part: TablePart, counts: Counts): Promise<string> {
  let rows: string[] = [];
  let count = 0;
  const write = async (): Promise<void> => {
    if (rows.length > 0)
      await insertRows(db, engine, part, rows).catch((error: unknown) => unlessDamaged(lines, error));
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
    see?.(part, line);
    rows.push(line);
    count++;
    if (rows.length === together) await write();
  }
}

async function takeBlob(target: Target, lines: Lines, name: string, counts: Counts): Promise<string> {
  const pieces = piecesOf(lines);
  await keepBlob(target, name, pieces.bytes(), counts);
  return pieces.after();
}

/** What is not sealed has the digest of its bytes at the end of its name. */
async function takeKept(
  target: Target,
  { lines, place, identities }: Archive,
  { kept, at }: KeptPart,
  counts: Counts,
): Promise<string> {
  const isSealedPart = at.endsWith(".age");
  const read = async (): Promise<Readable> => {
    const found = await unlessMissing(place.read(at));
    if (!found) throw new CommandError(`The backup is not whole: ${at} is missing.`);
    return opened(found, isSealedPart, identities);
  };
  const broken = new CommandError(`The backup is damaged: ${at} is not what was written.`);
  if (!isSealedPart && (await digestOf(await read())) !== at.split(".").at(-1)) throw broken;
  await keepBlob(target, kept, await read(), counts).catch((error: unknown) => {
    throw isSealedPart && !(error instanceof CommandError) && detailOf(error, "code") === undefined ? broken : error;
  });
  return nextLine(lines);
}

async function keepBlob(
  { blobs, kept }: Target,
  name: string,
  bytes: AsyncIterable<Buffer>,
  counts: Counts,
): Promise<void> {
  if (!blobs) for await (const _piece of bytes);
  else {
    const staged = await blobs.stage(Readable.from(bytes), Infinity);
    if ((await blobs.size(name)) === undefined) kept.push(name);
    await blobs.keep(staged, name);
  }
  counts.blobs++;
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

/** A row, or a piece of a blob. */
export function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return damagedLine(line);
  }
}

function damagedLine(line: string): never {
  throw new CommandError(`The backup is damaged: it has a line that begins with ${line.slice(0, 40)}.`);
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

/** What the database refuses may not be what was written, which shows at the end of the backup only. */
async function unlessDamaged(lines: Lines, error: unknown): Promise<never> {
  for (let more = true; more;) more = (await lines.next().catch(damaged)).done !== true;
  throw error;
}

/** Neither unpacking nor unsealing has errors of the system. */
function damaged(error: NodeJS.ErrnoException): never {
  if (error instanceof CommandError || (error.code !== undefined && !error.code.startsWith("Z_"))) throw error;
  throw new CommandError(`The backup is not whole, or damaged: ${error.message}.`);
}

function checkCounts(found: Counts, expected: Counts): void {
  const same = Object.entries(expected.rows).every(([table, rows]) => found.rows[table] === rows);
  if (!same || found.blobs !== expected.blobs)
    throw new CommandError("The backup is damaged: rows or files are missing.");
}
