import { expect } from "vitest";
import type { z } from "zod";

/** The schema of a record, with its fields in the order of the contract. */
export type Shape = z.ZodObject;

export function namesOf(shape: Shape): string[] {
  return Object.keys(shape.shape);
}

/** Exactly these fields, of these types, in this order. */
export function isInOrder(record: object, shape: Shape): void {
  expect(Object.keys(record)).toEqual(namesOf(shape).filter((name) => name in record));
  hasExactly(record, shape);
}

/** Exactly these fields, of these types, in whatever order. */
export function hasExactly(record: object, shape: Shape): void {
  expect(shape.safeParse(record).error?.issues ?? []).toEqual([]);
}

/** Every number, boolean and null in the value, by the names on the way to it: `["item[].start", 0]`. */
export function bareValues(value: unknown, path = ""): [string, unknown][] {
  if (typeof value === "string") return [];
  if (Array.isArray(value)) return value.flatMap((entry) => bareValues(entry, `${path}[]`));
  if (typeof value !== "object" || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([name, entry]) => bareValues(entry, path === "" ? name : `${path}.${name}`));
}
