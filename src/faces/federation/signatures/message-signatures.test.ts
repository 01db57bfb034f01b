import { hash, sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  ann,
  body,
  finding,
  keyId,
  keys,
  messageRequest,
  now,
  seconds,
  verdictOn,
} from "../../../../test/support/signed-requests.ts";
import type { Plan } from "../../../../test/support/signed-requests.ts";
import { verifyRequest } from "./verify.ts";

/** What federation contract 8.2 says of RFC 9421. */

type Row = [what: string, plan: Plan];

const sha256 = hash("sha256", body, "base64");
const sha512 = hash("sha512", body, "base64");
const wrong = hash("sha256", "another body", "base64");
const httpDate = (shift: number): string => new Date(now.getTime() + shift * 1000).toUTCString();
const usual = ["@method", "@target-uri", "content-digest"];
const undated = { created: undefined };

const taken: Row[] = [
  ["POST with method, address and digest", {}],
  ["GET", { method: "GET", target: "/channel/bob?x=1" }],
  ["authority and path", { covered: ["@method", "@authority", "@path", "content-digest"] }],
  [
    "authority, path and query",
    { target: "/inbox/bob?a=1", covered: ["@method", "@authority", "@path", "@query", "content-digest"] },
  ],
  ["the scheme besides", { covered: ["@method", "@scheme", "@authority", "@path", "@query", "content-digest"] }],
  [
    "authority and request target",
    { target: "/inbox/bob?a=1", covered: ["@method", "@authority", "@request-target", "content-digest"] },
  ],
  ["every header that was sent", { covered: [...usual, "date", "content-type", "host"] }],
  [
    "a signed Digest alone",
    {
      headers: { Digest: `SHA-256=${sha256}`, "Content-Digest": undefined },
      covered: ["@method", "@target-uri", "digest"],
    },
  ],
  ["SHA-512", { headers: { "Content-Digest": `sha-512=:${sha512}:` } }],
  ["both digests", { headers: { "Content-Digest": `sha-512=:${sha512}:, sha-256=:${sha256}:` } }],
  ["a signed date and no moment", { covered: [...usual, "date"], parameters: undated }],
  ["a moment almost an hour old", { parameters: { created: `${seconds - 3600}` } }],
  ["an end to come", { parameters: { expires: `${seconds + 5}` } }],
  ["no algorithm", { parameters: { alg: undefined } }],
  ["RSA with SHA-512", { parameters: { alg: '"rsa-v1_5-sha512"' }, hash: "sha512" }],
  ["nonce and tag", { parameters: { nonce: '"abc"', tag: '"fediverse"' } }],
  ["a date that is not signed and old", { headers: { Date: httpDate(-9999) } }],
];

test.each(taken)("takes %s", async (_, plan) => {
  const verdict = await verdictOn(messageRequest(plan));
  expect(verdict).toEqual({ signed: true, owner: ann, keyId, scheme: "rfc9421" });
});

const refused: [...Row, fault: string][] = [
  ["no method", { covered: ["@target-uri", "content-digest"] }, "not_covered"],
  ["no address", { covered: ["@method", "content-digest"] }, "not_covered"],
  [
    "a path without its query",
    { target: "/inbox/bob?a=1", covered: ["@method", "@authority", "@path", "content-digest"] },
    "not_covered",
  ],
  ["a path without its host", { covered: ["@method", "@path", "content-digest"] }, "not_covered"],
  ["POST without a digest that is covered", { covered: ["@method", "@target-uri"] }, "not_covered"],
  ["a digest of another body", { headers: { "Content-Digest": `sha-256=:${wrong}:` } }, "digest_mismatch"],
  [
    "one of two digests wrong",
    { headers: { "Content-Digest": `sha-512=:${sha512}:, sha-256=:${wrong}:` } },
    "digest_mismatch",
  ],
  ["a wrong Digest that is not signed", { headers: { Digest: `SHA-256=${wrong}` } }, "digest_mismatch"],
  ["a digest of no known kind", { headers: { "Content-Digest": "md5=:AAAA:" } }, "digest_unknown"],
  ["a digest that is text", { headers: { "Content-Digest": `sha-256="${sha256}"` } }, "digest_mismatch"],
  ["a digest that cannot be read", { headers: { "Content-Digest": "=" } }, "digest_malformed"],
  ["another body", { seen: { body: Buffer.from("{}") } }, "digest_mismatch"],
  ["no moment at all", { parameters: undated }, "not_covered"],
  ["an old moment", { parameters: { created: `${seconds - 3601}` } }, "date_outside"],
  ["a moment to come", { parameters: { created: `${seconds + 3601}` } }, "date_outside"],
  ["a moment that is text", { parameters: { created: `"${seconds}"` } }, "date_malformed"],
  ["a moment with a fraction", { parameters: { created: `${seconds}.5` } }, "date_malformed"],
  ["an old date that is signed", { covered: [...usual, "date"], headers: { Date: httpDate(-3601) } }, "date_outside"],
  ["an end that is past", { parameters: { expires: `${seconds - 1}` } }, "expired"],
  ["an id of the key that is none", { parameters: { keyid: '"urn:ann"' } }, "malformed"],
  ["no id of the key", { parameters: { keyid: undefined } }, "malformed"],
  ["an algorithm of elliptic curves", { parameters: { alg: '"ecdsa-p256-sha256"' } }, "algorithm"],
  ["an algorithm with a shared secret", { parameters: { alg: '"hmac-sha256"' } }, "algorithm"],
  ["the algorithm of another key", { parameters: { alg: '"ed25519"' } }, "key_unsuited"],
  ["SHA-512 without saying so", { parameters: { alg: undefined }, hash: "sha512" }, "mismatch"],
  ["a component that is not there", { covered: [...usual, "x-absent"] }, "missing_header"],
  ["a component of answers", { covered: [...usual, "@status"] }, "missing_header"],
  ["a component twice", { covered: [...usual, "@method"] }, "malformed"],
  [
    "a covered header twice",
    { covered: [...usual, "content-type"], more: [["Content-Type", "text/html"]] },
    "doubled_header",
  ],
  ["a second Content-Digest", { more: [["Content-Digest", `sha-256=:${sha256}:`]] }, "doubled_header"],
  ["another method", { seen: { method: "PUT" } }, "mismatch"],
  ["another query", { target: "/inbox/bob?a=1", seen: { target: "/inbox/bob?a=2" } }, "mismatch"],
  ["another hub", { seen: { base: "https://other.example" } }, "mismatch"],
  ["another scheme", { seen: { base: "http://hub.example" } }, "mismatch"],
];

test.each(refused)("refuses %s", async (_, plan, fault) => {
  expect(await verdictOn(messageRequest(plan))).toMatchObject({ signed: false, fault });
});

test("takes a signature of Ed25519, with and without its name", async () => {
  for (const alg of ['"ed25519"', undefined]) {
    const received = messageRequest({ key: keys.ed25519.privateKey, parameters: { alg } });
    expect(await verdictOn(received, keys.ed25519.publicKey)).toMatchObject({ signed: true });
  }
});

describe("components with parameters", () => {
  test.each(["req", "bs", "sf", 'key="a"', "tr"])("are not supported: %s", async (parameter) => {
    const received = changed(messageRequest(), "Signature-Input", (text) =>
      text.replace('"@method"', `"@method";${parameter}`),
    );
    expect(await verdictOn(received)).toMatchObject({ fault: "malformed" });
  });
});

/** The request with another value of a header. */
function changed(received: ReturnType<typeof messageRequest>, name: string, change: (value: string) => string) {
  const at = received.rawHeaders.indexOf(name) + 1;
  return { ...received, rawHeaders: received.rawHeaders.with(at, change(received.rawHeaders[at]!)) };
}

test("a covered host may have been written otherwise by a proxy", async () => {
  const received = messageRequest({ covered: [...usual, "host"] });
  const seen = (Host: string, host: string) => ({ ...changed(received, "Host", () => Host), host });
  for (const one of [seen("hub.example:443", "hub.example:443"), seen("127.0.0.1:8080", "hub.example")])
    expect(await verdictOn(one)).toMatchObject({ signed: true });
  expect(await verdictOn(seen("other.example", "other.example"))).toMatchObject({ fault: "mismatch" });
});

describe("fields that cannot be read", () => {
  test.each([
    ["Signature-Input", "("],
    ["Signature-Input", ""],
    ["Signature-Input", "sig1"],
    ["Signature-Input", 'sig1="text"'],
    ["Signature-Input", "sig1=(@method)"],
    ["Signature-Input", 'sig2=("@method")'],
    ["Signature", "sig1=:!:"],
    ["Signature", 'sig1="text"'],
    ["Signature", `keyId="${keyId}",signature="AAAA"`],
  ])("%s: %s", async (name, value) => {
    expect(await verdictOn(changed(messageRequest(), name, () => value))).toMatchObject({ fault: "malformed" });
  });
});

describe("several signatures", () => {
  const own = messageRequest();
  const [input, signature] = [own.rawHeaders.at(-3)!, own.rawHeaders.at(-1)!];
  const bad = `:${sign("sha256", Buffer.from("x"), keys.eve.privateKey).toString("base64")}:`;
  const together = (inputs: string, signatures: string) =>
    changed(
      changed(own, "Signature-Input", () => inputs),
      "Signature",
      () => signatures,
    );
  const second = (text: string): string => text.replace("sig1", "sig2");

  test("one good one is enough", async () => {
    const received = together(`${input}, ${second(input)}`, `sig1=${bad}, ${second(signature)}`);
    expect(await verdictOn(received)).toMatchObject({ signed: true });
  });

  test("what is in one header only, or covers too little, is passed over", async () => {
    const little = `little=("@method");created=${seconds};keyid="${keyId}"`;
    const received = together(`lonely=("@method"), ${little}, ${input}`, `other=:AAAA:, little=${bad}, ${signature}`);
    expect(await verdictOn(received)).toMatchObject({ signed: true });
  });

  test("four are looked at, and the key of each once", async () => {
    const labels = ["a", "b", "c", "d"];
    const inputs = labels.map((label) => input.replace("sig1", label));
    const signatures = labels.map((label) => `${label}=${bad}`);
    let asked = 0;
    const find = () => (asked++, finding(keys.ann.publicKey)(keyId));
    const received = together([...inputs, input].join(", "), [...signatures, signature].join(", "));
    expect(await verifyRequest(received, now, find)).toMatchObject({ fault: "mismatch" });
    expect(asked).toBe(4);
  });

  test("that of the actor comes before others", async () => {
    const proxy = "https://proxy.example/actor";
    const first = input.replace("sig1", "proxy").replace(keyId, `${proxy}#main-key`);
    const base = [
      '"@method": POST',
      '"@target-uri": https://hub.example/inbox/bob',
      `"content-digest": sha-256=:${sha256}:`,
    ];
    const signed = [...base, `"@signature-params": ${first.slice("proxy=".length)}`].join("\n");
    const its = `proxy=:${sign("sha256", Buffer.from(signed), keys.eve.privateKey).toString("base64")}:`;
    const received = together(`${first}, ${input}`, `${its}, ${signature}`);
    const find = (id: string) => (id === keyId ? finding(keys.ann.publicKey) : finding(keys.eve.publicKey, proxy))(id);
    expect(await verifyRequest(received, now, find)).toMatchObject({ owner: proxy });
    expect(await verifyRequest(received, now, find, ann)).toMatchObject({ owner: ann });
    expect(await verifyRequest(received, now, find, "https://peer.example/users/eve")).toMatchObject({ owner: proxy });
  });

  test("a key that cannot be had at present is worth another try", async () => {
    const received = together(
      `${input}, ${second(input).replace(keyId, `${keyId}-2`)}`,
      `sig1=${bad}, ${second(signature)}`,
    );
    const find = (id: string) =>
      id === keyId ? finding(keys.ann.publicKey)(id) : Promise.resolve({ fault: "key_unavailable" } as const);
    expect(await verifyRequest(received, now, find)).toMatchObject({ fault: "key_unavailable" });
  });
});

test("where both kinds are in one request, RFC 9421 alone counts", async () => {
  const received = messageRequest({ more: [["Authorization", `Signature keyId="${keyId}",signature="AAAA"`]] });
  expect(await verdictOn(received)).toMatchObject({ signed: true, scheme: "rfc9421" });
  const broken = changed(received, "Signature", () => "sig1=:AAAA:");
  expect(await verdictOn(broken)).toMatchObject({ fault: "mismatch" });
});
