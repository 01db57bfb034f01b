import { createRequire } from "node:module";
import { hash } from "node:crypto";
import type { KeyObject, webcrypto } from "node:crypto";
import { signRequest, verifyRequest } from "@fedify/fedify/sig";
import { CryptographicKey } from "@fedify/vocab";
import { cavage, createSigner, createVerifier, httpbis } from "http-message-signatures";
import type { Received } from "../../src/faces/federation/signatures/received.ts";
import { signerOf } from "../../src/faces/federation/signatures/sign.ts";
import { ann, body, keyId, pemOf } from "./signed-requests.ts";

/** Other programs that sign requests and judge signatures. They take the time from the machine's clock. */

type Judge = (received: Received, key: KeyObject) => Promise<boolean>;
type Sign = (plain: Received, key: KeyObject) => Promise<Received>;
type Scheme = "cavage" | "rfc9421";

const hourSeconds = 3600;

/** Does this program hold the request to be signed with the key? */
export const judges: Record<string, { schemes: readonly Scheme[]; judge: Judge }> = {
  Fedify: {
    schemes: ["cavage", "rfc9421"],
    async judge(received, key) {
      const known = new CryptographicKey({ id: new URL(keyId), owner: new URL(ann), publicKey: webKey(key) });
      const nothing = (): Promise<never> => Promise.reject(new Error("There is nothing to load"));
      const found = await verifyRequest(requestOf(received), {
        keyCache: { get: () => Promise.resolve(known), set: () => Promise.resolve() },
        documentLoader: nothing,
        contextLoader: nothing,
        spec: isMessageSignature(received) ? "rfc9421" : "draft-cavage-http-signatures-12",
      });
      return found !== null;
    },
  },
  "http-signature": {
    schemes: ["cavage"],
    judge: (received, key) =>
      Promise.try(() => {
        const parsed = httpSignature.parseRequest(
          { method: received.method, url: received.target, headers: joined(received) },
          { clockSkew: hourSeconds },
        );
        return httpSignature.verifySignature(parsed, pemOf(key));
      }),
  },
  "http-message-signatures": {
    schemes: ["cavage", "rfc9421"],
    async judge(received, key) {
      const { verifyMessage } = isMessageSignature(received) ? httpbis : cavage;
      const fits = createVerifier(pemOf(key), "rsa-v1_5-sha256");
      const options = { keyLookup: () => Promise.resolve({ id: keyId, verify: fits }), tolerance: hourSeconds };
      // It adds the tolerance to the age before it compares.
      return (await verifyMessage({ ...options, maxAge: 2 * hourSeconds }, messageOf(received))) === true;
    },
  },
};

/** The same request, signed by this program. */
export const signers: Record<string, Sign> = {
  "us, draft-cavage": ours("cavage"),
  "us, RFC 9421": ours("rfc9421"),
  "Fedify, draft-cavage": byFedify("draft-cavage-http-signatures-12"),
  "Fedify, RFC 9421": byFedify("rfc9421"),
  "http-signature": (plain, key) => {
    const headers = joined(plain);
    const request = {
      method: plain.method,
      path: plain.target,
      getHeader: (name: string) => headers[name.toLowerCase()],
      setHeader: (name: string, value: string) => void (headers[name.toLowerCase()] = value),
    };
    const covered = ["(request-target)", "host", "date", ...(plain.method === "POST" ? ["digest"] : [])];
    httpSignature.sign(request, {
      key: key.export({ type: "pkcs8", format: "pem" }).toString(),
      keyId,
      headers: covered,
      algorithm: "rsa-sha256",
      authorizationHeaderName: "Signature",
    });
    headers["signature"] = headers["signature"]!.replace(/^Signature /, "");
    return Promise.resolve(withHeaders(plain, headers));
  },
  "http-message-signatures": async (plain, key) => {
    const fields = ["@method", "@authority", "@path", "@query", ...(plain.method === "POST" ? ["content-digest"] : [])];
    const signer = createSigner(key, "rsa-v1_5-sha256", keyId);
    const { headers } = await httpbis.signMessage({ key: signer, fields }, messageOf(plain));
    return withHeaders(plain, headers);
  },
};

function ours(scheme: Scheme): Sign {
  return async (plain, object) => {
    const sign = signerOf({ id: keyId, object }, scheme, () => new Date());
    const { method, target, base, body } = plain;
    const headers = { "content-type": "application/activity+json" };
    const post = method === "POST" ? { headers, body } : { headers: {} };
    return withHeaders(plain, await sign({ method, url: base + target, ...post }));
  };
}

function byFedify(spec: "rfc9421" | "draft-cavage-http-signatures-12"): Sign {
  return async (plain, key) => {
    const signed = await signRequest(requestOf(plain), webKey(key), new URL(keyId), { spec });
    return withHeaders(plain, Object.fromEntries(signed.headers));
  };
}

/** The request as somebody sends it who has nothing but the signature to add. */
export function plainRequest(method: "GET" | "POST", target: string): Received {
  const sent = method === "POST" ? body : Buffer.alloc(0);
  const digest = hash("sha256", sent, "base64");
  const aboutBody = {
    "content-type": "application/activity+json",
    digest: `SHA-256=${digest}`,
    "content-digest": `sha-256=:${digest}:`,
  };
  const headers = { host: "hub.example", date: new Date().toUTCString(), ...(method === "POST" && aboutBody) };
  const base = "https://hub.example";
  return { method, target, base, host: headers.host, body: sent, rawHeaders: Object.entries(headers).flat() };
}

function withHeaders(plain: Received, headers: Record<string, string>): Received {
  return { ...plain, rawHeaders: Object.entries({ host: plain.host, ...headers }).flat() };
}

function isMessageSignature({ rawHeaders }: Received): boolean {
  return rawHeaders.some((text, at) => at % 2 === 0 && text.toLowerCase() === "signature-input");
}

function pairsOf({ rawHeaders }: Received): [string, string][] {
  return rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1]!] as [string, string]] : []));
}

/** The headers as most programs see them: what comes twice is joined. */
function joined(received: Received): Record<string, string> {
  return Object.fromEntries(new Headers(pairsOf(received)));
}

function requestOf(received: Received): Request {
  const { method, base, target, body } = received;
  const content = method === "POST" ? { body: Buffer.from(body) } : {};
  return new Request(base + target, { method, headers: pairsOf(received), ...content });
}

function messageOf(received: Received) {
  return { method: received.method, url: received.base + received.target, headers: joined(received) };
}

function webKey(key: KeyObject) {
  const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  return (key as unknown as { toCryptoKey: ToCryptoKey }).toCryptoKey(algorithm, true, [
    key.type === "private" ? "sign" : "verify",
  ]);
}

type ToCryptoKey = (algorithm: object, extractable: boolean, usages: string[]) => webcrypto.CryptoKey;

/** It has no types of its own. */
const httpSignature = createRequire(import.meta.url)("http-signature") as {
  parseRequest(request: object, options: object): object;
  verifySignature(parsed: object, pem: string): boolean;
  sign(request: object, options: object): void;
};
