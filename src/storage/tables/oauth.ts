import type { Generated } from "kysely";

/** An application; `uid` is the channel that registered it, 0 for one of the whole hub. */
export type OauthClientTable = {
  id: Generated<number>;
  uid: number;
  client_key: string;
  secret: string;
  name: string;
  redirect: Generated<string>;
  icon: Generated<string>;
  created: string;
};

/** A token of an application; `uid` is the channel that it acts as, 0 until somebody has agreed. */
export type OauthTokenTable = {
  id: Generated<number>;
  client_id: number;
  uid: number;
  /** `request` or `access`. */
  kind: string;
  token: string;
  secret: string;
  callback: Generated<string>;
  /** Empty until somebody has agreed. */
  verifier: Generated<string>;
  /** Wrong verifiers so far. */
  tries: Generated<number>;
  created: string;
  expires: string;
};

/** A nonce that has been used, as a digest of client, token, timestamp and nonce. */
export type OauthNonceTable = { digest: string };
