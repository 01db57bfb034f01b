import { createHash, createPrivateKey, sign as signWithCallback, verify } from "node:crypto";
import type { KeyLike, KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { missing } from "../../../errors.ts";
import { cache } from "../../../caches.ts";
import { doneFirst } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";

const rsaSign = promisify<string, Buffer, KeyLike, Buffer>(signWithCallback);

/**
 * The base64url RSA-SHA256 signature of a text by the channel's key. Inside of a transaction it is
 * made before that (hub.ts, doneFirst).
 */
export async function sign(hub: Hub, channelId: number, text: string): Promise<string> {
  const key = await signingKey(hub, channelId);
  return doneFirst(hub, `signature ${channelId} ${text}`, () => signWith(key, text));
}

/** The same with a key at hand: PEM or KeyObject. */
export async function signWith(privateKey: KeyLike, text: string): Promise<string> {
  return (await rsaSign("sha256", Buffer.from(text), privateKey)).toString("base64url");
}

/** Did the owner of this public key (PEM or KeyObject) sign the text? Unreadable keys and signatures did not. */
export function verifySignature(publicKey: KeyLike, text: string, signature: string): boolean {
  try {
    return verify("sha256", Buffer.from(text), publicKey, Buffer.from(signature, "base64url"));
  } catch {
    return false;
  }
}

/** The hash of an identity: base64url of the SHA-512 digest of guid and public key. */
export function identityHash(guid: string, publicKey: string): string {
  return createHash("sha512").update(guid).update(publicKey).digest("base64url");
}

/** Parsing a key costs more than using it, so the parsed ones are remembered. */
const channelKeys = cache<number, KeyObject>(1000);

/** The RSA key of the identity of an active channel. Throws missing. */
async function signingKey(hub: Hub, channelId: number): Promise<KeyObject> {
  const known = channelKeys(hub).get(channelId);
  if (known) return known;
  const key = createPrivateKey((await privateKeysOf(hub, channelId)).rsa);
  channelKeys(hub).set(channelId, key);
  return key;
}

/** The private keys of an active channel (PEM). Only its own signatures and its owner's export have a use for them. */
export async function privateKeysOf(hub: Hub, channelId: number): Promise<PrivateKeys> {
  const row = await hub.db
    .selectFrom("channel")
    .select(["channel_prvkey as rsa", "channel_ed25519_prvkey as ed25519"])
    .where("channel_id", "=", channelId)
    .where("channel_removed", "=", 0)
    .executeTakeFirst();
  if (!row) throw missing("Channel");
  return row;
}

/** Both private halves of a channel, as PEM. */
export type PrivateKeys = { rsa: string; ed25519: string };

/** Forgets the remembered key of a channel that is gone. */
export function forgetKey(hub: Hub, channelId: number): void {
  channelKeys(hub).delete(channelId);
}
