import { missing } from "../../errors.ts";

/** An id as a path or form carries it; what is no number names nothing. Throws missing. */
export function idOf(text: string | undefined): number {
  if (text === undefined || !/^\d{1,15}$/.test(text)) throw missing("Page");
  return Number(text);
}
