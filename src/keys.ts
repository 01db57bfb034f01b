import { generateKeyPair } from "node:crypto";
import type { KeyPairKeyObjectResult } from "node:crypto";
import { promisify } from "node:util";

export type KeyPair = { publicKey: string; privateKey: string };

/** The keys of a channel, PEM: RSA for signatures of content and transport, Ed25519 for object proofs. */
export type KeyPairs = { rsa: KeyPair; ed25519: KeyPair };

/** Makes new keys; takes a tenth of a second or more, off the main thread. */
export async function makeKeys(): Promise<KeyPairs> {
  const [rsa, ed25519] = await Promise.all([
    promisify(generateKeyPair)("rsa", { modulusLength: 2048 }),
    promisify(generateKeyPair)("ed25519"),
  ]);
  return { rsa: toPem(rsa), ed25519: toPem(ed25519) };
}

function toPem(pair: KeyPairKeyObjectResult): KeyPair {
  return {
    publicKey: pair.publicKey.export({ type: "spki", format: "pem" }).toString(),
    privateKey: pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}
