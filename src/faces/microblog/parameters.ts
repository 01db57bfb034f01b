import type { z } from "zod";
import { kind } from "../../http/input.ts";
import type { Refuse, Values } from "../../http/input.ts";
import { asText, textOf } from "../../http/values.ts";

/**
 * The kinds of parameters of microblog contract 3: what cannot be read counts as absent or as nothing, because clients send
 * anything. Each takes the sentence that says what its parameter means.
 */

const no: readonly string[] = ["", "false", "0", "f", "no", "off"];
const mostPages = 1_000_000_000;

/** Text; absent stays undefined. */
export function text(description: string): z.ZodType<string | undefined> {
  return kind({ description, type: "string" }, textOf);
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

/** How many records a page has; more than the cap is lowered to it. */
export function count(usual = 20, most = 200): z.ZodType<number> {
  const description = "How many to answer at most; a larger number is lowered to what is allowed.";
  return kind({ description, type: "integer", minimum: 1, maximum: most, default: usual }, (values, refuse) => {
    const read = numberOf(values, refuse) ?? 0;
    return read < 1 ? usual : Math.min(read, most);
  });
}

/** The number of a page, from 1. */
export function pageNumber(): z.ZodType<number> {
  const description = "Which page, counted from 1, of `count` each.";
  return kind({ description, type: "integer", minimum: 1, default: 1 }, (values, refuse) => {
    const read = numberOf(values, refuse) ?? 1;
    return Math.min(Math.max(read, 1), mostPages);
  });
}

/** A bound of ids; 0 is none, and so is what cannot be read. */
export function bound(description: string): z.ZodType<number> {
  return kind({ description, type: "integer", minimum: 0, default: 0 }, (values, refuse) =>
    Math.max(numberOf(values, refuse) ?? 0, 0),
  );
}

/** The id that a list is narrowed to; absent or empty is undefined, and what cannot be an id is -1, which nothing has. */
export function narrowing(description: string): z.ZodType<number | undefined> {
  return kind({ description, type: "integer" }, (values, refuse) => {
    const read = textOf(values, refuse)?.trim() ?? "";
    if (read === "") return undefined;
    return digits(read) || -1;
  });
}

/** The id of a record that may be named; absent, empty, 0 and -1 name none, and what cannot be an id is -1, which nothing has. */
export function optionalId(description: string): z.ZodType<number | undefined> {
  return kind({ description, type: "integer" }, (values, refuse) => {
    const read = textOf(values, refuse)?.trim() ?? "";
    return read === "" || read === "-1" || /^0+$/.test(read) ? undefined : digits(read) || -1;
  });
}

/** The id of a record that must be named; 0 and what is no number name none. */
export function requiredId(description: string): z.ZodType<number> {
  return kind(
    { description, type: "integer" },
    (values, refuse) => digits(textOf(values, refuse)?.trim() ?? "") || refuse("is missing", "missing_parameter"),
  );
}

/** Ids of records, in any form of a list and no more than so many; at least one must be named. */
export function idList(description: string, most: number): z.ZodType<number[]> {
  return kind({ description, type: "array", items: { type: "integer" }, maxItems: most }, (values, refuse) => {
    const ids = (values ?? []).flatMap((value) => entriesOf(asText(value) ?? "").map(digits)).filter((id) => id > 0);
    return ids.length === 0 ? refuse("is missing", "missing_parameter") : ids.slice(0, most);
  });
}

/**
 * An access list in any of its forms; absent is undefined. What is not readable stays as an entry that names nobody, so
 * that it is refused later: read as nothing it could make a private post public.
 */
export function accessList(description: string): z.ZodType<string[] | undefined> {
  return kind({ description, type: "array", items: { type: "string" } }, (values) =>
    values?.flatMap((value) => entriesOf(asText(value) ?? "?")),
  );
}

/** A list in any of the forms of microblog contract 3.1; absent is an empty one. */
export function list(description: string): z.ZodType<string[]> {
  return kind({ description, type: "array", items: { type: "string" } }, (values) =>
    (values ?? []).flatMap((value) => entriesOf(asText(value) ?? "")),
  );
}

function entriesOf(list: string): string[] {
  const trimmed = list.trim();
  if (trimmed === "") return [];
  const isBracketed = /^(?:<[^<>]+>[\s,]*)+$/.test(trimmed);
  const entries = isBracketed ? trimmed.split(/[<>]/) : trimmed.split(",");
  const named = entries.map((entry) => entry.trim()).filter((entry) => entry !== "" && !(isBracketed && entry === ","));
  return named.length === 0 ? [trimmed] : named;
}

function numberOf(values: Values, refuse: Refuse): number | undefined {
  const read = textOf(values, refuse)?.trim() ?? "";
  return read.startsWith("-") ? -digits(read.slice(1)) : digits(read.replace(/^\+/, "")) || undefined;
}

/** What is larger than any id is as good as the largest number; what is no number is 0. */
function digits(read: string): number {
  return /^\d+$/.test(read) ? Math.min(Number(read), Number.MAX_SAFE_INTEGER) : 0;
}

function isYes(read: string): boolean {
  return !no.includes(read.trim().toLowerCase());
}
