import { tooManyParameters, unreadable } from "./refusals.ts";
import { cleanText, cleanValue, decodeForm, decodeFormName, decodeUtf8, isUtf8, notUtf8, wellFormed } from "./text.ts";
import type { BadText } from "./text.ts";
import { isRecord } from "../record-of.ts";

/** The values of each parameter in the order in which they came: text, or what a JSON body holds. */
export type Parameters = Map<string, unknown[]>;

const mostParameters = 10_000;
const deepest = 32;
const arrayName = /^(.*)\[\d{0,9}\]$/s;

/**
 * Reads a query string or an urlencoded body, given as one character for each byte. `name[]=a`, `name[0]=a` and a
 * repeated `name=a` all add to the same list.
 */
export function readPairs(text: string, badText: BadText): Parameters {
  const found: Parameters = new Map();
  eachPair(text, badText, (name, value) => add(found, baseName(name), value));
  return found;
}

/** Every pair of a query or an urlencoded body, its name as it was sent. */
export function eachPair(text: string, badText: BadText, take: (name: string, value: string) => void): void {
  if (text === "") return;
  let start = 0;
  for (let count = 0; start <= text.length; count++) {
    if (count > mostParameters) throw tooManyParameters();
    const next = text.indexOf("&", start);
    const end = next < 0 ? text.length : next;
    if (end > start) takePair(text.slice(start, end), badText, take);
    start = end + 1;
  }
}

/** Reads the text parts of a form. */
export function readParts(parts: readonly { name: string; bytes: Uint8Array }[], badText: BadText): Parameters {
  const found: Parameters = new Map();
  for (const part of parts) add(found, baseName(part.name), textOf(part, badText));
  return found;
}

/** The text of a part of a form. */
export function textOf({ name, bytes }: { name: string; bytes: Uint8Array }, badText: BadText): string {
  const field = baseName(name);
  return cleanValue(decodeUtf8(bytes, badText, field), badText, field);
}

/** Reads a JSON body: one object whose keys are the parameters, or any value for the endpoint that takes it `whole`. */
export function readJson(bytes: Uint8Array, badText: BadText, whole: string | undefined): Parameters {
  const value = readClean(bytes, badText, whole);
  const found: Parameters = new Map();
  if (isRecord(value)) for (const key of Object.keys(value)) addJson(found, baseName(key), value[key]);
  else if (whole === undefined) throw unreadable("The JSON body must be one object.");
  if (whole !== undefined && !found.has(whole)) found.set(whole, [value]);
  return found;
}

/** Both together; where a name is in both, the body wins. */
export function merge(query: Parameters, body: Parameters): Parameters {
  if (query.size === 0) return body;
  for (const [name, values] of body) query.set(name, values);
  return query;
}

/** The name without the brackets of a list. */
export function baseName(name: string): string {
  return name.endsWith("]") ? (arrayName.exec(name)?.[1] ?? name) : name;
}

function takePair(pair: string, badText: BadText, take: (name: string, value: string) => void): void {
  const equals = pair.indexOf("=");
  const name = decodeFormName(equals < 0 ? pair : pair.slice(0, equals), badText);
  const field = baseName(name);
  take(name, equals < 0 ? "" : cleanValue(decodeForm(pair.slice(equals + 1), badText, field), badText, field));
}

function add(found: Parameters, name: string, value: unknown): void {
  const values = found.get(name);
  if (values) values.push(value);
  else found.set(name, [value]);
}

function addJson(found: Parameters, name: string, value: unknown): void {
  if (value === null) return;
  if (!Array.isArray(value)) return add(found, name, value);
  const entries: unknown[] = value.length === 0 ? [""] : value;
  for (const entry of entries) add(found, name, entry);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unreadable("The body is not JSON.", cause);
  }
}

/** The value of a JSON body, with its texts cleaned. */
function readClean(bytes: Uint8Array, badText: BadText, whole: string | undefined): unknown {
  if (badText !== "replace" && !isUtf8(bytes)) throw notUtf8(fieldWithoutUtf8(bytes) ?? whole ?? "");
  return cleanJson(parse(decodeUtf8(bytes, badText, "")), { badText, field: whole }, deepest);
}

/** How texts in JSON are read; `field` is the parameter that they belong to, once that is known. */
type Cleaning = { badText: BadText; field: string | undefined };

/** Every text in the value cleaned, and no deeper than `levels`. */
function cleanJson(value: unknown, { badText, field }: Cleaning, levels: number): unknown {
  if (typeof value === "string") return cleanValue(wellFormed(value, badText, field ?? ""), badText, field ?? "");
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) throw unreadable("The JSON body is nested too deeply.");
  if (Array.isArray(value)) return value.map((entry) => cleanJson(entry, { badText, field }, levels - 1));
  // No prototype: a key of any name is only a key.
  const clean: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [key, entry] of Object.entries(value)) {
    const within = { badText, field: field ?? baseName(key) };
    clean[cleanText(wellFormed(key, badText, within.field))] = cleanJson(entry, within, levels - 1);
  }
  return clean;
}

/**
 * The first parameter of a JSON body whose bytes are not UTF-8. The syntax of JSON is ASCII, so the body reads the same with
 * one character for each byte; escapes, which are no bytes, are left out.
 */
function fieldWithoutUtf8(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes).toString("latin1");
  const withoutEscapes = text.replace(/\\(?:u[\da-f]{4}|.)/gis, (escape) => (/^\\u/i.test(escape) ? "" : escape));
  const value = cleanJson(parse(withoutEscapes), { badText: "replace", field: "" }, deepest);
  if (!isRecord(value)) return undefined;
  const isBad = (part: unknown): boolean => !isUtf8(Buffer.from(JSON.stringify(part), "latin1"));
  const bad = Object.entries(value).find((entry) => isBad(entry));
  return bad && baseName(Buffer.from(bad[0], "latin1").toString());
}
