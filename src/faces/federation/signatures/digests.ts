import { hash } from "node:crypto";
import type { Fault } from "./faults.ts";
import type { Fields } from "./received.ts";
import { readDictionary } from "./structured.ts";

/** Names of digests, in small letters, and what Node calls them. */
const kinds: Readonly<Record<string, string>> = { "sha-256": "sha256", "sha-512": "sha512" };

/** What `Digest` says of the body (RFC 3230). */
export function digestOf(body: Uint8Array): string {
  return `SHA-256=${hash("sha256", body, "base64")}`;
}

/** What `Content-Digest` says of the body (RFC 9530). */
export function contentDigestOf(body: Uint8Array): string {
  return `sha-256=:${hash("sha256", body, "base64")}:`;
}

/** What is wrong with the digests of a request, if anything: of those that are there, all must be of its body. */
export function digestFault(fields: Fields, body: Uint8Array): Fault | undefined {
  const [digest] = fields.get("digest") ?? [];
  const [content] = fields.get("content-digest") ?? [];
  if (digest === undefined && content === undefined) return "digest_missing";
  return judged(digest, body, readDigest) ?? judged(content, body, readContentDigest);
}

type Stated = [kind: string, base64: string][];

function judged(
  text: string | undefined,
  body: Uint8Array,
  read: (text: string) => Stated | undefined,
): Fault | undefined {
  if (text === undefined) return undefined;
  const stated = read(text);
  if (!stated) return "digest_malformed";
  const known = stated.filter(([kind]) => Object.hasOwn(kinds, kind));
  if (known.length === 0) return "digest_unknown";
  return known.every(([kind, base64]) => hash(kinds[kind]!, body, "base64") === base64) ? undefined : "digest_mismatch";
}

function readDigest(text: string): Stated | undefined {
  const stated: Stated = [];
  for (const part of text.split(",")) {
    const [, kind, base64] = /^([\w-]+)=(.+)$/.exec(part.trim()) ?? [];
    if (kind === undefined || base64 === undefined) return undefined;
    stated.push([kind.toLowerCase(), base64]);
  }
  return stated;
}

function readContentDigest(text: string): Stated | undefined {
  const members = readDictionary(text);
  if (!members) return undefined;
  const base64 = (value: unknown): string =>
    value instanceof ArrayBuffer ? Buffer.from(value).toString("base64") : "";
  return [...members].map(([kind, [value]]) => [kind, base64(value)]);
}
