import { hash } from "node:crypto";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";

/** What every sealed file begins with (age-encryption.org/v1). */
export const sealMark = "age-encryption.org/v1\n";

/** Encrypts bytes for whoever has the private half of the operator's key, as they come; without a key they stay as they are. */
export async function seal(bytes: Readable, key: string | undefined): Promise<Readable> {
  if (key === undefined) return bytes;
  const { Encrypter } = await import("age-encryption");
  const encrypter = new Encrypter();
  encrypter.addRecipient(key);
  return Readable.fromWeb((await encrypter.encrypt(webOf(bytes))) as ReadableStream);
}

/** Encrypts bytes for whoever knows the passphrase. */
export async function sealWithPassphrase(bytes: Readable, passphrase: string): Promise<Readable> {
  const { Encrypter } = await import("age-encryption");
  const encrypter = new Encrypter();
  // The usual factor takes a quarter of a gigabyte of memory.
  encrypter.setScryptWorkFactor(15);
  encrypter.setPassphrase(passphrase);
  return Readable.fromWeb((await encrypter.encrypt(webOf(bytes))) as ReadableStream);
}

/** Decrypts what was sealed for one of these identities, or with this passphrase. */
export async function unseal(bytes: Readable, identities: readonly string[], passphrase?: string): Promise<Readable> {
  const { Decrypter } = await import("age-encryption");
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  if (passphrase !== undefined) decrypter.addPassphrase(passphrase);
  return Readable.fromWeb((await decrypter.decrypt(webOf(bytes))) as ReadableStream);
}

/** A new pair: the private half, and the key that seals for it. */
export async function makeSealKey(): Promise<{ identity: string; key: string }> {
  const { generateX25519Identity, identityToRecipient } = await import("age-encryption");
  const identity = await generateX25519Identity();
  return { identity, key: await identityToRecipient(identity) };
}

/** Can anything be sealed with it? */
export async function isSealKey(key: string): Promise<boolean> {
  const { Encrypter } = await import("age-encryption");
  try {
    new Encrypter().addRecipient(key);
    return true;
  } catch {
    return false;
  }
}

/** A few signs that tell keys apart. */
export function nameOfKey(key: string): string {
  return hash("sha256", key).slice(0, 8);
}

function webOf(bytes: Readable): globalThis.ReadableStream<Uint8Array> {
  return Readable.toWeb(bytes) as globalThis.ReadableStream<Uint8Array>;
}
