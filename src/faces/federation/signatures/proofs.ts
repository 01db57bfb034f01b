import { hash, sign } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { isForeignId } from "../../../domain/identity/xchans/foreign-ids.ts";
import type { Json } from "../translate/json.ts";
import { fromBase58, toBase58 } from "./base58.ts";
import type { Fault } from "./faults.ts";
import { holds } from "./public-keys.ts";
import type { PublicKey } from "./public-keys.ts";
import { isObject } from "../translate/json.ts";

/**
 * Integrity proofs (FEP-8b32, cryptosuite eddsa-jcs-2022): a signature over the document as plain JSON, canonical by RFC
 * 8785, so that whoever hands it on cannot change it.
 */

type Document = { [key: string]: Json };

/** A proof that holds as far as that can be said without the key. */
export type ProofClaim = { keyId: string; faultBy(key: PublicKey): Fault | undefined };

const cryptosuite = "eddsa-jcs-2022";

/** The claim of a document that carries a proof, or what is wrong with it; `unsigned` where there is none of this kind. */
export async function proofClaim(document: Document): Promise<ProofClaim | Fault> {
  // An LD signature is made over the proof, never the other way round.
  const { proof: given, signature: _, ...unsigned } = document;
  const proof = (Array.isArray(given) ? given : [given])
    .filter(isObject)
    .find((one) => one["cryptosuite"] === cryptosuite);
  if (!proof) return "unsigned";
  const { proofValue, ...options } = proof;
  const { verificationMethod, type, proofPurpose, created } = options;
  const signature =
    typeof proofValue === "string" && proofValue.startsWith("z") ? fromBase58(proofValue.slice(1)) : undefined;
  const written = type === "DataIntegrityProof" && proofPurpose === "assertionMethod" && isMoment(created);
  if (
    !written ||
    signature?.length !== 64 ||
    typeof verificationMethod !== "string" ||
    !(isForeignId(verificationMethod) || /^did:key:z\w{1,100}$/.test(verificationMethod))
  )
    return "malformed";
  const bytes = await bytesToSign(unsigned, options);
  const faultBy = (key: PublicKey): Fault | undefined => {
    if (key.kind !== "ed25519") return "key_unsuited";
    return holds(key, "sha512", bytes, signature) ? undefined : "mismatch";
  };
  return { keyId: verificationMethod, faultBy };
}

/** The document with a proof by this key: Ed25519. */
export async function withProof(
  document: Document,
  key: { id: string; object: KeyObject },
  now: Date,
): Promise<Document> {
  const options = {
    type: "DataIntegrityProof",
    cryptosuite,
    verificationMethod: key.id,
    proofPurpose: "assertionMethod",
    created: `${now.toISOString().slice(0, 19)}Z`,
  };
  const signature = await promisify(sign)(null, await bytesToSign(document, options), key.object);
  return { ...document, proof: { ...options, proofValue: `z${toBase58(signature)}` } };
}

/** The digests of the options, in the context of the document, and of the document itself. */
async function bytesToSign(document: Document, options: Document): Promise<Buffer> {
  // Most hubs see a proof now and then, some never.
  const { default: canonicalize } = await import("canonicalize");
  const context = document["@context"];
  const whole = context === undefined ? options : { ...options, "@context": context };
  return Buffer.concat([whole, document].map((part) => hash("sha256", canonicalize(part)!, "buffer")));
}

function isMoment(value: Json | undefined): boolean {
  return typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value));
}
