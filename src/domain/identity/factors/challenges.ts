import { createHmac, randomBytes } from "node:crypto";
import type { Hub } from "../../../hub.ts";
import { spend } from "../accounts/account-tokens.ts";
import { isSameSecret } from "../same-secret.ts";
import { formSecret } from "../site/site-settings.ts";

/**
 * What a device signs to show that it has a passkey. The hub keeps nothing of one before it comes back, so that whoever looks at the log-in
 * page writes nothing; then it is remembered until it is too old, and does not work again.
 */

const lifetime = 10 * 60 * 1000;

/** What it is good for: as whom to log in is open, a log-in or a change of this account, another passkey for it. */
export type ChallengePurpose = "log-in" | `code ${number}` | `add ${number}`;

/** A new challenge, base64url. */
export async function newChallenge(hub: Hub, purpose: ChallengePurpose): Promise<string> {
  const known = Buffer.alloc(22);
  known.writeUIntBE(hub.clock().getTime(), 0, 6);
  known.set(randomBytes(16), 6);
  return Buffer.concat([known, await signature(hub, purpose, known)]).toString("base64url");
}

/** Has the hub made this one, for this, a short time ago? */
export async function isChallenge(hub: Hub, purpose: ChallengePurpose, challenge: string): Promise<boolean> {
  const bytes = Buffer.from(challenge, "base64url");
  if (bytes.length !== 54 || bytes.toString("base64url") !== challenge) return false;
  const [known, signed] = [bytes.subarray(0, 22), bytes.subarray(22)];
  const age = hub.clock().getTime() - known.readUIntBE(0, 6);
  const right = await signature(hub, purpose, known);
  return age >= 0 && age < lifetime && isSameSecret(right.toString("base64url"), signed.toString("base64url"));
}

/** Uses it up; false where it was used before. Part of a transaction. */
export function useChallenge(hub: Hub, challenge: string, accountId: number): Promise<boolean> {
  return spend(hub, challenge, accountId, lifetime);
}

async function signature(hub: Hub, purpose: string, known: Uint8Array): Promise<Buffer> {
  return createHmac("sha256", await formSecret(hub))
    .update(`passkey ${purpose} `)
    .update(known)
    .digest();
}
