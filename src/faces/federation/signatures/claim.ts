import type { Fault } from "./faults.ts";
import type { PublicKey } from "./public-keys.ts";

/** A signature that holds as far as that can be said without the key. */
export type Claim = {
  scheme: Scheme;
  /** The id of the key, as the request gives it. */
  keyId: string;
  /** What the key finds wrong with it, if anything. */
  faultBy(key: PublicKey): Fault | undefined;
};

/** Which way of signing requests: draft-cavage-http-signatures-12, or RFC 9421. */
export type Scheme = "cavage" | "rfc9421";
