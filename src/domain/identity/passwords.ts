import { randomBytes, scrypt as scryptWithCallback, timingSafeEqual } from "node:crypto";
import type { BinaryLike, ScryptOptions } from "node:crypto";
import { promisify } from "node:util";

const scrypt = promisify<BinaryLike, BinaryLike, number, ScryptOptions, Buffer>(scryptWithCallback);

const cost = { N: 2 ** 15, r: 8, p: 1 };
const bytes = 32;

/** The salted slow hash of a password with its parameters, so that the cost can rise later (native contract 1.9). */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, cost);
  return ["scrypt", cost.N, cost.r, cost.p, salt.toString("base64url"), hash.toString("base64url")].join("$");
}

/** Is this the password of the stored hash? Takes the same time for every answer. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [kind, N, r, p, salt, hash] = stored.split("$");
  if (kind !== "scrypt" || !salt || !hash) return false;
  const expected = Buffer.from(hash, "base64url");
  const found = await derive(password, Buffer.from(salt, "base64url"), { N: Number(N), r: Number(r), p: Number(p) });
  return expected.length === found.length && timingSafeEqual(expected, found);
}

/** A stored form that no password fits: whoever asks for an unknown login waits as long as for a known one. */
export function hashOfNobody(): string {
  const { N, r, p } = cost;
  return ["scrypt", N, r, p, randomBytes(16).toString("base64url"), randomBytes(bytes).toString("base64url")].join("$");
}

function derive(password: string, salt: Buffer, { N, r, p }: typeof cost): Promise<Buffer> {
  return scrypt(password, salt, bytes, { N, r, p, maxmem: 256 * N * r });
}
