import type { KeyObject, webcrypto } from "node:crypto";
import { createProof, signJsonLd, verifyProof, verifySignature } from "@fedify/fedify/sig";
import { CryptographicKey, DataIntegrityProof, Multikey, Object as Thing } from "@fedify/vocab";
import { getDocumentLoader } from "@fedify/vocab-runtime";
import { ann } from "./signed-requests.ts";

/** What Fedify signs, and what it makes of signatures that documents carry. */

const contextLoader = getDocumentLoader();
const documentLoader = () => Promise.reject(new Error("There is nothing to load"));

export async function judgesProof(document: any, key: KeyObject): Promise<boolean> {
  const { proof, ...rest } = document;
  const read = await DataIntegrityProof.fromJsonLd(
    { "@context": "https://w3id.org/security/data-integrity/v1", ...proof },
    { contextLoader, documentLoader },
  );
  const id = new URL(proof.verificationMethod);
  const known = new Multikey({ id, controller: new URL(ann), publicKey: webKey(key, "Ed25519") });
  return (
    (await verifyProof({ ...rest, proof }, read, { contextLoader, documentLoader, keyCache: remembering(known) })) !==
    null
  );
}

export async function createObjectProof(document: any, key: KeyObject, keyId: string): Promise<unknown> {
  const thing = await Thing.fromJsonLd(document, { contextLoader, documentLoader });
  const context = ["https://www.w3.org/ns/activitystreams", "https://w3id.org/security/data-integrity/v1"];
  const proof = await createProof(thing, webKey(key, "Ed25519"), new URL(keyId), { contextLoader, context });
  const written: any = await thing.clone({ proof }).toJsonLd({ format: "compact", contextLoader, context });
  return written;
}

export async function judgesLd(document: unknown, key: KeyObject, keyId: string): Promise<boolean> {
  const known = new CryptographicKey({ id: new URL(keyId), owner: new URL(ann), publicKey: webKey(key, rsa) });
  return (await verifySignature(document, { contextLoader, documentLoader, keyCache: remembering(known) })) !== null;
}

export async function signLd(document: unknown, key: KeyObject, keyId: string): Promise<any> {
  return signJsonLd(document, webKey(key, rsa), new URL(keyId), { contextLoader });
}

function remembering(key: CryptographicKey | Multikey) {
  return { get: () => Promise.resolve(key), set: () => Promise.resolve() };
}

const rsa = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };

function webKey(key: KeyObject, algorithm: object | string): webcrypto.CryptoKey {
  const usage = key.type === "private" ? "sign" : "verify";
  const convertible = key as unknown as { toCryptoKey(...args: unknown[]): webcrypto.CryptoKey };
  return convertible.toCryptoKey(algorithm, true, [usage]);
}
