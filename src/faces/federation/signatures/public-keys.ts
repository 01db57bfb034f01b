import { createPublicKey, verify } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { fromMultikey } from "./multikey.ts";
import { boundedMap } from "../../../caches.ts";
import type { Cache } from "../../../caches.ts";

/** A key of somebody elsewhere, ready to verify with. */
export type PublicKey = { kind: "rsa" | "ed25519"; object: KeyObject };

/** How many keys are remembered unless somebody says otherwise; each takes some 2 kB. */
const usualMost = 10_000;

const rsaBits = { least: 2048, most: 8192 };
/** A longer exponent makes verifying as slow as signing; others keep to this as well. */
const mostExponent = 2n ** 31n;

/** Parsed keys by their text, the least recently used of which goes first: parsing costs more than verifying. */
export class PublicKeys {
  readonly #parsed: Cache<string, PublicKey>;

  constructor(most = usualMost) {
    this.#parsed = boundedMap(most);
  }

  /** The key in a text: PEM, or a multikey. Undefined where it is none that is taken (federation contract 8.1). */
  parse(text: string): PublicKey | undefined {
    const key = this.#parsed.get(text) ?? parsePublicKey(text);
    if (!key) return undefined;
    // What is used becomes the newest entry.
    this.#parsed.set(text, key);
    return key;
  }
}

function parsePublicKey(text: string): PublicKey | undefined {
  try {
    return checked(text.startsWith("z") ? fromMultikey(text) : createPublicKey(text.replace(/^[ \t]+/gm, "")));
  } catch {
    return undefined;
  }
}

function checked(object: KeyObject | undefined): PublicKey | undefined {
  if (object?.asymmetricKeyType === "ed25519") return { kind: "ed25519", object };
  if (object?.asymmetricKeyType !== "rsa") return undefined;
  const { modulusLength = 0, publicExponent = 0n } = object.asymmetricKeyDetails ?? {};
  const fits = modulusLength >= rsaBits.least && modulusLength <= rsaBits.most && publicExponent < mostExponent;
  return fits ? { kind: "rsa", object } : undefined;
}

/** RSASSA-PKCS1-v1_5 with this hash for RSA; Ed25519 hashes by itself. */
export function holds(key: PublicKey, hash: "sha256" | "sha512", bytes: Uint8Array, signature: Uint8Array): boolean {
  return verify(key.kind === "rsa" ? hash : null, bytes, key.object, signature);
}
