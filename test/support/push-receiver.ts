import { createDecipheriv, createECDH, createHmac, createPublicKey, verify } from "node:crypto";
import type { ECDH } from "node:crypto";

/** A device that is told of notices: it reads what came as the standards say, by ways of its own. */

type Keys = { own: ECDH; auth: Uint8Array };
type Headers = Readonly<Record<string, string>>;

const hmac = (key: Uint8Array, ...parts: (string | Uint8Array)[]): Buffer => {
  const made = createHmac("sha256", key);
  for (const part of parts) made.update(part);
  return made.digest();
};
/** HKDF as RFC 5869 has it, for what is no longer than one digest. */
const derive = (salt: Uint8Array, input: Uint8Array, info: Uint8Array, length: number): Buffer =>
  hmac(hmac(salt, input), info, Uint8Array.of(1)).subarray(0, length);

function open(key: Uint8Array, nonce: Uint8Array, sealed: Uint8Array): Buffer {
  const cipher = createDecipheriv("aes-128-gcm", key, nonce);
  cipher.setAuthTag(sealed.subarray(-16));
  return Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
}

/** Reads a message of RFC 8291. */
export function openStandard({ own, auth }: Keys, body: Uint8Array): string {
  const salt = body.subarray(0, 16);
  const length = body[20]!;
  const sender = body.subarray(21, 21 + length);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), own.getPublicKey(), sender]);
  const input = derive(auth, own.computeSecret(sender), info, 32);
  const key = derive(salt, input, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derive(salt, input, Buffer.from("Content-Encoding: nonce\0"), 12);
  const text = open(key, nonce, body.subarray(21 + length));
  if (text.at(-1) !== 2) throw new Error("The record does not end the message");
  return text.subarray(0, -1).toString("utf8");
}

/** Reads a message of the draft. */
export function openDraft({ own, auth }: Keys, body: Uint8Array, headers: Headers): string {
  const salt = Buffer.from(/salt=([\w-]+)/.exec(headers["encryption"]!)![1]!, "base64url");
  const sender = Buffer.from(/dh=([\w-]+)/.exec(headers["crypto-key"]!)![1]!, "base64url");
  const input = derive(auth, own.computeSecret(sender), Buffer.from("Content-Encoding: auth\0"), 32);
  const context = [Buffer.from("P-256\0\0A"), own.getPublicKey(), Buffer.from("\0A"), sender];
  const named = (name: string) => Buffer.concat([Buffer.from(`Content-Encoding: ${name}\0`), ...context]);
  const text = open(derive(salt, input, named("aesgcm"), 16), derive(salt, input, named("nonce"), 12), body);
  return text.subarray(2 + text.readUInt16BE()).toString("utf8");
}

/** A device with keys and the parameters by which it subscribes. */
export function newDevice(endpoint: string): Keys & { form: object; read(body: Uint8Array, headers: Headers): object } {
  const own = createECDH("prime256v1");
  own.generateKeys();
  const auth = Buffer.alloc(16, endpoint.length);
  const keys = { p256dh: own.getPublicKey().toString("base64url"), auth: auth.toString("base64url") };
  return {
    own,
    auth,
    form: { endpoint, keys },
    read(body, headers) {
      const text =
        headers["content-encoding"] === "aesgcm"
          ? openDraft({ own, auth }, body, headers)
          : openStandard({ own, auth }, body);
      return JSON.parse(text) as object;
    },
  };
}

/** What a token for push services says, if this key has signed it. */
export function readVapid(token: string, publicKey: string): { aud: string; exp: number; sub: string } {
  const point = Buffer.from(publicKey, "base64url");
  const [x, y] = [point.subarray(1, 33).toString("base64url"), point.subarray(33).toString("base64url")];
  const key = createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" });
  const [head, claims, signature] = token.split(".") as [string, string, string];
  const signed = Buffer.from(`${head}.${claims}`);
  const isRight = verify("sha256", signed, { key, dsaEncoding: "ieee-p1363" }, Buffer.from(signature, "base64url"));
  if (!isRight) throw new Error("The signature is wrong");
  return JSON.parse(Buffer.from(claims, "base64url").toString()) as { aud: string; exp: number; sub: string };
}
