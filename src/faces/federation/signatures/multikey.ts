import { createPublicKey } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { fromBase58, toBase58 } from "./base58.ts";

/** Ed25519 keys in the form in which documents name them. */

/** What precedes the bytes of such a key in a multikey, and in SPKI. */
const multikeyStart = Buffer.from([0xed, 0x01]);
const spkiStart = Buffer.from("302a300506032b6570032100", "hex");

/** The multikey of a key in PEM. */
export function multikey(pem: string): string {
  const { x } = createPublicKey(pem).export({ format: "jwk" });
  return `z${toBase58(Buffer.concat([multikeyStart, Buffer.from(x!, "base64url")]))}`;
}

/** The key that a multikey names; undefined where it names none. Throws for bytes that are no key. */
export function fromMultikey(text: string): KeyObject | undefined {
  const bytes = fromBase58(text.slice(1));
  if (bytes?.length !== 34 || !bytes.subarray(0, 2).equals(multikeyStart)) return undefined;
  return createPublicKey({ key: Buffer.concat([spkiStart, bytes.subarray(2)]), format: "der", type: "spki" });
}
