import { createHash, randomBytes } from "node:crypto";

/** A new secret of 256 bits, as 43 characters of base64url. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** What the hub keeps of a secret: whoever reads its tables cannot use it, and looking it up tells nothing by the time that it takes. */
export function digestOf(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}
