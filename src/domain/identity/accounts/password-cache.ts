import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { cache, oncePerHub } from "../../../caches.ts";
import type { Hub } from "../../../hub.ts";
import { verifyPassword } from "./passwords.ts";

const lifetime = 5 * 60 * 1000;

type Remembered = { digest: Buffer; until: number };

const right = cache<number, Remembered>(100_000);
const beingVerified = cache<string, Promise<boolean>>(1000);
/** What the remembered hashes are keyed with. */
const secret = oncePerHub(() => randomBytes(32).toString("base64"));

/**
 * Was this the right password for this stored hash a short time ago? What is remembered is a keyed hash of both,
 * so that a new password ends it at once.
 */
export function passwordIsCached(hub: Hub, accountId: number, stored: string, password: string): boolean {
  const known = right(hub).get(accountId);
  if (!known || known.until <= hub.clock().getTime()) return false;
  return timingSafeEqual(known.digest, digestOf(hub, stored, password));
}

/** Does the password fit the stored hash? The right one is remembered for five minutes, wrong ones never. */
export async function passwordFits(hub: Hub, accountId: number, stored: string, password: string): Promise<boolean> {
  const digest = digestOf(hub, stored, password);
  const fits = await verifyOnce(hub, `${accountId} ${digest.toString("base64")}`, password, stored);
  if (fits) right(hub).set(accountId, { digest, until: hub.clock().getTime() + lifetime });
  return fits;
}

/** Requests that come together with the same credentials wait for one slow hash. */
function verifyOnce(hub: Hub, key: string, password: string, stored: string): Promise<boolean> {
  const running = beingVerified(hub);
  const known = running.get(key);
  if (known) return known;
  const answer = verifyPassword(hub, password, stored).finally(() => running.delete(key));
  running.set(key, answer);
  return answer;
}

/** SHA-3 with the key in front is a keyed hash, and a quarter of the cost of an HMAC: every request comes here. */
function digestOf(hub: Hub, stored: string, password: string): Buffer {
  return hash("sha3-256", `${secret(hub)}\0${stored}\0${password}`, "buffer");
}
