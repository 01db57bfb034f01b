import { createRequire } from "node:module";
import type * as PhpSerialize from "php-serialize";

const mark = "json:";

/** A composite value of a setting in its stored form. */
export function writeComposite(value: unknown): string {
  return mark + JSON.stringify(value);
}

/** The composite value that a setting holds; undefined for plain text and for what cannot be read. */
export function readComposite(text: string): unknown {
  if (!text.startsWith(mark)) return undefined;
  try {
    return JSON.parse(text.slice(mark.length));
  } catch {
    return undefined;
  }
}

/**
 * The stored form of a value from an export: lists in the serialised form of other hubs become JSON, everything else
 * stays as it is. Undefined for a serialised list that cannot be read.
 */
export function importedValue(text: string): string | undefined {
  if (!/^a:\d+:\{/.test(text)) return text;
  const { unserialize } = createRequire(import.meta.url)("php-serialize") as typeof PhpSerialize;
  try {
    return writeComposite(unserialize(text, {}, { strict: true }));
  } catch {
    return undefined;
  }
}
