import { scryptSync } from "node:crypto";
import type { PasswordCost } from "../../../password-cost.ts";

/** What computes for long with passwords; it runs in threads of its own (passwords.ts). */

/** The slow hash of a password: so many bytes. */
export function derive(password: string, salt: Uint8Array, bytes: number, { N, r, p }: PasswordCost): Uint8Array {
  return scryptSync(password, salt, bytes, { N, r, p, maxmem: 256 * N * r });
}

/**
 * Is this among the passwords that are tried first, in any case? The list takes 18 MB, which go with the thread. It leaves
 * out what follows a rule, such as 1111111111, 1231231231 and abcdefghij.
 */
export async function isWellKnown(password: string): Promise<boolean> {
  const word = password.trim().toLowerCase();
  if (isRepeated(word) || isRow(word)) return true;
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return dictionary["passwords-common"].includes(word);
}

function isRepeated(word: string): boolean {
  return [1, 2, 3, 4, 5].some((length) => word === word.slice(0, length).repeat(word.length).slice(0, word.length));
}

function isRow(word: string): boolean {
  const codes = [...word].map((sign) => sign.codePointAt(0)!);
  const steps = codes.slice(1).map((code, index) => code - codes[index]!);
  return steps.every((step) => step === 1) || steps.every((step) => step === -1);
}
