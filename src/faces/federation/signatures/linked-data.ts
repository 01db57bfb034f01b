import { HubError, TookTooLong } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { isForeignId } from "../../../domain/identity/xchans/foreign-ids.ts";
import type { Json } from "../translate/json.ts";
import type { Fault } from "./faults.ts";
import type * as work from "./linked-data-work.ts";
import { holds } from "./public-keys.ts";
import type { PublicKey } from "./public-keys.ts";
import { fromBase64 } from "./received.ts";
import { rsaSignature } from "./sign.ts";
import type { SigningKey } from "./sign.ts";

/** LD signatures (RsaSignature2017), with which Mastodon and others vouch for what somebody else hands on (federation contract 8). */

type Document = { [key: string]: Json };

/** A signature that holds as far as that can be said without the key, and what it covers: nothing else of the document counts. */
export type LdClaim = { keyId: string; document: Document; faultBy(key: PublicKey): Fault | undefined };

const kind = "RsaSignature2017";

const crew = { module: new URL("linked-data-work.ts", import.meta.url), threads: 1, queue: 200, limit: 2000 };

/**
 * The claim of a document that carries an LD signature, or what is wrong with it; `unsigned` where there is none of this kind.
 * Throws where that cannot be found out at present, as when too many wait: jobs try again.
 */
export async function ldClaim({ threads }: Pick<Hub, "threads">, document: Document): Promise<LdClaim | Fault> {
  const { signature: given, ...unsigned } = document;
  if (typeof given !== "object" || given === null || Array.isArray(given) || given["type"] !== kind) return "unsigned";
  const { type: _, id: _id, signatureValue, ...options } = given;
  const signature = typeof signatureValue === "string" ? fromBase64(signatureValue) : undefined;
  const { creator } = options;
  if (!signature || typeof creator !== "string" || !isForeignId(creator)) return "malformed";
  const covered = await threads.of<typeof work>(crew).run("cover", unsigned, options).catch(unlessTooLong);
  if (!covered) return "malformed";
  const faultBy = (key: PublicKey): Fault | undefined => {
    if (key.kind !== "rsa") return "key_unsuited";
    return holds(key, "sha256", Buffer.from(covered.text), signature) ? undefined : "mismatch";
  };
  return { keyId: creator, document: covered.document, faultBy };
}

/** What takes too long today takes too long tomorrow. */
function unlessTooLong(error: unknown): undefined {
  if (!(error instanceof TookTooLong)) throw error;
}

/**
 * The document with an LD signature by this key: RSA. Without one where that takes too long, or too many wait: whoever gets it
 * from somebody else asks for it at its id, and nobody gets it later for that.
 */
export async function withLdSignature(
  { threads }: Pick<Hub, "threads">,
  document: Document,
  { id, object }: SigningKey,
  now: Date,
): Promise<Document> {
  const options = { creator: id, created: now.toISOString() };
  const covered = await threads.of<typeof work>(crew).run("cover", document, options).catch(unlessBusy);
  if (covered === "busy") return document;
  if (!covered) throw new Error("What the hub writes can be signed");
  const signatureValue = await rsaSignature(object, covered.text);
  return { ...document, signature: { type: kind, ...options, signatureValue } };
}

function unlessBusy(error: unknown): "busy" {
  if (error instanceof TookTooLong || (error instanceof HubError && error.kind === "too-many")) return "busy";
  throw error;
}
