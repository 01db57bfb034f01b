import { createPublicKey, generateKeyPairSync, hash, sign } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { PublicKeys } from "../../src/faces/federation/signatures/public-keys.ts";
import type { Received } from "../../src/faces/federation/signatures/received.ts";
import { verifyRequest } from "../../src/faces/federation/signatures/verify.ts";
import type { FindKey, Verdict } from "../../src/faces/federation/signatures/verify.ts";

/** Requests that are signed letter by letter, so that each part can be wrong. */

/** To the second, and the same in all files of a run: whoever judges by the machine's clock is told another moment. */
export const now = new Date(Math.floor(Date.now() / 1000) * 1000);
export const seconds = now.getTime() / 1000;
export const keyId = "https://peer.example/users/ann#main-key";
export const ann = "https://peer.example/users/ann";
export const body = Buffer.from(JSON.stringify({ type: "Create", actor: ann, object: { content: "Grüße" } }));

/** The keys of the tests. */
export const keys = {
  ann: generateKeyPairSync("rsa", { modulusLength: 2048 }),
  eve: generateKeyPairSync("rsa", { modulusLength: 2048 }),
  ed25519: generateKeyPairSync("ed25519"),
};

const parsedKeys = new PublicKeys();

export function pemOf(key: KeyObject): string {
  const half = key.type === "private" ? createPublicKey(key) : key;
  return half.export({ type: "spki", format: "pem" }).toString();
}

/** Finds this key for every id. */
export function finding(key: KeyObject, owner = ann): FindKey {
  const parsed = parsedKeys.parse(pemOf(key))!;
  return () => Promise.resolve({ key: parsed, owner });
}

/** The verdict on a request, where this is the key that it names. */
export function verdictOn(received: Received, key = keys.ann.publicKey, at = now): Promise<Verdict> {
  return verifyRequest(received, at, finding(key));
}

type Headers = readonly (readonly [name: string, value: string])[];

export type Plan = {
  method?: string;
  target?: string;
  body?: Buffer;
  /** What is changed of the usual headers; undefined leaves one out. */
  headers?: Record<string, string | undefined>;
  /** Headers that come besides, also a second time. */
  more?: Headers;
  /** What is covered. */
  covered?: readonly string[];
  /** Parameters beside those that are usual, as they are written; undefined leaves one out. */
  parameters?: Record<string, string | undefined>;
  /** Ann's, unless it is said. */
  key?: KeyObject;
  hash?: "sha256" | "sha512";
  /** Seen by the hub instead of what was signed. */
  seen?: Partial<Received>;
};

function planned({ method = "POST", target = "/inbox/bob", ...plan }: Plan, digestOf: (base64: string) => object) {
  const sent = method === "POST" ? (plan.body ?? body) : Buffer.alloc(0);
  const aboutBody = { ...digestOf(hash("sha256", sent, "base64")), "Content-Type": "application/activity+json" };
  const usual = { Host: "hub.example", Date: now.toUTCString(), ...(method === "POST" && aboutBody) };
  return { method, target, sent, headers: Object.entries(written(plan.headers, usual)) };
}

/** A request that is signed by draft-cavage. */
export function cavageRequest(plan: Plan = {}): Received {
  const { method, target, sent, headers } = planned(plan, (base64) => ({ Digest: `SHA-256=${base64}` }));
  const covered = plan.covered ?? ["(request-target)", "host", "date", ...(method === "POST" ? ["digest"] : [])];
  const parameters = written(plan.parameters, {
    keyId: `"${keyId}"`,
    algorithm: '"rsa-sha256"',
    headers: `"${covered.join(" ")}"`,
  });
  const parameter = (name: string): string => parameters[name]?.replaceAll('"', "") ?? "";
  const lines = covered.map((name) => {
    if (name === "(request-target)") return `${name}: ${method.toLowerCase()} ${target}`;
    if (name.startsWith("(")) return `${name}: ${parameter(name.slice(1, -1))}`;
    return `${name}: ${headers.find(([header]) => header.toLowerCase() === name.toLowerCase())?.[1] ?? ""}`;
  });
  const signature = signed(lines.join("\n"), plan);
  const all = written(plan.parameters, { ...parameters, signature: `"${signature}"` });
  const text = Object.entries(all).map(([name, value]) => `${name}=${value}`);
  return received({ method, target, sent, headers: [...headers, ["Signature", text.join(",")]] }, plan);
}

/** A request that is signed by RFC 9421. */
export function messageRequest(plan: Plan = {}): Received {
  const { method, target, sent, headers } = planned(plan, (base64) => ({ "Content-Digest": `sha-256=:${base64}:` }));
  const covered = plan.covered ?? ["@method", "@target-uri", ...(method === "POST" ? ["content-digest"] : [])];
  const parameters = written(plan.parameters, {
    created: String(seconds),
    keyid: `"${keyId}"`,
    alg: '"rsa-v1_5-sha256"',
  });
  const values: Record<string, string> = {
    "@method": method,
    "@target-uri": `https://hub.example${target}`,
    "@authority": "hub.example",
    "@scheme": "https",
    "@request-target": target,
    "@path": target.replace(/\?.*/, ""),
    "@query": /\?.*/.exec(target)?.[0] ?? "?",
  };
  const valueOf = (name: string): string =>
    values[name] ?? headers.find(([header]) => header.toLowerCase() === name)?.[1] ?? "";
  const input =
    `(${covered.map((name) => `"${name}"`).join(" ")})` +
    Object.entries(parameters)
      .map(([name, value]) => `;${name}=${value}`)
      .join("");
  const lines = [...covered.map((name) => `"${name}": ${valueOf(name)}`), `"@signature-params": ${input}`];
  const signature = `:${signed(lines.join("\n"), plan)}:`;
  return received(
    {
      method,
      target,
      sent,
      headers: [...headers, ["Signature-Input", `sig1=${input}`], ["Signature", `sig1=${signature}`]],
    },
    plan,
  );
}

function written(changes: Record<string, string | undefined> = {}, usual: Record<string, string>) {
  const all = Object.entries({ ...usual, ...changes });
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Headers are bytes, and Node reads each as one character. */
function signed(text: string, { key = keys.ann.privateKey, hash = "sha256" }: Plan): string {
  const algorithm = key.asymmetricKeyType === "rsa" ? hash : null;
  return sign(algorithm, Buffer.from(text, "latin1"), key).toString("base64");
}

function received(
  request: { method: string; target: string; sent: Buffer; headers: readonly (readonly [string, string])[] },
  { more = [], seen = {} }: Plan,
): Received {
  const { method, target, sent, headers } = request;
  const host = headers.find(([name]) => name === "Host")?.[1] ?? "";
  const rawHeaders = [...headers, ...more].flat();
  return { method, target, rawHeaders, host, base: "https://hub.example", body: sent, ...seen };
}
