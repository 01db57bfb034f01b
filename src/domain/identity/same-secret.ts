import { timingSafeEqual } from "node:crypto";

/** Are the two the same? Takes as long for a guess that is nearly right as for any other of its length. */
export function isSameSecret(one: string, other: string): boolean {
  const [known, found] = [Buffer.from(one), Buffer.from(other)];
  return known.length === found.length && timingSafeEqual(known, found);
}
