import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { Hub } from "../../hub.ts";
import { formSecret } from "../identity/site/site-settings.ts";

/**
 * Applications with several accounts know by their own token for which of them a message is (Mastodon contract 15). The hub has digests of
 * tokens, so that of a subscription is kept locked with a secret of the site.
 */
export async function lockToken(hub: Hub, token: string): Promise<string> {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", await keyOf(hub), nonce);
  const text = Buffer.concat([cipher.update(token), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64url");
}

/** The token; undefined where the secret of the site is another one now. */
export async function unlockToken(hub: Hub, locked: string): Promise<string | undefined> {
  const all = Buffer.from(locked, "base64url");
  const decipher = createDecipheriv("aes-256-gcm", await keyOf(hub), all.subarray(0, 12));
  decipher.setAuthTag(all.subarray(12, 28));
  try {
    return Buffer.concat([decipher.update(all.subarray(28)), decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}

async function keyOf(hub: Hub): Promise<Buffer> {
  return Buffer.from(hkdfSync("sha256", await formSecret(hub), "", "token of a push subscription", 32));
}
