import type { Fault } from "./faults.ts";

/** How far a date may be from ours, in seconds (federation contract 8.1). */
const windowSeconds = 3600;

const httpDate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/** What is wrong with a `Date` header, if anything. */
export function dateFault(text: string, now: Date): Fault | undefined {
  const at = httpDate.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? "date_malformed" : createdFault(at / 1000, now);
}

/** What is wrong with the second at which something was signed, if anything. */
export function createdFault(second: number, now: Date): Fault | undefined {
  return Math.abs(second - now.getTime() / 1000) <= windowSeconds ? undefined : "date_outside";
}

export function expiresFault(second: number, now: Date): Fault | undefined {
  return second >= now.getTime() / 1000 ? undefined : "expired";
}
