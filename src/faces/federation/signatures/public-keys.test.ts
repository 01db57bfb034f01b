import { createPublicKey, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { keys, pemOf } from "../../../../test/support/signed-requests.ts";
import { fromBase58, toBase58 } from "./base58.ts";
import { PublicKeys } from "./public-keys.ts";

const parsed = new PublicKeys();

/** A public key of so many bits; nobody has its other half. */
function rsaPem(bits: number, exponent = Buffer.from([1, 0, 1])): string {
  const modulus = randomBytes(bits / 8);
  modulus[0]! |= 0x80;
  modulus[modulus.length - 1]! |= 1;
  const jwk = { kty: "RSA", n: modulus.toString("base64url"), e: exponent.toString("base64url") };
  return pemOf(createPublicKey({ key: jwk, format: "jwk" }));
}

describe("keys that are taken", () => {
  test.each([2048, 3072, 4096, 8192])("RSA of %d bits", (bits) => {
    expect(parsed.parse(rsaPem(bits))).toMatchObject({ kind: "rsa" });
  });

  test("RSA in the older form of PEM, with other ends of lines, and with lines that are indented", () => {
    const pkcs1 = keys.ann.publicKey.export({ type: "pkcs1", format: "pem" }).toString();
    const pem = pemOf(keys.ann.publicKey);
    const indented = `\n${pem}`.replaceAll("\n", "\n\t  ");
    for (const text of [pkcs1, pem.replaceAll("\n", "\r\n"), ` ${pem}`, indented, indented.replaceAll("\n", "\r\n")])
      expect(parsed.parse(text)?.object.equals(keys.ann.publicKey)).toBe(true);
  });

  test("Ed25519 as a multikey, and as PEM", () => {
    const raw = keys.ed25519.publicKey.export({ type: "spki", format: "der" }).subarray(-32);
    const multikey = `z${toBase58(Buffer.concat([Buffer.from([0xed, 1]), raw]))}`;
    expect(multikey).toMatch(/^z6Mk/);
    for (const text of [multikey, pemOf(keys.ed25519.publicKey)]) {
      expect(parsed.parse(text)).toMatchObject({ kind: "ed25519" });
      expect(parsed.parse(text)!.object.equals(keys.ed25519.publicKey)).toBe(true);
    }
  });
});

describe("keys that are refused", () => {
  const longExponent = randomBytes(200);
  longExponent[199]! |= 1;
  test.each([
    ["RSA of 1,024 bits", rsaPem(1024)],
    ["RSA of 16,384 bits", rsaPem(16_384)],
    ["RSA with an exponent that makes verifying slow", rsaPem(2048, longExponent)],
    ["nothing", ""],
    ["a text", "key"],
    ["half a key", pemOf(keys.ann.publicKey).slice(0, 200)],
    ["a multikey of another kind", `z${toBase58(Buffer.concat([Buffer.from([0xe7, 1]), Buffer.alloc(32, 7)]))}`],
    ["a multikey that is too short", `z${toBase58(Buffer.from([0xed, 1, 2, 3]))}`],
    ["a multikey that is no base58", "z0OIl"],
    ["a multikey that is very long", `z${"2".repeat(100_000)}`],
  ])("%s", (_, text) => {
    expect(parsed.parse(text)).toBeUndefined();
  });
});

test("a key is parsed once, and the least recently used one goes first", () => {
  const few = new PublicKeys(2);
  const [one, two, three] = [rsaPem(2048), rsaPem(2048), rsaPem(2048)] as const;
  const [first, second] = [few.parse(one), few.parse(two)];
  expect(few.parse(one)).toBe(first);
  few.parse(three);
  expect(few.parse(one)).toBe(first);
  expect(few.parse(two)).not.toBe(second);
});

test("base58 there and back", () => {
  // From the draft of base58 (draft-msporny-base58).
  expect(toBase58(Buffer.from("Hello World!"))).toBe("2NEpo7TZRRrLZSi2U");
  expect(toBase58(Buffer.from("0000287fb4cd", "hex"))).toBe("11233QC4");
  for (const bytes of [Buffer.alloc(0), Buffer.alloc(3), randomBytes(64), Buffer.from([0, 1, 0, 255])])
    expect(fromBase58(toBase58(bytes))).toEqual(bytes);
});
