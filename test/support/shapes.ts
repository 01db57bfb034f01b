import { expect } from "vitest";

/** What the type letters of native contract 0 allow. */
const letters: Readonly<Record<string, (value: unknown) => boolean>> = {
  S: isText,
  H: isText,
  D: (value) => isText(value) && /^\d+$/.test(value),
  F: (value) => value === "0" || value === "1",
  T: (value) => isText(value) && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value),
  J: (value) => value === "" || (isText(value) && typeof JSON.parse(value) === "object"),
  L: (value) => isText(value) && /^(<[^<>\s]+>)*$/.test(value),
  U: (value) => value === "" || (isText(value) && /^https?:\/\/\S+$/.test(value)),
  N: (value) => typeof value === "number" && Number.isFinite(value),
  B: (value) => typeof value === "boolean",
  O: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  A: (value) => Array.isArray(value),
};

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** A field and its type letter, as in `"created T"`; with `?` after the letter it may be absent. */
export type Fields = readonly string[];

/** Exactly these fields, of these types, in this order. */
export function isInOrder(record: object, fields: Fields): void {
  const allowed = fields.map(nameOf);
  expect(Object.keys(record)).toEqual(allowed.filter((name) => name in record));
  hasExactly(record, fields);
}

/** Exactly these fields, of these types, in whatever order. */
export function hasExactly(record: object, fields: Fields): void {
  const keys = Object.keys(record).toSorted();
  const missing = fields.filter((field) => !field.endsWith("?") && !keys.includes(nameOf(field)));
  const names = fields.map(nameOf);
  expect({ missing, surplus: keys.filter((key) => !names.includes(key)) }).toEqual({ missing: [], surplus: [] });
  const values = record as Record<string, unknown>;
  const wrong = fields.filter((field) => nameOf(field) in values && !letters[letterOf(field)]!(values[nameOf(field)]));
  expect(wrong.map((field) => [field, values[nameOf(field)]])).toEqual([]);
}

function nameOf(field: string): string {
  return field.split(" ")[0]!;
}

function letterOf(field: string): string {
  return field.split(" ")[1]!.replace("?", "");
}

/** Every number, boolean and null in the value, by the names on the way to it: `["item[].start", 0]`. */
export function bareValues(value: unknown, path = ""): [string, unknown][] {
  if (typeof value === "string") return [];
  if (Array.isArray(value)) return value.flatMap((entry) => bareValues(entry, `${path}[]`));
  if (typeof value !== "object" || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([name, entry]) => bareValues(entry, path === "" ? name : `${path}.${name}`));
}
