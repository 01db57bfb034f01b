import { createHmac } from "node:crypto";
import { isSameSecret } from "../../domain/identity/same-secret.ts";
import { spell } from "./pairs.ts";
import type { Pair } from "./pairs.ts";

/** What is signed besides the address: the method, and all parameters. */
export type Signed = { method: string; path: string; pairs: readonly Pair[] };

/** Secrets of the client and of the token; a request without a token has none. */
export type Secrets = { client: string; token: string };

/** Does the HMAC-SHA1 signature fit, if the request was sent to one of these origins? */
export function hmacFits(signature: string, signed: Signed, origins: Iterable<string>, secrets: Secrets): boolean {
  const key = keyOf(secrets);
  const parameters = spell(normalised(signed.pairs));
  for (const origin of origins) {
    const base = `${spell(signed.method)}&${spell(origin + signed.path)}&${parameters}`;
    if (isSameSecret(signature, createHmac("sha1", key).update(base).digest("base64"))) return true;
  }
  return false;
}

/** A signature of the method PLAINTEXT is the key itself. */
export function plaintextFits(signature: string, secrets: Secrets): boolean {
  return isSameSecret(signature, keyOf(secrets));
}

function keyOf({ client, token }: Secrets): string {
  return `${spell(client)}&${spell(token)}`;
}

/** Sorted by the bytes of the spelled name, then of the value; the spelling is ASCII, so characters are bytes. */
function normalised(pairs: readonly Pair[]): string {
  const sorted = pairs.toSorted(([name, value], [otherName, otherValue]) => {
    if (name !== otherName) return name < otherName ? -1 : 1;
    if (value !== otherValue) return value < otherValue ? -1 : 1;
    return 0;
  });
  return sorted.map(([name, value]) => `${name}=${value}`).join("&");
}
