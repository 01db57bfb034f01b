import type { z } from "zod";
import { HubError } from "../../errors.ts";
import { kind } from "../../http/input.ts";
import { asText, lastOf, textOf } from "../../http/values.ts";

/** The kinds of parameters of Mastodon contract 3.3. Each takes the sentence that says what its parameter means. */

const no: readonly string[] = ["", "false", "0", "f", "no", "off"];

/** Text; absent stays undefined. */
export function text(description: string): z.ZodType<string | undefined> {
  return kind({ description, type: "string" }, textOf);
}

/** Text that must be there and not empty. */
export function requiredText(description: string): z.ZodType<string> {
  return kind({ description, type: "string" }, (values, refuse) => {
    const read = textOf(values, refuse) ?? "";
    return read.trim() === "" ? refuse("is missing", "missing_parameter") : read;
  });
}

/** The same of what may be nothing but white space. */
export function sentText(description: string): z.ZodType<string> {
  return kind(
    { description, type: "string" },
    (values, refuse) => textOf(values, refuse) || refuse("is missing", "missing_parameter"),
  );
}

/** Yes or no; absent is no. */
export function flag(description: string): z.ZodType<boolean> {
  return kind({ description, type: "boolean", default: false }, (values) => isYes(lastOf(values)) ?? false);
}

/** Yes or no, or undefined when absent. */
export function optionalFlag(description: string): z.ZodType<boolean | undefined> {
  return kind({ description, type: "boolean" }, (values) => isYes(lastOf(values)));
}

/** How many entries a page has; below 1 it is as many as usual, above the cap the cap. */
export function limit(usual: number, most = usual * 2): z.ZodType<number> {
  const description = "How many to answer at most; a larger number is lowered to what is allowed.";
  return kind({ description, type: "integer", minimum: 1, maximum: most, default: usual }, (values) => {
    const read = wholeNumber(lastOf(values)) ?? 0;
    return read < 1 ? usual : Math.min(read, most);
  });
}

/** How many entries are left out first; at most so many. */
export function offset(most: number): z.ZodType<number> {
  const description = "How many to leave out first.";
  return kind({ description, type: "integer", minimum: 0, maximum: most, default: 0 }, (values) =>
    Math.min(Math.max(wholeNumber(lastOf(values)) ?? 0, 0), most),
  );
}

/** A whole number; what is none is absent. */
export function optionalNumber(description: string): z.ZodType<number | undefined> {
  return kind({ description, type: "integer" }, (values) => wholeNumber(lastOf(values)));
}

/** The same where it decides something: what is no number is refused, by the name of the field. */
export function decidingNumber(name: string, description: string): z.ZodType<number | undefined> {
  return kind({ description, type: "integer" }, (values) => {
    const value = lastOf(values);
    if (value === undefined || value === "") return undefined;
    const read = wholeNumber(value);
    if (read === undefined) throw invalid(`${name} is not a number`);
    return read;
  });
}

/** A bound of ids; what is no id is none. */
export function bound(description: string): z.ZodType<number | undefined> {
  return kind({ description, type: "string" }, (values) => readId(lastOf(values)));
}

/** The same from which a page goes upwards; 0 is below everything. */
export function lowerBound(description: string): z.ZodType<number | undefined> {
  return kind({ description, type: "string" }, (values) => {
    const value = lastOf(values);
    return asText(value) === "0" ? 0 : readId(value);
  });
}

/** The id of a record; what cannot be one is 0, which nothing has. */
export function id(description: string): z.ZodType<number> {
  return kind({ description, type: "string" }, (values) => readId(lastOf(values)) ?? 0);
}

/** The id of a record that may be named; absent or empty names none, and what cannot be an id is 0, which nothing has. */
export function optionalId(description: string): z.ZodType<number | undefined> {
  return kind({ description, type: "string" }, (values) => {
    const value = lastOf(values);
    return value === undefined || value === "" ? undefined : (readId(value) ?? 0);
  });
}

/** Ids of records, each once and no more than so many; what cannot be one is left out. */
export function ids(description: string, most: number): z.ZodType<number[]> {
  return kind({ description, type: "array", items: { type: "string" }, maxItems: most }, (values = []) =>
    [...new Set(values.flatMap((value) => readId(value) ?? []))].slice(0, most),
  );
}

/** Numbers, as such or as text; what is none is -1. */
export function numbers(description: string): z.ZodType<number[]> {
  return kind({ description, type: "array", items: { type: "integer" } }, (values = []) =>
    values.map((value) => wholeNumber(value) ?? -1),
  );
}

/** A list of texts; absent is undefined. Commas do not split. */
export function optionalTexts(description: string): z.ZodType<string[] | undefined> {
  return kind({ description, type: "array", items: { type: "string" } }, (values) =>
    values?.flatMap((value) => asText(value) ?? []).filter((one) => one !== ""),
  );
}

/** A list of texts; absent is an empty one. */
export function texts(description: string): z.ZodType<string[]> {
  return kind({ description, type: "array", items: { type: "string" } }, (values = []) =>
    values.flatMap((value) => asText(value) ?? []).filter((one) => one !== ""),
  );
}

/** The values of an object or a list of objects as they came, for whoever reads what stands within (http/nested.ts). */
export function objects(description: string): z.ZodType<readonly unknown[] | undefined> {
  return kind({ description, type: "object" }, (values) => values);
}

/** A date with its zone, in the stored form; absent is undefined. Throws invalid for what is none. */
export function date(description: string): z.ZodType<string | undefined> {
  return kind({ description, type: "string", format: "date-time" }, (values) => {
    const read = asText(lastOf(values));
    if (read === undefined || read === "") return undefined;
    const hasZone = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/i.test(read);
    const moment = new Date(hasZone ? read : Number.NaN);
    if (Number.isNaN(moment.getTime())) throw invalid(`${read.slice(0, 100)} is not a date`);
    return moment.toISOString().slice(0, 19).replace("T", " ");
  });
}

/** Refuses what can be read and is not taken, in a sentence of this API. */
export function invalid(sentence: string): HubError {
  return new HubError("invalid", `Validation failed: ${sentence}`, { reason: "validation" });
}

/** An id as it stands in paths, parameters and JSON; undefined for what cannot be one. */
export function readId(value: unknown): number | undefined {
  const read = asText(value) ?? "";
  if (!/^[1-9]\d{0,15}$/.test(read)) return undefined;
  const number = Number(read);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** Of a value within an object: yes or no, or undefined when absent. */
export function isYes(value: unknown): boolean | undefined {
  if (value === undefined) return undefined;
  return !no.includes((asText(value) ?? "true").trim().toLowerCase());
}

/** A whole number; undefined for what is none. */
export function wholeNumber(value: unknown): number | undefined {
  const read = asText(value)?.trim() ?? "";
  return /^-?\d{1,15}$/.test(read) ? Number(read) : undefined;
}
