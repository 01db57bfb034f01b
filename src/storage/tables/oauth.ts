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

/** An application of OAuth 2 (Mastodon contract 9.1); `uid` is the channel that made it in its settings, 0 for one that registered itself. */
export type Oauth2AppTable = {
  id: Generated<number>;
  client_id: string;
  secret_digest: string;
  name: string;
  website: Generated<string>;
  /** One a line, as they were registered. */
  redirects: string;
  /** With spaces between. */
  scopes: string;
  uid: number;
  created: string;
  /** The day on which it last got a token, or was registered. */
  used: string;
};

/** Somebody's consent that an application has not exchanged for a token yet; `token_id` is 0 until then. */
export type Oauth2CodeTable = {
  digest: string;
  app_id: number;
  uid: number;
  redirect: string;
  scopes: string;
  challenge: Generated<string>;
  /** Wrong verifiers so far. */
  tries: Generated<number>;
  token_id: number;
  created: string;
  expires: string;
};

/** A bearer token; `uid` 0 is one that stands for its application alone. */
export type Oauth2TokenTable = {
  id: Generated<number>;
  digest: string;
  app_id: number;
  uid: number;
  scopes: string;
  created: string;
  expires: string;
};

/** What a request with an `Idempotency-Key` has led to; `result` is 0 while it is under way. */
export type IdempotencyTable = {
  token_id: number;
  /** Digest of the key. */
  digest: string;
  /** `status`, `mail`. */
  kind: Generated<string>;
  result: number;
  created: string;
};

/** How far an application has read a time line, for the others of the same channel. */
export type MarkerTable = {
  uid: number;
  timeline: string;
  last_read_id: number;
  version: Generated<number>;
  updated: string;
};
