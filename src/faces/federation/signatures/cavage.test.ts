import { hash } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  body,
  cavageRequest,
  finding,
  keyId,
  keys,
  now,
  seconds,
  verdictOn,
} from "../../../../test/support/signed-requests.ts";
import type { Plan } from "../../../../test/support/signed-requests.ts";
import { verifyRequest } from "./verify.ts";

/** The table of federation contract 8.1. */

type Row = [what: string, plan: Plan];

const httpDate = (shift: number): string => new Date(now.getTime() + shift * 1000).toUTCString();
const sha512 = `SHA-512=${hash("sha512", body, "base64")}`;
const sha256 = `SHA-256=${hash("sha256", body, "base64")}`;
const wrong = `SHA-256=${hash("sha256", "another body", "base64")}`;
const covered = ["(request-target)", "host", "date", "digest"];
const created = ["(request-target)", "host", "(created)", "digest"];
const hs2019 = { algorithm: '"hs2019"' };

const taken: Row[] = [
  ["POST with request target, host, date and digest", {}],
  ["GET with request target, host and date", { method: "GET", target: "/channel/bob" }],
  ["HEAD", { method: "HEAD", target: "/channel/bob" }],
  ["more headers, in any order", { covered: ["content-type", "digest", "date", "host", "(request-target)"] }],
  ["a date almost an hour old", { headers: { Date: httpDate(-3599) } }],
  ["a date almost an hour ahead", { headers: { Date: httpDate(3599) } }],
  ["(created) by hs2019", { covered: created, parameters: { ...hs2019, created: `${seconds}` } }],
  ["(created) as a quoted number", { covered: created, parameters: { ...hs2019, created: `"${seconds}"` } }],
  ["(created) without an algorithm", { covered: created, parameters: { algorithm: undefined, created: `${seconds}` } }],
  [
    "(expires) that is not past",
    {
      covered: [...created, "(expires)"],
      parameters: { ...hs2019, created: `${seconds}`, expires: `${seconds + 60}` },
    },
  ],
  ["hs2019 with SHA-512", { parameters: hs2019, hash: "sha512" }],
  ["no algorithm", { parameters: { algorithm: undefined } }],
  ["rsa-sha512", { parameters: { algorithm: '"rsa-sha512"' }, hash: "sha512" }],
  ["a digest whose name is in small letters", { headers: { Digest: sha256.replace("SHA", "sha") } }],
  ["SHA-512", { headers: { Digest: sha512 } }],
  ["two digests", { headers: { Digest: `${sha512}, ${sha256}` } }],
  ["an unknown digest beside a known one", { headers: { Digest: `MD5=AAAA,${sha256}` } }],
  ["Content-Digest besides", { headers: { "Content-Digest": `sha-256=:${hash("sha256", body, "base64")}:` } }],
  ["an empty header", { headers: { "X-Empty": "" }, covered: [...covered, "x-empty"] }],
  [
    "a header of bytes that are no ASCII",
    { headers: { "X-Name": "Gr\u00C3\u00BCn" }, covered: [...covered, "x-name"] },
  ],
  ["the query string signed", { method: "GET", target: "/outbox/bob?page=1&x=%2F" }],
  ["the query string not signed", { method: "GET", target: "/outbox/bob", seen: { target: "/outbox/bob?page=1" } }],
  ["a path that is not normalised", { target: "/inbox/../inbox//%62ob" }],
  ["a parameter that nobody knows", { parameters: { opaque: '"x, y=\\"z\\""' } }],
  ["the host with its usual port", { headers: { Host: "hub.example:443" } }],
  ["the host to which a proxy has added its usual port", { seen: { host: "hub.example:443" } }],
  ["the host that a proxy has written in capitals", { seen: { host: "HUB.example" } }],
  [
    "the host that the proxy hands on",
    {
      headers: { Host: "127.0.0.1:8080" },
      covered: ["(request-target)", "host", "date", "digest"],
      seen: { host: "127.0.0.1:8080", base: "http://127.0.0.1:8080" },
    },
  ],
];

test.each(taken)("takes %s", async (_, plan) => {
  const verdict = await verdictOn(cavageRequest(plan));
  expect(verdict).toEqual({ signed: true, owner: "https://peer.example/users/ann", keyId, scheme: "cavage" });
});

const refused: [...Row, fault: string][] = [
  ["no signature", { seen: { rawHeaders: ["Host", "hub.example"] } }, "unsigned"],
  ["no digest among the headers", { covered: ["(request-target)", "host", "date"] }, "not_covered"],
  ["no host among them", { covered: ["(request-target)", "date", "digest"] }, "not_covered"],
  ["no request target among them", { covered: ["host", "date", "digest"] }, "not_covered"],
  ["no date among them", { covered: ["(request-target)", "host", "digest"] }, "not_covered"],
  ["GET without a date", { method: "GET", covered: ["(request-target)", "host"] }, "not_covered"],
  ["no list of headers", { parameters: { headers: undefined } }, "not_covered"],
  ["a date more than an hour old", { headers: { Date: httpDate(-3601) } }, "date_outside"],
  ["a date more than an hour ahead", { headers: { Date: httpDate(3601) } }, "date_outside"],
  ["a date of year 1", { headers: { Date: "Mon, 01 Jan 0001 00:00:00 GMT" } }, "date_outside"],
  ["a date in another form", { headers: { Date: "2026-03-01T12:00:00Z" } }, "date_malformed"],
  ["an old (created)", { covered: created, parameters: { ...hs2019, created: `${seconds - 3601}` } }, "date_outside"],
  [
    "a good date beside an old (created)",
    { covered: [...created, "date"], parameters: { ...hs2019, created: `${seconds - 3601}` } },
    "date_outside",
  ],
  ["(created) that is no number", { covered: created, parameters: { ...hs2019, created: '"now"' } }, "date_malformed"],
  ["(created) without its parameter", { covered: created, parameters: hs2019 }, "date_malformed"],
  [
    "(expires) that is past",
    { covered: [...created, "(expires)"], parameters: { ...hs2019, created: `${seconds}`, expires: `${seconds - 1}` } },
    "expired",
  ],
  ["(created) with rsa-sha256", { covered: created, parameters: { created: `${seconds}` } }, "algorithm"],
  ["an algorithm for other keys", { parameters: { algorithm: '"ecdsa-sha256"' } }, "algorithm"],
  ["an algorithm with a shared secret", { parameters: { algorithm: '"hmac-sha256"' } }, "algorithm"],
  ["an algorithm named like a property of objects", { parameters: { algorithm: '"constructor"' } }, "algorithm"],
  ["rsa-sha256 signed with SHA-512", { hash: "sha512" }, "mismatch"],
  ["a digest of another body", { headers: { Digest: wrong } }, "digest_mismatch"],
  ["one of two digests wrong", { headers: { Digest: `${sha512},${wrong}` } }, "digest_mismatch"],
  ["a digest of no known kind", { headers: { Digest: "MD5=rL0Y20zC+Fzt72VPzMSk2A==" } }, "digest_unknown"],
  ["a digest that cannot be read", { headers: { Digest: "SHA-256" } }, "digest_malformed"],
  [
    "a wrong Content-Digest beside a right Digest",
    { headers: { "Content-Digest": `sha-256=:${wrong.slice(8)}:` } },
    "digest_mismatch",
  ],
  ["a Content-Digest that cannot be read", { headers: { "Content-Digest": "sha-256=x y" } }, "digest_malformed"],
  ["another body", { seen: { body: Buffer.from("{}") } }, "digest_mismatch"],
  ["a second Host", { more: [["host", "hub.example"]] }, "doubled_header"],
  ["a second Date", { more: [["Date", now.toUTCString()]] }, "doubled_header"],
  ["a second Digest", { more: [["Digest", sha256]] }, "doubled_header"],
  ["a second Signature", { more: [["Signature", 'keyId="x"']] }, "doubled_header"],
  [
    "a signed header twice",
    { covered: [...covered, "content-type"], more: [["content-type", "text/html"]] },
    "doubled_header",
  ],
  ["Signature and Authorization at once", { more: [["Authorization", 'Signature keyId="x"']] }, "malformed"],
  ["a signed header that is not there", { covered: [...covered, "x-absent"] }, "missing_header"],
  ["a header named twice", { covered: [...covered, "date"] }, "malformed"],
  ["another host, though it is signed", { headers: { Host: "other.example" } }, "wrong_host"],
  ["another port", { headers: { Host: "hub.example:8443" } }, "wrong_host"],
  ["another method", { seen: { method: "PUT" } }, "mismatch"],
  ["another path", { seen: { target: "/inbox/eve" } }, "mismatch"],
  ["another query", { target: "/inbox/bob?a=1", seen: { target: "/inbox/bob?a=2" } }, "mismatch"],
  ["a query that was signed and is gone", { target: "/inbox/bob?a=1", seen: { target: "/inbox/bob" } }, "mismatch"],
  ["a derived name that nobody knows", { covered: [...covered, "(status)"], parameters: hs2019 }, "malformed"],
  ["no id of the key", { parameters: { keyId: undefined } }, "malformed"],
  ["an id of the key that is none", { parameters: { keyId: '"ann"' } }, "malformed"],
  ["no signature parameter", { parameters: { signature: undefined } }, "malformed"],
  ["a signature that is no base64", { parameters: { signature: '"!!!!"' } }, "malformed"],
  ["a value of more than 4,096 bytes", { parameters: { opaque: `"${"x".repeat(4097)}"` } }, "malformed"],
  ["a thousand headers", { covered: [...covered, ...Array.from({ length: 1000 }, (_, at) => `x-${at}`)] }, "malformed"],
];

test.each(refused)("refuses %s", async (_, plan, fault) => {
  const verdict = await verdictOn(cavageRequest(plan));
  expect(verdict).toMatchObject({ signed: false, fault });
});

describe("the text of the signature", () => {
  const usual = cavageRequest();
  const text = usual.rawHeaders.at(-1)!;
  const withText = (name: string, value: string) => ({
    ...usual,
    rawHeaders: [...usual.rawHeaders.slice(0, -2), name, value],
  });

  test("may stand in Authorization, have spaces, and come in any order", async () => {
    const [id, algorithm, headers, signature] = text.split(/,(?=\w+=)/);
    const shuffled = [signature, headers, id, algorithm].join(" , ");
    for (const received of [withText("Authorization", `Signature ${text}`), withText("Signature", shuffled)])
      expect(await verdictOn(received)).toMatchObject({ signed: true });
  });

  test.each([
    ["a parameter twice", `${text},keyId="${keyId}"`],
    ["a comma at the end", `${text},`],
    ["no comma", text.replace(",", " ")],
    ["an open quote", text.slice(0, -1)],
    ["nothing", ""],
    ["something else", "Bearer x"],
  ])("is refused with %s", async (_, changed) => {
    expect(await verdictOn(withText("Signature", changed))).toMatchObject({
      signed: false,
      fault: "malformed",
    });
  });

  test("other credentials in Authorization are none of its business", async () => {
    const received = { ...usual, rawHeaders: [...usual.rawHeaders, "Authorization", "Basic YTpi"] };
    expect(await verdictOn(received)).toMatchObject({ signed: true });
  });
});

describe("the key", () => {
  test("of somebody else does not fit", async () => {
    expect(await verdictOn(cavageRequest(), keys.eve.publicKey)).toMatchObject({ fault: "mismatch", keyId });
  });

  test("of Ed25519 signs no request by this draft", async () => {
    expect(await verdictOn(cavageRequest({ key: keys.ed25519.privateKey }), keys.ed25519.publicKey)).toMatchObject({
      fault: "key_unsuited",
    });
  });

  test("that cannot be had is told from one that is gone", async () => {
    for (const fault of ["key_unavailable", "key_gone", "key_foreign"] as const)
      expect(await verifyRequest(cavageRequest(), now, () => Promise.resolve({ fault }))).toEqual({
        signed: false,
        fault,
        keyId,
      });
  });

  test("is not looked for where the request is refused without it", async () => {
    let asked = 0;
    const find = () => (asked++, finding(keys.ann.publicKey)(keyId));
    for (const [, plan, fault] of refused) {
      await verifyRequest(cavageRequest(plan), now, find);
      expect({ plan, asked }).toEqual({ plan, asked: fault === "mismatch" ? 1 : 0 });
      asked = 0;
    }
  });
});
