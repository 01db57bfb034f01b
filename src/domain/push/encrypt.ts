import { createCipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";
import type { ECDH } from "node:crypto";

/** Messages that nobody on their way can read: RFC 8291, and the draft before it, which the relays of applications still know. */

/** What the receiver has given: a point on P-256, and a secret. */
export type Receiver = { p256dh: Uint8Array; auth: Uint8Array };

/** A body, and the headers that say how it is to be read. */
export type Sealed = { body: Uint8Array; headers: Record<string, string> };

/** What is new with each message; tests name it. */
export type Fresh = { sender: ECDH; salt: Uint8Array };

/** Longest text that fits into the 4096 bytes that push services take. */
export const longestMessage = 3500;

const recordSize = 4096;

export function fresh(): Fresh {
  const sender = createECDH("prime256v1");
  sender.generateKeys();
  return { sender, salt: randomBytes(16) };
}

/** RFC 8291 with the content coding of RFC 8188, in one record. */
export function seal(text: string, receiver: Receiver, { sender, salt }: Fresh = fresh()): Sealed {
  const own = sender.getPublicKey();
  const secret = sender.computeSecret(receiver.p256dh);
  const input = derive(secret, receiver.auth, bytes("WebPush: info\0", receiver.p256dh, own), 32);
  const key = derive(input, salt, bytes("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derive(input, salt, bytes("Content-Encoding: nonce\0"), 12);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(recordSize);
  head.writeUInt8(own.length, 4);
  // The 2 says that there is no other record.
  const record = encrypted(key, nonce, bytes(text, Uint8Array.of(2)));
  return { body: bytes(salt, head, own, record), headers: { "content-encoding": "aes128gcm" } };
}

/** Draft 4 of the same. */
export function sealAsDraft(text: string, receiver: Receiver, { sender, salt }: Fresh = fresh()): Sealed {
  const own = sender.getPublicKey();
  const secret = sender.computeSecret(receiver.p256dh);
  const input = derive(secret, receiver.auth, bytes("Content-Encoding: auth\0"), 32);
  const context = bytes("P-256\0", measured(receiver.p256dh), measured(own));
  const key = derive(input, salt, bytes("Content-Encoding: aesgcm\0", context), 16);
  const nonce = derive(input, salt, bytes("Content-Encoding: nonce\0", context), 12);
  return {
    // Two bytes say how much follows that means nothing.
    body: encrypted(key, nonce, bytes(Uint8Array.of(0, 0), text)),
    headers: {
      "content-encoding": "aesgcm",
      encryption: `salt=${Buffer.from(salt).toString("base64url")}`,
      "crypto-key": `dh=${own.toString("base64url")}`,
    },
  };
}

function derive(input: Uint8Array, salt: Uint8Array, info: Uint8Array, length: number): Buffer {
  return Buffer.from(hkdfSync("sha256", input, salt, info, length));
}

function encrypted(key: Uint8Array, nonce: Uint8Array, text: Uint8Array): Buffer {
  const cipher = createCipheriv("aes-128-gcm", key, nonce);
  return bytes(cipher.update(text), cipher.final(), cipher.getAuthTag());
}

/** With its length before it. */
function measured(point: Uint8Array): Buffer {
  return bytes(Uint8Array.of(0, point.length), point);
}

function bytes(...parts: (string | Uint8Array)[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
}
