import { isSqlDate, zeroDate } from "../../../storage/sql.ts";
import type { listNames } from "./access-list.ts";

/** A record of an export: numbers may come as numbers or as digits, and any field may be absent (native contract 7.2). */
export type PortableRecord = Readonly<Record<string, unknown>>;

/** A value as a record; one without fields for what is none. */
export function recordOf(value: unknown): PortableRecord {
  return typeof value === "object" && value !== null ? (value as PortableRecord) : {};
}

/** What became of a record of an export: `there` is what was here just so, `unreadable` names or means nothing. */
export type Taken = "imported" | "there" | "unreadable";

/** Does the row have these values? */
export function hasValues(row: object, values: object): boolean {
  const known = row as PortableRecord;
  return Object.entries(values).every(([name, value]) => known[name] === value);
}

const largest = 2 ** 31 - 1;

/** The text of a field; empty for what is no text. No column holds NUL or half a character. */
export function textIn(record: PortableRecord, name: string): string {
  const value = record[name];
  if (typeof value === "string") return value.toWellFormed().replaceAll("\0", "");
  return typeof value === "number" || typeof value === "boolean" ? String(Number(value)) : "";
}

/** An address that exports of the channel's own records hold: of the web, a path, or the name of an icon; else nothing. */
export function urlIn(record: PortableRecord, name: string): string {
  // Browsers read over control characters.
  const text = textIn(record, name)
    .replaceAll(/\p{Cc}/gu, "")
    .trim();
  return /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^(?:https?:\/\/|icon:)/i.test(text) ? "" : text;
}

/** The whole number of a field; 0 for what is none or does not fit a column. */
export function numberIn(record: PortableRecord, name: string): number {
  const number = Number(textIn(record, name));
  return Number.isInteger(number) && Math.abs(number) <= largest ? number : 0;
}

/** The flag of a field. */
export function flagIn(record: PortableRecord, name: string): 0 | 1 {
  return numberIn(record, name) === 0 ? 0 : 1;
}

/** The date of a field in its stored form; the other one for what is none or unset. */
export function dateIn(record: PortableRecord, name: string, otherwise: string = zeroDate): string {
  const text = textIn(record, name).trim();
  return isSqlDate(text) && text >= firstDate && text < lastDate ? text : otherwise;
}

/** Other programs write "unset" and "never" as dates that are nobody's. */
const firstDate = "0100-01-01";
const lastDate = "9990-01-01";

/** The four access lists of a record; what is no hash in angle brackets is left out. */
export function listsIn(record: PortableRecord): Record<(typeof listNames)[number], string> {
  const list = (name: string): string => (textIn(record, name).match(/<[^<>]+>/g) ?? []).join("");
  return {
    allow_cid: list("allow_cid"),
    allow_gid: list("allow_gid"),
    deny_cid: list("deny_cid"),
    deny_gid: list("deny_gid"),
  };
}
