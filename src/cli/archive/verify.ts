import { hash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Counts } from "../../domain/backups/format.ts";
import { migrate, openDatabase } from "../../storage/database.ts";
import { openSnapshot } from "../../storage/snapshot.ts";
import { CommandError } from "../error-message.ts";
import { loadArchive, parseLine } from "./read.ts";
import type { Archive, TablePart } from "./read.ts";

/** The rows of a table, whatever their order: how many, and the sum of their digests. */
type Sum = { part: TablePart; rows: number; digest: bigint };

/**
 * Restores a backup into a database that is removed afterwards, compares what is in it then with what the backup says, and brings its
 * tables up to date; of blobs all bytes are read and compared with their digests. Throws where anything is missing or different.
 */
export async function verifyArchive(archive: Archive): Promise<Counts> {
  const folder = await mkdtemp(join(tmpdir(), "hubbub-verify-"));
  const settings = { engine: "sqlite", file: join(folder, "hubbub.db") } as const;
  const db = openDatabase(settings);
  try {
    const sums = new Map<string, Sum>();
    const counts = await db.transaction().execute((db) =>
      loadArchive(
        {
          db,
          engine: "sqlite",
          blobs: undefined,
          before: [],
          kept: [],
          see: (part, row) =>
            add((sums.get(part.table) ?? sums.set(part.table, { part, rows: 0, digest: 0n }).get(part.table))!, row),
        },
        archive,
      ),
    );
    for (const sum of sums.values()) await compare(settings, sum);
    await migrate(db, "sqlite");
    return counts;
  } finally {
    await db.destroy();
    await rm(folder, { recursive: true, force: true });
  }
}

async function compare(settings: Parameters<typeof openSnapshot>[0], expected: Sum): Promise<void> {
  const { table, columns } = expected.part;
  const found: Sum = { part: expected.part, rows: 0, digest: 0n };
  const snapshot = await openSnapshot(settings);
  try {
    for await (const row of snapshot.rows({ table, columns })) add(found, row);
  } finally {
    await snapshot.close();
  }
  if (found.rows !== expected.rows || found.digest !== expected.digest)
    throw new CommandError(`The backup is damaged: ${table} is not what was written once it is restored.`);
}

/** Engines write the same JSON with other spaces. */
function add(sum: Sum, row: string): void {
  sum.rows++;
  sum.digest += BigInt(`0x${hash("sha256", JSON.stringify(parseLine(row)))}`);
}
