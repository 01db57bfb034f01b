import type { Json } from "./json.ts";
import { expanded, nameAt, nameOf } from "./names.ts";
import { isObject } from "./json.ts";

/**
 * How the words of a document are to be read: by the table of names, except for those that the document itself maps to
 * something else. Contexts elsewhere are never fetched; what they would say is in the table.
 */
export class Context {
  /** What terms of the document are here; undefined for those that mean nothing to the hub. */
  readonly #terms: ReadonlyMap<string, string | undefined>;
  readonly #prefixes: ReadonlyMap<string, string>;

  private constructor(terms: ReadonlyMap<string, string | undefined>, prefixes: ReadonlyMap<string, string>) {
    this.#terms = terms;
    this.#prefixes = prefixes;
  }

  static readonly usual = new Context(new Map(), new Map());

  /** This context with what a node's own `@context` adds. */
  with(own: Json | undefined): Context {
    const added = (Array.isArray(own) ? own : [own]).filter(isObject).flatMap((one) => Object.entries(one));
    if (added.length === 0) return this;
    const addresses = added.map(([term, meaning]) => [term, addressOf(meaning)] as const);
    const prefixes = new Map(this.#prefixes);
    for (const [term, address] of addresses) if (address && /[#/:?]$/.test(address)) prefixes.set(term, address);
    const terms = new Map(this.#terms);
    for (const [at, [term, address]] of addresses.entries()) {
      if (term.startsWith("@")) continue;
      const name = address === undefined ? undefined : nameAt(expanded(address, prefixes));
      // What is said of a term beside its address is not followed, so that term must be the one that the table knows.
      if (typeof added[at]![1] === "string" || name === nameOf(term)) terms.set(term, name);
      else if (nameOf(term) !== undefined) terms.set(term, undefined);
    }
    return new Context(terms, prefixes);
  }

  nameOf(term: string): string | undefined {
    if (this.#terms.has(term)) return this.#terms.get(term);
    return nameOf(term) ?? nameAt(expanded(term, this.#prefixes));
  }
}

/** A term without an address of its own keeps its meaning. */
function addressOf(meaning: Json): string | undefined {
  const address = isObject(meaning) ? meaning["@id"] : meaning;
  return typeof address === "string" ? address : undefined;
}
