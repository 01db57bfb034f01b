import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { Hub } from "../../../hub.ts";
import { formSecret } from "./site-settings.ts";

/**
 * Secrets that the hub has to say or to sign with, and therefore keeps: locked with a secret of the site, so that a single table tells nothing.
 * `what` says what is locked; one lock does not open another.
 */
export async function lock(hub: Hub, what: string, secret: string): Promise<string> {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", await keyOf(hub, what), nonce);
  const text = Buffer.concat([cipher.update(secret), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64url");
}

/** What was locked; undefined where the secret of the site is another one now, or the value was damaged. */
export async function unlock(hub: Hub, what: string, locked: string): Promise<string | undefined> {
  const all = Buffer.from(locked, "base64url");
  const key = await keyOf(hub, what);
  try {
    // What is too short for a nonce or a tag is refused at once, anything else at the end.
    const decipher = createDecipheriv("aes-256-gcm", key, all.subarray(0, 12), { authTagLength: 16 });
    decipher.setAuthTag(all.subarray(12, 28));
    return Buffer.concat([decipher.update(all.subarray(28)), decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}

async function keyOf(hub: Hub, what: string): Promise<Buffer> {
  return Buffer.from(hkdfSync("sha256", await formSecret(hub), "", what, 32));
}
