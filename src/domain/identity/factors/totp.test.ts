import { expect, test } from "vitest";
import { newTotpSecret, totpAddress, totpCode, totpStepAt, totpStepOf } from "./totp.ts";

/** "12345678901234567890" in base32: the secret of the test vectors in RFC 6238, whose codes have eight digits there. */
const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

test.each([
  [59, "94287082"],
  [1111111109, "07081804"],
  [1111111111, "14050471"],
  [1234567890, "89005924"],
  [2000000000, "69279037"],
  [20000000000, "65353130"],
])("at %i seconds the code ends as in RFC 6238", (seconds, code) => {
  expect(totpCode(secret, totpStepAt(new Date(seconds * 1000)))).toBe(code.slice(2));
});

test("a code is taken in its half minute and in those beside it", () => {
  const taken = [-2, -1, 0, 1, 2].map((away) => totpStepOf(secret, totpCode(secret, 1000 + away), 1000));
  expect(taken).toEqual([undefined, 999, 1000, 1001, undefined]);
  for (const other of ["", "000000", "12345", "1234567"]) expect(totpStepOf(secret, other, 1000)).toBeUndefined();
});

test("secrets have 160 bits and differ", () => {
  const [one, two] = [newTotpSecret(), newTotpSecret()];
  expect(one).toMatch(/^[A-Z2-7]{32}$/);
  expect(one).not.toBe(two);
});

test("names in the address of an app cannot be taken for its parts", () => {
  const address = new URL(totpAddress(secret, "A: B&secret=C", "anna+1@example.org"));
  expect(decodeURIComponent(address.pathname)).toBe("/A: B&secret=C:anna+1@example.org");
  expect([...address.searchParams]).toEqual([
    ["secret", secret],
    ["issuer", "A: B&secret=C"],
  ]);
});
