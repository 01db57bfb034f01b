import { dateIn, flagIn, numberIn, textIn } from "../../identity/records/portable-fields.ts";
import type { PortableRecord } from "../../identity/records/portable-fields.ts";
import { isRecord, namesIn } from "../../../record-of.ts";

/** Names of columns by what they hold, each a list of words. */
type Shape = { text?: string; number?: string; flag?: string; date?: string };

type Words<S> = S extends `${infer First} ${infer Rest}` ? First | Words<Rest> : S;
type Part<S extends Shape, Kind extends keyof Shape, V> = S[Kind] extends string
  ? { [Name in Words<S[Kind]>]: V }
  : unknown;

export type Shaped<S extends Shape> = Part<S, "text", string> &
  Part<S, "number", number> &
  Part<S, "flag", 0 | 1> &
  Part<S, "date", string>;

const readers = { text: textIn, number: numberIn, flag: flagIn, date: dateIn };

/** Reads the columns of a record that the shape names, whatever types they came in; everything else is left behind. */
export function readShape<const S extends Shape>(record: PortableRecord, shape: S): Shaped<S> {
  const pairs = namesIn(readers).flatMap((kind) =>
    (shape[kind] ?? "").split(" ").flatMap((name) => (name === "" ? [] : [[name, readers[kind](record, name)]])),
  );
  return Object.fromEntries(pairs) as Shaped<S>;
}

/** The records of a list; what is none is left out. */
export function recordsIn(value: unknown): PortableRecord[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** More bytes than this no index of PostgreSQL takes; nothing that has a name is named like that. */
const mostBytes = 600;

/** Do all these texts fit into an index? */
export function fit(...texts: (string | undefined)[]): boolean {
  return texts.every(
    (text) => text === undefined || text.length * 3 <= mostBytes || Buffer.byteLength(text) <= mostBytes,
  );
}
