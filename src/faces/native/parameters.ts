import type { z } from "zod";
import { readDate } from "../../http/dates.ts";
import type { DateInput } from "../../http/dates.ts";
import { kind } from "../../http/input.ts";
import type { Refuse, Values } from "../../http/input.ts";
import { asInteger, asText, asTexts, lastOf, textOf } from "../../http/values.ts";

/**
 * The kinds of parameters of native contract 1.3: what cannot be read is refused. Each takes the sentence that says what its
 * parameter means.
 */

const yes: readonly string[] = ["1", "true", "yes", "on"];
const largestInteger = 2 ** 31 - 1;

/** Text; absent stays undefined. `most` is in characters. */
export function text(description: string, most?: number): z.ZodType<string | undefined> {
  return kind({ description, type: "string" }, (values, refuse) => {
    const read = textOf(values, refuse);
    if (most !== undefined && read !== undefined && read.length > most) refuse(`is longer than ${most} characters`);
    return read;
  });
}

/** Text that must be there and not be empty. */
export function requiredText(description: string): z.ZodType<string> {
  return kind({ description, type: "string", minLength: 1 }, (values, refuse) => {
    const read = textOf(values, refuse);
    return read === undefined || read === "" ? refuse("is missing", "missing_parameter") : read;
  });
}

/** Text that must be there, and may be empty. */
export function presentText(description: string): z.ZodType<string> {
  return kind(
    { description, type: "string" },
    (values, refuse) => textOf(values, refuse) ?? refuse("is missing", "missing_parameter"),
  );
}

/** One of several words; absent or empty stays undefined. */
export function word<const W extends string>(description: string, ...words: readonly W[]): z.ZodType<W | undefined> {
  return kind({ description, type: "string", enum: [...words] }, (values, refuse) => {
    const read = textOf(values, refuse);
    if (read === undefined || read === "") return undefined;
    return words.find((known) => known === read) ?? refuse(`must be one of ${words.join(", ")}`);
  });
}

/** Yes or no; absent is no. */
export function flag(description: string): z.ZodType<boolean> {
  return kind({ description, type: "boolean", default: false }, (values, refuse) =>
    isYes(textOf(values, refuse) ?? ""),
  );
}

/** Yes or no, or undefined when absent. */
export function optionalFlag(description: string): z.ZodType<boolean | undefined> {
  return kind({ description, type: "boolean" }, (values, refuse) => {
    const read = textOf(values, refuse);
    return read === undefined ? undefined : isYes(read);
  });
}

/** A whole number within bounds; absent or empty stays undefined. */
export function integer(
  description: string,
  least = -largestInteger,
  most = largestInteger,
): z.ZodType<number | undefined> {
  return kind({ description, type: "integer", minimum: least, maximum: most }, (values, refuse) => {
    const read = integerOf(values, refuse);
    if (read !== undefined && (read < least || read > most)) refuse(`must be from ${least} to ${most}`);
    return read;
  });
}

/** A position or a count: negative is 0, and what is over the cap is lowered to it (native contract 1.11). */
export function amount(description: string, most = largestInteger): z.ZodType<number | undefined> {
  return kind({ description, type: "integer", minimum: 0 }, (values, refuse) => {
    const read = integerOf(values, refuse);
    return read === undefined ? undefined : Math.min(Math.max(read, 0), most);
  });
}

/** The id of a record; absent or empty stays undefined. */
export function id(description: string): z.ZodType<number | undefined> {
  return kind({ description, type: "integer" }, integerOf);
}

/** The id of a record that must be named. */
export function requiredId(description: string): z.ZodType<number> {
  return kind(
    { description, type: "integer" },
    (values, refuse) => integerOf(values, refuse) ?? refuse("is missing", "missing_parameter"),
  );
}

/** A kind of item, or `*` for all. */
export function itemType(description: string): z.ZodType<number | "*" | undefined> {
  return kind({ description, type: "string", pattern: "^(\\d+|\\*)$" }, (values, refuse) => {
    if (lastOf(values) === "*") return "*";
    const read = integerOf(values, refuse);
    if (read !== undefined && (read < 0 || read > largestInteger)) refuse("is not a kind of item");
    return read;
  });
}

/** A date, not yet placed in a time zone; absent stays undefined. */
export function date(description: string): z.ZodType<DateInput | undefined> {
  return kind({ description, type: "string", format: "moment" }, (values, refuse) => {
    const read = textOf(values, refuse);
    return read === undefined ? undefined : (readDate(read) ?? refuse("is not a date"));
  });
}

/** A list of xchan or group hashes; present and empty is an empty list. */
export function hashes(description: string): z.ZodType<string[] | undefined> {
  return kind({ description, type: "array", items: { type: "string" } }, (values, refuse) => {
    if (!values) return undefined;
    const entries = asTexts(values) ?? refuse("is not a list of texts");
    const bare = entries.map((entry) => entry.replace(/[<>[\]]/g, "").trim()).filter((entry) => entry !== "");
    // Read as empty it could make a private post public.
    if (bare.length === 0 && values.some((value) => asText(value) !== "")) refuse("holds nothing that can be read");
    return bare;
  });
}

/** Names in one list, in any of the forms of native contract 1.3; absent stays undefined. */
export function words(description: string): z.ZodType<string[] | undefined> {
  return kind({ description, type: "array", items: { type: "string" } }, (values, refuse) => {
    return values && (asTexts(values) ?? refuse("is not a list of texts"));
  });
}

/** An access list as it is stored, `<hash><hash>`; in several pieces it is all of them. */
export function accessList(description: string): z.ZodType<string[] | undefined> {
  return kind({ description, type: "string" }, (values, refuse) => {
    if (!values) return undefined;
    const read = values.map((value) => asText(value) ?? refuse("is not an access list")).join("");
    // What cannot be read must never count as empty: that could make a private post public.
    if (!/^\s*(<[^<>\s]+>\s*)*$/.test(read)) refuse("is not an access list");
    return Array.from(read.matchAll(/<([^<>]+)>/g), (found) => found[1]!);
  });
}

/** A JSON value, or the text of one; kept as text. Absent or empty stays undefined. */
export function json(description: string): z.ZodType<string | undefined> {
  return kind({ description, type: "object" }, (values, refuse) => {
    const value = values && values.length > 1 ? values : lastOf(values);
    if (value === undefined || value === "") return undefined;
    if (typeof value !== "string") return JSON.stringify(value);
    return isJson(value) ? value : refuse("is not JSON");
  });
}

function integerOf(values: Values, refuse: Refuse): number | undefined {
  const read = textOf(values, refuse);
  if (read === undefined || read.trim() === "") return undefined;
  return asInteger(read) ?? refuse("is not a whole number");
}

function isYes(text: string): boolean {
  return yes.includes(text.trim().toLowerCase());
}

function isJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}
