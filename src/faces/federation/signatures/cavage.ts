import { isForeignId } from "../../../domain/identity/xchans/foreign-ids.ts";
import type { Claim } from "./claim.ts";
import { readParameters } from "./cavage-parameters.ts";
import { digestFault } from "./digests.ts";
import type { Fault } from "./faults.ts";
import { createdFault, dateFault, expiresFault } from "./moments.ts";
import { holds } from "./public-keys.ts";
import type { PublicKey } from "./public-keys.ts";
import { bytesOf, fromBase64, hostsOf, isDoubled, isOwnHost } from "./received.ts";
import type { Fields, Received } from "./received.ts";

/** Signatures by draft-cavage-http-signatures-12, by the table of federation contract 8.1. */

/** Which hashes are tried for an algorithm, by its name. */
const hashes: Readonly<Record<string, readonly ("sha256" | "sha512")[]>> = {
  "rsa-sha256": ["sha256"],
  "rsa-sha512": ["sha512"],
  hs2019: ["sha256", "sha512"],
};

const singular = ["host", "date", "digest", "content-digest", "signature", "authorization"];
const mostHeaders = 64;

type Parameters = ReadonlyMap<string, string>;

/** The claim of a request, or what is wrong with it. */
export function cavageClaim(received: Received, fields: Fields, now: Date): Claim | Fault {
  if (isDoubled(fields, singular)) return "doubled_header";
  const text = signatureText(fields);
  if (text === undefined) return "unsigned";
  const parameters = text === "" ? undefined : readParameters(text);
  const signature = fromBase64(parameters?.get("signature") ?? "");
  const keyId = parameters?.get("keyId") ?? "";
  if (!parameters || !signature || !isForeignId(keyId)) return "malformed";
  const algorithm = parameters.get("algorithm") ?? "hs2019";
  if (!Object.hasOwn(hashes, algorithm)) return "algorithm";
  const names = (parameters.get("headers") ?? "date").toLowerCase().split(" ");
  const fault =
    namesFault(received, fields, names, algorithm) ??
    momentFault(fields, names, parameters, now) ??
    (isGet(received) ? undefined : digestFault(fields, received.body));
  if (fault) return fault;
  const lines = (form: Form): Buffer =>
    bytesOf(names.map((name) => `${name}: ${valueOf(name, received, fields, parameters, form)}`).join("\n"));
  return {
    scheme: "cavage",
    keyId,
    faultBy: (key) => keyFault(key, hashes[algorithm]!, formsOf(received), lines, signature),
  };
}

/** Undefined where there is none, empty where there are two. */
function signatureText(fields: Fields): string | undefined {
  const [header] = fields.get("signature") ?? [];
  const [, authorization] = /^signature\s+(.*)$/is.exec(fields.get("authorization")?.[0] ?? "") ?? [];
  return header !== undefined && authorization !== undefined ? "" : (header ?? authorization);
}

function isGet({ method }: Received): boolean {
  return method === "GET" || method === "HEAD";
}

function namesFault(
  received: Received,
  fields: Fields,
  names: readonly string[],
  algorithm: string,
): Fault | undefined {
  if (new Set(names).size < names.length || names.length > mostHeaders) return "malformed";
  const dates = ["date", "(created)"];
  const needed = ["(request-target)", "host", ...(isGet(received) ? [] : ["digest"])];
  if (!needed.every((name) => names.includes(name)) || !dates.some((name) => names.includes(name)))
    return "not_covered";
  const derived = names.filter((name) => name.startsWith("("));
  if (algorithm !== "hs2019" && derived.some((name) => name !== "(request-target)")) return "algorithm";
  if (derived.some((name) => !["(request-target)", "(created)", "(expires)"].includes(name))) return "malformed";
  if (isDoubled(fields, names)) return "doubled_header";
  if (!names.every((name) => name.startsWith("(") || fields.has(name))) return "missing_header";
  return isOwnHost(received) ? undefined : "wrong_host";
}

function momentFault(fields: Fields, names: readonly string[], parameters: Parameters, now: Date): Fault | undefined {
  const created = parameters.get("created");
  const expires = parameters.get("expires");
  for (const [name, value] of [
    ["(created)", created],
    ["(expires)", expires],
  ] as const) {
    if (value === undefined ? names.includes(name) : !/^\d{1,12}(\.\d{1,9})?$/.test(value)) return "date_malformed";
  }
  return (
    (names.includes("date") ? dateFault(fields.get("date")![0]!, now) : undefined) ??
    (names.includes("(created)") ? createdFault(Number(created), now) : undefined) ??
    (expires === undefined ? undefined : expiresFault(Number(expires), now))
  );
}

/** One of the forms in which the address may have been signed. */
type Form = { target: string; host: string };

/** Some sign the path with its query, others without it; and a proxy may write the host otherwise than it was signed. */
function formsOf(received: Received): Form[] {
  const { target } = received;
  const mark = target.indexOf("?");
  const targets = mark < 0 ? [target] : [target, target.slice(0, mark)];
  return hostsOf(received).flatMap((host) => targets.map((target) => ({ target, host })));
}

function valueOf(
  name: string,
  { method }: Received,
  fields: Fields,
  parameters: Parameters,
  { target, host }: Form,
): string {
  switch (name) {
    case "(request-target)":
      return `${method.toLowerCase()} ${target}`;
    case "(created)":
    case "(expires)":
      return parameters.get(name.slice(1, -1))!;
    case "host":
      return host;
    default:
      return fields.get(name)![0]!;
  }
}

function keyFault(
  key: PublicKey,
  tried: readonly ("sha256" | "sha512")[],
  forms: readonly Form[],
  lines: (form: Form) => Buffer,
  signature: Buffer,
): Fault | undefined {
  if (key.kind !== "rsa") return "key_unsuited";
  const fits = forms.some((form) => {
    const bytes = lines(form);
    return tried.some((hash) => holds(key, hash, bytes, signature));
  });
  return fits ? undefined : "mismatch";
}
