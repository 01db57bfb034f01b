import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import jsonld from "jsonld";
import type { Json } from "../translate/json.ts";

/**
 * What LD signatures need of JSON-LD. It runs in a thread (`linked-data.ts`): loading the library takes 26 MB, and what is
 * made canonical may be made to take long.
 */

type Document = { [key: string]: Json };

/** What is signed, and the document as the signature covers it. */
export type Covered = { text: string; document: Document };

const files: Readonly<Record<string, string>> = {
  "https://www.w3.org/ns/activitystreams": "activitystreams",
  "https://w3id.org/security/v1": "security-v1",
  "https://w3id.org/identity/v1": "identity-v1",
  "https://w3id.org/security/data-integrity/v1": "data-integrity-v1",
  "https://w3id.org/security/data-integrity/v2": "data-integrity-v2",
  "https://www.w3.org/ns/did/v1": "did-v1",
  "https://w3id.org/security/multikey/v1": "multikey-v1",
};

const compactContext = ["https://www.w3.org/ns/activitystreams", "https://w3id.org/security/v1"];

/**
 * The text that an LD signature with these options signs. The document comes back as what was signed, and no more: what
 * its contexts do not define is covered by nothing, so it is not in there. Undefined for what cannot be signed, and where
 * the document is put together in a way that says one thing to the signature and another to a reader.
 */
export async function cover(document: Document, options: Document): Promise<Covered | undefined> {
  try {
    const expanded = await jsonld.expand(document, settings);
    const [only, ...others] = expanded;
    if (!only || others.length > 0 || turnsAround(withoutProofs(only))) return undefined;
    dropUndefined(expanded);
    const claim = await jsonld.expand({ ...options, "@context": "https://w3id.org/identity/v1" }, settings);
    const digests = [await digestOf(claim), await digestOf(expanded)];
    const compacted = await jsonld.compact([withoutProofs(only)], compactContext, settings);
    return { text: digests.join(""), document: compacted as Document };
  } catch {
    return undefined;
  }
}

const proof = "https://w3id.org/security#proof";

/** Integrity proofs are signed along, as graphs of their own, but say nothing: they are read from the document as it came. */
function withoutProofs<Part>(expanded: Part): Part {
  if (Array.isArray(expanded)) return expanded.map(withoutProofs) as Part;
  if (typeof expanded !== "object" || expanded === null) return expanded;
  const said = Object.entries(expanded).filter(([name]) => name !== proof);
  return Object.fromEntries(said.map(([name, value]) => [name, withoutProofs(value)])) as Part;
}

/** Fails where anything of the expanded form would not be in the digest, or where finding the canonical form would take long. */
async function digestOf(expanded: object): Promise<string> {
  const quads = await jsonld.canonize(expanded, { ...settings, ...canonical });
  return hash("sha256", quads, "hex");
}

const canonical = { algorithm: "RDFC-1.0", format: "application/n-quads", safe: true } as const;

const settings = { documentLoader: load };

/** Keywords with which an inner object becomes the outer one, and the signature stays the same. */
function turnsAround(expanded: unknown): boolean {
  if (typeof expanded !== "object" || expanded === null) return false;
  return (
    ["@reverse", "@included", "@graph"].some((key) => key in expanded) || Object.values(expanded).some(turnsAround)
  );
}

/** The context of ActivityStreams makes properties without an address of all words that are not defined; no signature covers those. */
function dropUndefined(expanded: unknown): void {
  if (typeof expanded !== "object" || expanded === null) return;
  for (const [name, value] of Object.entries(expanded)) {
    if (name.startsWith("_:")) Reflect.deleteProperty(expanded, name);
    else dropUndefined(value);
  }
}

/** Nothing is fetched; an unknown context defines nothing (federation contract 9, rule 6). */
function load(url: string): Promise<{ contextUrl: undefined; documentUrl: string; document: object }> {
  const file = files[url];
  const place = new URL(`contexts/${file}.json`, import.meta.url);
  const document = file === undefined ? { "@context": {} } : (JSON.parse(readFileSync(place, "utf8")) as object);
  return Promise.resolve({ contextUrl: undefined, documentUrl: url, document });
}
