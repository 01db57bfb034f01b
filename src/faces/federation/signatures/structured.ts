import { parseDictionary, serializeInnerList } from "structured-headers";

/** Structured fields (RFC 9651), as far as signatures and digests use them. */

/** A number, a text, bytes and so on, or a list of items. */
export type Member = [value: unknown, parameters: ReadonlyMap<string, unknown>];

/** The members of a dictionary by their names; undefined for what is none. */
export function readDictionary(text: string): Map<string, Member> | undefined {
  try {
    return parseDictionary(text);
  } catch {
    return undefined;
  }
}

/** An inner list of texts, in the one form that is signed. */
export function writeList(texts: readonly string[], parameters: ReadonlyMap<string, unknown>): string {
  const items = texts.map((text) => [text, new Map()]);
  return serializeInnerList([items, parameters] as Parameters<typeof serializeInnerList>[0]);
}
