import { createHmac, randomBytes } from "node:crypto";

/** Codes that an app and the hub make of a secret that they share, and of the time (RFC 6238): six digits, another one every 30 seconds. */

const period = 30_000;
const digits = 6;
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** A new secret of 160 bits in base32, as apps take it. */
export function newTotpSecret(): string {
  return Array.from(randomBytes(32), (byte) => letters[byte % 32]).join("");
}

/** The number of the half minute in which this moment lies. */
export function totpStepAt(moment: Date): number {
  return Math.floor(moment.getTime() / period);
}

/** The code of that half minute. */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", fromBase32(secret)).update(counter).digest();
  const number = mac.readUInt32BE(mac.at(-1)! & 15) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

/** Of which half minute the code is, among this one and its neighbours: clocks differ, and people type slowly. */
export function totpStepOf(secret: string, code: string, now: number): number | undefined {
  return [now, now - 1, now + 1].find((step) => totpCode(secret, step) === code);
}

/** What apps read from a picture: whose codes these are, and of what they are made. */
export function totpAddress(secret: string, site: string, login: string): string {
  const label = [site, login].map((part) => encodeURIComponent(part)).join(":");
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(site)}`;
}

function fromBase32(text: string): Uint8Array {
  const bits = Array.from(text, (letter) => letters.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}
