import { isForeignId } from "../../../domain/identity/xchans/foreign-ids.ts";
import type { Claim } from "./claim.ts";
import { componentOf, coverEnough } from "./components.ts";
import { digestFault } from "./digests.ts";
import type { Fault } from "./faults.ts";
import { createdFault, dateFault, expiresFault } from "./moments.ts";
import { holds } from "./public-keys.ts";
import type { PublicKey } from "./public-keys.ts";
import { bytesOf, hostsOf, isDoubled } from "./received.ts";
import type { Fields, Received } from "./received.ts";
import { readDictionary, writeList } from "./structured.ts";
import type { Member } from "./structured.ts";

/** Signatures by RFC 9421, by federation contract 8.2. */

/** Of several signatures so many are looked at. */
const mostSignatures = 4;
const mostComponents = 64;

const singular = ["host", "date", "digest", "content-digest", "signature", "signature-input"];

/** The claims of a request that has `Signature-Input`, or what is wrong with all of them. */
export function messageClaims(received: Received, fields: Fields, now: Date): Claim[] | Fault {
  if (isDoubled(fields, singular)) return "doubled_header";
  const inputs = readDictionary(fields.get("signature-input")?.[0] ?? "");
  const signatures = readDictionary(fields.get("signature")?.[0] ?? "");
  if (!inputs || !signatures) return "malformed";
  // Once for all of them, and before anything is looked up.
  const body = hasDigest(fields, received) ? digestFault(fields, received.body) : undefined;
  if (body) return body;
  const judged = [...inputs]
    .filter(([label]) => signatures.has(label))
    .slice(0, mostSignatures)
    .map(([label, input]) => claimOf(received, fields, input, signatures.get(label)![0], now));
  const claims = judged.filter((claim) => typeof claim !== "string");
  return claims.length > 0 ? claims : (judged.find((claim) => typeof claim === "string") ?? "malformed");
}

/** Requests without a body need no digest, and what they say of one does not count. */
function hasDigest(fields: Fields, { method }: Received): boolean {
  return method !== "GET" && method !== "HEAD" && (fields.has("digest") || fields.has("content-digest"));
}

function claimOf(
  received: Received,
  fields: Fields,
  [covered, parameters]: Member,
  signature: unknown,
  now: Date,
): Claim | Fault {
  const names = namesOf(covered);
  if (!names || !(signature instanceof ArrayBuffer)) return "malformed";
  const keyId = parameters.get("keyid");
  if (typeof keyId !== "string" || !isForeignId(keyId)) return "malformed";
  const algorithm = parameters.get("alg");
  if (algorithm !== undefined && !algorithms.some(({ name }) => name === algorithm)) return "algorithm";
  const values = names.map((name) => componentOf(name, received, fields));
  if (values.includes(undefined)) return "missing_header";
  if (isDoubled(fields, names)) return "doubled_header";
  if (!coverEnough(names, received)) return "not_covered";
  const fault = momentFault(fields, names, parameters, now);
  if (fault) return fault;
  const bases = (names.includes("host") ? hostsOf(received) : [received.host]).map((host) => {
    const lines = names.map((name, at) => `"${name}": ${name === "host" ? host : values[at]}`);
    return bytesOf([...lines, `"@signature-params": ${writeList(names, parameters)}`].join("\n"));
  });
  return { scheme: "rfc9421", keyId, faultBy: (key) => keyFault(key, algorithm, bases, new Uint8Array(signature)) };
}

/** The names of the covered components; undefined where one has parameters, or is there twice. */
function namesOf(covered: unknown): string[] | undefined {
  if (!Array.isArray(covered) || covered.length > mostComponents) return undefined;
  const names = (covered as Member[]).map(([name, parameters]) => (parameters.size === 0 ? name : undefined));
  const texts = names.filter((name) => typeof name === "string");
  return texts.length === names.length && new Set(texts).size === texts.length ? texts : undefined;
}

function momentFault(fields: Fields, names: readonly string[], parameters: Member[1], now: Date): Fault | undefined {
  const created = parameters.get("created");
  const expires = parameters.get("expires");
  if (![created, expires].every((second) => second === undefined || Number.isInteger(second))) return "date_malformed";
  if (created === undefined && !names.includes("date")) return "not_covered";
  return (
    (created === undefined ? undefined : createdFault(Number(created), now)) ??
    (names.includes("date") ? dateFault(fields.get("date")![0]!, now) : undefined) ??
    (expires === undefined ? undefined : expiresFault(Number(expires), now))
  );
}

const algorithms = [
  { name: "rsa-v1_5-sha256", kind: "rsa", hash: "sha256" },
  { name: "rsa-v1_5-sha512", kind: "rsa", hash: "sha512" },
  { name: "ed25519", kind: "ed25519", hash: "sha512" },
] as const;

/** Without a name of the algorithm the key decides; for RSA that is SHA-256. */
function keyFault(key: PublicKey, name: unknown, bases: readonly Buffer[], signature: Uint8Array): Fault | undefined {
  const fitting = algorithms.find((one) => one.kind === key.kind && (name === undefined || one.name === name));
  if (!fitting) return "key_unsuited";
  return bases.some((base) => holds(key, fitting.hash, base, signature)) ? undefined : "mismatch";
}
