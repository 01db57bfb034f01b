import { isSameId } from "../../../domain/identity/xchans/foreign-ids.ts";
import { cavageClaim } from "./cavage.ts";
import type { Claim, Scheme } from "./claim.ts";
import type { Fault } from "./faults.ts";
import { messageClaims } from "./message-signatures.ts";
import type { PublicKey } from "./public-keys.ts";
import { fieldsOf } from "./received.ts";
import type { Received } from "./received.ts";

/** A key, and whose it is: both documents name each other. Or why there is none. */
export type FoundKey = { key: PublicKey; owner: string } | { fault: Fault };

/** Looks for the key of an id that a request names. */
export type FindKey = (keyId: string) => Promise<FoundKey>;

/** Who signed a request, or why nobody counts as having done so. */
export type Verdict =
  | { signed: true; owner: string; keyId: string; scheme: Scheme }
  | { signed: false; fault: Fault; keyId?: string };

/**
 * Judges the signature of a request (federation contract 8). Everything that can be said without the key is said first,
 * so that no key is looked for in vain. Of several signatures one is enough, one by `actor` before others. With
 * `Signature-Input` RFC 9421 alone counts (19).
 */
export async function verifyRequest(received: Received, now: Date, find: FindKey, actor?: string): Promise<Verdict> {
  const claims = claimsOf(received, now);
  if (typeof claims === "string") return { signed: false, fault: claims };
  const verdicts: Verdict[] = [];
  for (const claim of claims) {
    const verdict = judged(claim, await find(claim.keyId));
    if (verdict.signed && (actor === undefined || isSameId(verdict.owner, actor))) return verdict;
    verdicts.push(verdict);
  }
  const unavailable = (verdict: Verdict): boolean => !verdict.signed && verdict.fault === "key_unavailable";
  return verdicts.find(({ signed }) => signed) ?? verdicts.find(unavailable) ?? verdicts[0]!;
}

function claimsOf(received: Received, now: Date): Claim[] | Fault {
  const fields = fieldsOf(received);
  if (fields.has("signature-input")) return messageClaims(received, fields, now);
  const claim = cavageClaim(received, fields, now);
  return typeof claim === "string" ? claim : [claim];
}

function judged({ scheme, keyId, faultBy }: Claim, found: FoundKey): Verdict {
  const fault = "fault" in found ? found.fault : faultBy(found.key);
  if (fault !== undefined) return { signed: false, fault, keyId };
  return { signed: true, owner: (found as { owner: string }).owner, keyId, scheme };
}
