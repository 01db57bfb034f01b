import type { TransportKey } from "../../../domain/identity/channels/transport-keys.ts";
import { multikey } from "../signatures/multikey.ts";

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
