import { z } from "zod";

/**
 * A backup is one gzip file of lines, each a JSON value:
 *
 *   {"hubbub_backup": 1, ...}                            what it is a backup of
 *   {"table": "item", "columns": [...], "last_id": 9}    then its rows, each an array in the order of the columns
 *   {"blob": "name"}                                     then its bytes, each line a piece of them in base64
 *   {"kept": "name", "at": "blobs/na/name..."}           a blob whose bytes are in a file beside it (version 2)
 *   {"end": true, ...}                                   counts; without this line the backup is not whole
 *
 * It says nothing about the engine that it came from, so that the other one can read it. It may be sealed as a whole.
 */
export const versions = { whole: 1, besides: 2 } as const;

const header = z.object({
  hubbub_backup: z.union([z.literal(versions.whole), z.literal(versions.besides)]),
  program: z.string(),
  created: z.string(),
  base_url: z.string(),
  /** The last migration that the tables had taken. */
  migration: z.string(),
});
export type Header = z.infer<typeof header>;

const blobName = z.string().regex(/^[\w.-]+$/);
const fileOfBlob = z.string().regex(/^blobs\/[\w-]{1,2}\/[\w.-]+\.(?:[0-9a-f]{64}|[0-9a-f]{8}\.age)$/);

const tableLine = z.object({ table: z.string(), columns: z.array(z.string()), last_id: z.number().optional() });
const blobLine = z.object({ blob: blobName });
const keptLine = z.object({ kept: blobName, at: fileOfBlob });
const endLine = z.object({ end: z.literal(true), rows: z.record(z.string(), z.number()), blobs: z.number() });

const part = z.union([tableLine, blobLine, keptLine, endLine]);
export type Part = z.infer<typeof part>;

/** What was written or read. */
export type Counts = { rows: Record<string, number>; blobs: number };

/** The first line of a backup; undefined for what is none, or one of a newer program. */
export function readHeader(line: string | undefined): Header | undefined {
  return header.safeParse(parse(line ?? "")).data;
}

/** A line that starts with a brace: a new table, a new blob, or the end; undefined for anything else. */
export function readPart(line: string): Part | undefined {
  return part.safeParse(parse(line)).data;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
