import { isRecord } from "../record-of.ts";
import { eachPair, readJson, textOf } from "./parameters.ts";
import type { Parameters } from "./parameters.ts";
import { unreadable } from "./refusals.ts";
import type { BadText } from "./text.ts";
import type { Values } from "./input.ts";

/**
 * Names with brackets that say what stands within what (Mastodon contract 3.2): `poll[options][]=x`, `fields_attributes[0][name]=x`,
 * `media_attributes[][id]=1`. Whatever way they came, values within are read by `within` and `entriesOf`.
 */

const mostNames = 1000;
const deepest = 3;

/** What stands within a parameter that was sent by names; no prototype, because a name may be any. */
type Inner = Record<string, unknown[]>;

/** Reads a query or an urlencoded body. */
export function nestedPairs(text: string, badText: BadText): Parameters {
  return gather((take) => eachPair(text, badText, take));
}

/** Reads the text parts of a form. */
export function nestedParts(parts: readonly { name: string; bytes: Uint8Array }[], badText: BadText): Parameters {
  return gather((take) => {
    for (const part of parts) take(part.name, textOf(part, badText));
  });
}

/** Reads a JSON body, which says itself what stands within what. */
export function nestedJson(bytes: Uint8Array, badText: BadText, whole: string | undefined): Parameters {
  const found = readJson(bytes, badText, whole);
  if (found.size > mostNames) throw tooMany();
  return found;
}

function gather(each: (take: (name: string, value: string) => void) => void): Parameters {
  const top: Inner = emptyInner();
  let count = 0;
  each((name, value) => {
    if (++count > mostNames) throw tooMany();
    const [base, path] = partsOf(name);
    put(top, base, path, value);
  });
  return new Map(Object.entries(top));
}

/** `a[b][]` is `a` with the path `b` and nothing; a name whose brackets do not close is one as it stands. */
function partsOf(name: string): [base: string, path: string[]] {
  const [, base = "", brackets = ""] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name) ?? [];
  if (base === "") return [name, []];
  const path = brackets === "" ? [] : brackets.slice(1, -1).split("][");
  if (path.length > deepest) throw unreadable("The parameters are nested too deeply.");
  return [base, path];
}

function put(into: Inner, name: string, [step, ...rest]: readonly string[], value: string): void {
  const values = (into[name] ??= []);
  if (step === undefined || (rest.length === 0 && isPlace(step))) return void values.push(value);
  if (step !== "") return put(lastInner(values), step, rest, value);
  // Objects in a list have no names: a new one begins where a name comes again.
  const last = values.at(-1);
  const next = rest[0]!;
  const isNew = !isRecord(last) || (next in last && rest[1] !== "");
  if (isNew) values.push(emptyInner());
  put(values.at(-1) as Inner, next, rest.slice(1), value);
}

/** Empty brackets, or a number. */
function isPlace(step: string): boolean {
  return /^\d{0,9}$/.test(step);
}

function lastInner(values: unknown[]): Inner {
  const last = values.at(-1);
  if (isRecord(last)) return last as Inner;
  const inner = emptyInner();
  values.push(inner);
  return inner;
}

function emptyInner(): Inner {
  return Object.create(null) as Inner;
}

/** What stands under a name within an object, as a parameter of its own is read. */
export function within(object: Readonly<Record<string, unknown>>, name: string): Values {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  if (value === undefined || value === null) return undefined;
  return Array.isArray(value) ? (value as unknown[]) : [value];
}

/** The objects of a list: sent as such, or as one object whose names are their numbers. */
export function entriesOf(values: readonly unknown[]): Readonly<Record<string, unknown>>[] {
  return values.flatMap((value) => {
    if (!isRecord(value)) return [];
    const names = Object.keys(value);
    if (names.length === 0 || !names.every((name) => /^\d{1,9}$/.test(name))) return [value];
    const inOrder = names.toSorted((one, other) => Number(one) - Number(other));
    return inOrder.flatMap((name) => entriesOf(within(value, name) ?? []));
  });
}

function tooMany(): Error {
  return unreadable("The request has too many parameters.");
}
