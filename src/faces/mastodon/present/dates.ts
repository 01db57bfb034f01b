import { unsetDate } from "../../../http/dates.ts";

/** Mastodon contract 4.3: stored dates know seconds, and clients want three digits more. */
export function datetime(stored: string): string {
  return `${stored.slice(0, 10)}T${stored.slice(11, 19)}.000Z`;
}

/** The same, or null for a date that is not set. */
export function datetimeOrNull(stored: string): string | null {
  return stored === unsetDate ? null : datetime(stored);
}

/** The day alone, or null. */
export function dayOrNull(stored: string): string | null {
  return stored === unsetDate || stored === "" ? null : stored.slice(0, 10);
}

/** Cut to midnight. */
export function midnight(stored: string): string {
  return `${stored.slice(0, 10)}T00:00:00.000Z`;
}
