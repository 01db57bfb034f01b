import { z } from "zod";
import { CommandError } from "../error-message.ts";

/**
 * A backup is one gzip file of lines, each a JSON value:
 *
 *   {"hubbub_backup": 1, ...}                            what it is a backup of
 *   {"table": "item", "columns": [...], "last_id": 9}    then its rows, each an array in the order of the columns
 *   {"blob": "name"}                                     then its bytes, each line a piece of them in base64
 *   {"end": true, ...}                                   counts; without this line the backup is not whole
 *
 * It says nothing about the engine that it came from, so that the other one can read it.
 */
export const version = 1;

const header = z.object({
  hubbub_backup: z.literal(version),
  program: z.string(),
  created: z.string(),
  base_url: z.string(),
  /** The last migration that the tables had taken. */
  migration: z.string(),
});
export type Header = z.infer<typeof header>;

const tableLine = z.object({ table: z.string(), columns: z.array(z.string()), last_id: z.number().optional() });
const blobLine = z.object({ blob: z.string().regex(/^[\w.-]+$/) });
const endLine = z.object({ end: z.literal(true), rows: z.record(z.string(), z.number()), blobs: z.number() });

const part = z.union([tableLine, blobLine, endLine]);
export type Part = z.infer<typeof part>;

/** The first line of a backup. */
export function readHeader(line: string | undefined): Header {
  const found = header.safeParse(parse(line ?? ""));
  if (!found.success) throw new CommandError("This is not a backup of a hub, or one of a newer program.");
  return found.data;
}

/** A line that starts with a brace: a new table, a new blob, or the end. */
export function readPart(line: string): Part {
  const found = part.safeParse(parse(line));
  if (!found.success)
    throw new CommandError(`The backup is damaged: it has a line that begins with ${line.slice(0, 40)}.`);
  return found.data;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
