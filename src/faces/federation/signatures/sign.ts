import { sign } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { allCoresButOne, Semaphore } from "../../../semaphore.ts";
import type { Scheme } from "./claim.ts";
import { contentDigestOf, digestOf } from "./digests.ts";
import { writeList } from "./structured.ts";

/** A request that is about to go out. */
export type Outgoing = { method: string; url: string; headers: Readonly<Record<string, string>>; body?: Uint8Array };

/** What a signature adds to the headers of a request. */
export type Signer = (request: Outgoing) => Promise<Record<string, string>>;

/** The id of a key as its owner's document gives it, and its private half: RSA. */
export type SigningKey = { id: string; object: KeyObject };

/** Headers by the names that they have in a signature. */
export type Digests = Record<string, string>;

/**
 * Signs requests with a key, the way that the peer understands; off the main thread (federation contract 8, 8.2, 12.2). Whoever sends
 * one body to many may know its digests.
 */
export function signerOf(
  key: SigningKey,
  scheme: Scheme,
  clock: () => Date,
  digests: (body: Uint8Array) => Digests = digestsOf,
): Signer {
  const write = scheme === "cavage" ? signByCavage : signMessage;
  return async (request) => {
    const now = clock();
    const { host, pathname, search } = new URL(request.url);
    const facts = {
      ...lowerCased(request.headers),
      host,
      date: now.toUTCString(),
      ...(request.body && digests(request.body)),
    };
    return { ...facts, ...(await write(key, { ...request, target: pathname + search, facts, now })) };
  };
}

type Prepared = Outgoing & { target: string; facts: Record<string, string>; now: Date };

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** What a signature covers of a body. */
export function digestsOf(body: Uint8Array): Digests {
  return { digest: digestOf(body), "content-digest": contentDigestOf(body) };
}

async function signByCavage({ id, object }: SigningKey, request: Prepared): Promise<Record<string, string>> {
  const { method, target, facts } = request;
  const names = ["(request-target)", "host", "date", ...["digest", "content-type"].filter((name) => name in facts)];
  const lines = names.map((name) => `${name}: ${facts[name] ?? `${method.toLowerCase()} ${target}`}`);
  const signature = await rsaSignature(object, lines.join("\n"));
  return { signature: `keyId="${id}",algorithm="rsa-sha256",headers="${names.join(" ")}",signature="${signature}"` };
}

async function signMessage({ id, object }: SigningKey, request: Prepared): Promise<Record<string, string>> {
  const { method, url, facts, now } = request;
  const values: Record<string, string> = { "@method": method, "@target-uri": withoutFragment(url), ...facts };
  const names = ["@method", "@target-uri", "content-digest", "content-type", "date"].filter((name) => name in values);
  const parameters = new Map<string, string | number>([
    ["created", Math.floor(now.getTime() / 1000)],
    ["keyid", id],
    ["alg", "rsa-v1_5-sha256"],
  ]);
  const input = writeList(names, parameters);
  const lines = [...names.map((name) => `"${name}": ${values[name]}`), `"@signature-params": ${input}`];
  const signature = await rsaSignature(object, lines.join("\n"));
  return { "signature-input": `sig1=${input}`, signature: `sig1=:${signature}:` };
}

function withoutFragment(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return origin + pathname + search;
}

const signed = promisify(sign);
const signatures = new Semaphore(allCoresButOne);

/** In base64; made off the main thread. */
export async function rsaSignature(key: KeyObject, text: string): Promise<string> {
  const signature = await signatures.run(() => signed("sha256", Buffer.from(text), key));
  return signature.toString("base64");
}
