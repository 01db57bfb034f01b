import { createPublicKey } from "node:crypto";
import type { TransportKey } from "../../../domain/identity/channels/transport-keys.ts";
import { toBase58 } from "../signatures/base58.ts";

type Published = Record<"publicKey" | "assertionMethod", object>;

/** The public keys of an actor as its document names them (federation contract 1.2, 1.3). */
export function publicKeys(
  actor: string,
  { rsa, ed25519 }: { rsa: readonly TransportKey[]; ed25519: string },
): Published {
  const keys = rsa.map(({ name, pem }) => ({ id: `${actor}#${name}`, owner: actor, publicKeyPem: pem }));
  return {
    // Many read one key and no list.
    publicKey: keys.length === 1 ? keys[0]! : keys,
    assertionMethod: [
      { id: `${actor}#ed25519-key`, type: "Multikey", controller: actor, publicKeyMultibase: multikey(ed25519) },
    ],
  };
}

/** What says that the bytes after it are an Ed25519 key. */
const ed25519Mark = Buffer.from([0xed, 0x01]);

/** An Ed25519 key in the form in which documents name it. */
export function multikey(pem: string): string {
  const { x } = createPublicKey(pem).export({ format: "jwk" });
  return `z${toBase58(Buffer.concat([ed25519Mark, Buffer.from(x!, "base64url")]))}`;
}
